import { defineTool, memoryName, snapshotName } from "../tool.ts";

export default defineTool({
  name: "save_snapshot",
  title: "Save Snapshot",
  effect: "write",
  idempotent: true,
  destructive: true,
  summary: "Save the whole memory as one Prolog file under a name.",
  description:
    "Persist the current Prolog knowledge base to a named snapshot file. The snapshot contains all facts, rules, and " +
    "TMS metadata in valid Prolog source syntax, and any Prolog can load it. After a snapshot, the journal is rotated. Use it before a risky change; " +
    "restore_snapshot goes back. A snapshot of the same name is replaced.",
  input: {
    name: snapshotName('A name for the snapshot (e.g. "before_refactor")'),
    memory: memoryName(),
  },
  output: {
    name: { type: "string", description: "The snapshot's name" },
    file: { type: "string", description: "The file that holds it" },
    clauses: { type: "integer", description: "Facts and rules in it" },
  },
  examples: [{
    input: { name: "before_refactor" },
    says: "Snapshot 'before_refactor' saved successfully.",
  }],
  async run(memory, { name }) {
    const { file, clauses } = await memory.snapshots.save(name);
    return { structure: { name, file, clauses } };
  },
  say: ({ name }) => `Snapshot '${name}' saved successfully.`,
});
