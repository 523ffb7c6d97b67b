import { withoutStore } from "../../base/execution_errors.ts";
import { defineTool } from "../tool.ts";

export default defineTool({
  name: "list_memories",
  title: "List Memories",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "List the memories that exist, and which are mounted.",
  description:
    "List all discoverable memory segments (mounted and unmounted) across project and global scopes. Returns " +
    "name, scope, mount status, and mode for each memory. Use it before naming a memory in another tool.",
  input: {},
  output: {
    memories: {
      type: "array",
      description: "The memories, the default one first",
      items: {
        type: "object",
        properties: {
          name: { type: "string", description: "The memory's name" },
          scope: { type: "string", description: "project or global" },
          mounted: { type: "boolean", description: "Whether tools can use it now" },
          mode: {
            type: ["string", "null"],
            description: "rw, ro, or null while it is not mounted",
          },
        },
      },
    },
  },
  examples: [{
    input: {},
    says: '{"memories":[{"name":"default","scope":"project","mounted":true,"mode":"rw"},' +
      '{"name":"feature_auth","scope":"project","mounted":false,"mode":null}]}',
  }],
  async run(memory) {
    try {
      return { structure: { memories: await memory.list() } };
    } catch (error) {
      throw withoutStore(error);
    }
  },
  say: (found) => JSON.stringify(found),
});
