import { indexOutput, refusedOutput } from "../refused.ts";
import { defineTool, memoryName, texts } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Stored = { stored: number; duplicates: number; facts: string[]; truncated?: boolean };

export default defineTool({
  name: "remember_facts",
  title: "Remember Facts",
  effect: "write",
  idempotent: false,
  destructive: false,
  summary: "Store several facts in one step, all or none.",
  description:
    "Store several facts in one commit: all of them, or none when one is refused; the error then names each " +
    "refused one by its place in the list. Use it instead of many calls of remember_fact.",
  input: {
    facts: texts(
      'The facts, each as remember_fact takes it (e.g. ["human(plato)", "human(zeno)"])',
    ),
    memory: memoryName(),
  },
  output: {
    stored: { type: "integer", description: "Number of facts stored" },
    duplicates: { type: "integer", description: "How many of them were there before" },
    facts: {
      type: "array",
      items: { type: "string" },
      description: "The facts as they were stored",
    },
    truncated: { type: "boolean", description: "The list is cut" },
    commit: { type: "integer", description: "Number of the commit that holds them" },
    errors: refusedOutput({ index: indexOutput }),
  },
  examples: [{ input: { facts: ["human(plato)", "human(zeno)"] }, says: "Asserted 2 facts" }],
  async run(memory, { facts }) {
    const { warnings, ...structure } = await memory.commit<Stored>({ op: "remember_all", facts });
    return { structure, warnings };
  },
  say: ({ stored }) => `Asserted ${stored} ${stored === 1 ? "fact" : "facts"}`,
});
