import { choice, defineTool, newMemoryName, optional } from "../tool.ts";

export default defineTool({
  name: "create_memory",
  title: "Create Memory",
  effect: "write",
  idempotent: false,
  destructive: true,
  summary: "Make a new, empty memory beside the default one.",
  description:
    "Create a new named memory segment backed by a dedicated Prolog module. Makes its folder with a journal of " +
    "its own and a knowledge.pl for version control. Does not mount the memory: mount_memory does. Use it to keep " +
    "the facts of one feature, client or experiment apart from the rest.",
  input: {
    name: newMemoryName("A valid Prolog atom (snake_case) naming the memory segment"),
    scope: optional(choice(
      'The scope of the memory segment: "project" (default) or "global"',
      ["project", "global"],
    )),
  },
  output: {
    name: { type: "string", description: "The memory's name" },
    scope: { type: "string", description: "project or global" },
  },
  examples: [{
    input: { name: "feature_auth" },
    says: "Created memory 'feature_auth' (project scope)",
  }],
  async run(memory, { name, scope = "project" }) {
    await memory.ask({ op: "memory_name", name });
    await memory.create(name, scope as "project" | "global");
    return { structure: { name, scope } };
  },
  say: ({ name, scope }) => `Created memory '${name}' (${scope} scope)`,
});
