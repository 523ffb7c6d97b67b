import { defineTool, flag, memoryName, optional, snapshotName } from "../tool.ts";

interface Restored {
  added: number;
  removed: number;
  commit?: number;
}

export default defineTool({
  name: "restore_snapshot",
  title: "Restore Snapshot",
  effect: "write",
  idempotent: false,
  destructive: true,
  summary: "Make the memory what a snapshot says, in one commit.",
  description:
    "Restore the Prolog knowledge base from a named snapshot file. This replaces the current knowledge base state " +
    "entirely with the snapshot contents, in one commit that undo takes back. With preview nothing is changed and " +
    "the reply says how much would be.",
  input: {
    name: snapshotName('The snapshot name to restore from (e.g. "before_refactor")'),
    preview: optional(flag("Only tell what would change")),
    memory: memoryName(),
  },
  output: {
    name: { type: "string", description: "The snapshot's name" },
    added: { type: "integer", description: "Clauses that were added" },
    removed: { type: "integer", description: "Clauses that were removed or hidden" },
    commit: { type: "integer", description: "Number of the commit" },
    preview: { type: "boolean", description: "Whether this only tells what would change" },
  },
  examples: [{
    input: { name: "before_refactor" },
    says: "Snapshot 'before_refactor' restored successfully.",
  }],
  async run(memory, { name, preview }) {
    const request = { op: "restore", name, text: await memory.snapshots.read(name) };
    const { warnings, added, removed, commit } = preview
      ? await memory.ask<Restored>({ op: "preview", request })
      : await memory.commit<Restored>(request);
    const structure = {
      name,
      added,
      removed,
      ...(commit !== undefined && { commit }),
      ...(preview && { preview }),
    };
    return { structure, warnings };
  },
  say: ({ name, added, removed, preview }) =>
    preview
      ? `Restoring '${name}' would add ${added} and remove ${removed} clause(s)`
      : `Snapshot '${name}' restored successfully.`,
});
