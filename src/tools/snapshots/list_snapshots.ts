import { defineTool, memoryName } from "../tool.ts";

export default defineTool({
  name: "list_snapshots",
  title: "List Snapshots",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "List the snapshots of a memory.",
  description:
    "List all available Prolog knowledge base snapshots. Use it to find the name that restore_snapshot wants.",
  input: { memory: memoryName() },
  output: {
    snapshots: {
      type: "array",
      description: "The snapshots, in order of names",
      items: {
        type: "object",
        properties: {
          name: { type: "string", description: "The snapshot's name" },
          at: { type: "string", description: "When it was saved, ISO 8601" },
          clauses: { type: "integer", description: "Facts and rules in it" },
        },
      },
    },
  },
  examples: [{ input: {}, says: "Snapshots: [before_refactor]" }],
  async run(memory) {
    const snapshots = (await memory.snapshots.list())
      .map(({ name, at, clauses }) => ({ name, at, clauses }));
    return { structure: { snapshots } };
  },
  say: ({ snapshots }) => `Snapshots: [${snapshots.map(({ name }) => name).join(", ")}]`,
});
