import { type Page, pageArguments, pageNotes, pageOutput, pageRequest } from "../paging.ts";
import { defineTool, memoryName } from "../tool.ts";

export default defineTool({
  name: "list_assumptions",
  title: "List Assumptions",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "List the assumptions that facts stand on.",
  description:
    "Return all named assumptions currently registered in the truth maintenance system, in order of first " +
    "use. An assumption is there as long as a fact stands on it. Use it to find the names for " +
    "get_justification and retract_assumption.",
  input: { memory: memoryName(), ...pageArguments("names") },
  output: {
    assumptions: {
      type: "array",
      items: { type: "string" },
      description: "Their names, in order of first use",
    },
    ...pageOutput,
  },
  examples: [{ input: {}, says: '{"assumptions":["infra_healthy"]}' }],
  async run(memory, { limit, offset }) {
    const { warnings, ...structure } = await memory.ask<{ assumptions: string[] } & Page>({
      op: "assumptions",
      ...pageRequest({ limit, offset }),
    });
    return { structure, warnings, notes: pageNotes(structure) };
  },
  say: ({ assumptions }) => JSON.stringify({ assumptions }),
});
