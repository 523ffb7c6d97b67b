import { type Page, pageArguments, pageNotes, pageOutput, pageRequest } from "../paging.ts";
import { defineTool, memoryName } from "../tool.ts";
import { assumptionName } from "../assumptions.ts";

export default defineTool({
  name: "get_justification",
  title: "Get Justification",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "List the facts that stand on an assumption.",
  description:
    "Return all facts currently supported by a given assumption. Facts stand in the order in which they were " +
    "assumed; some of them may have other supports, too, and stay when this one is retracted. Use it to see " +
    "what an assumption holds up.",
  input: {
    assumption: assumptionName('The assumption name to query (e.g. "infra_healthy")'),
    memory: memoryName(),
    ...pageArguments("facts"),
  },
  output: {
    facts: { type: "array", items: { type: "string" }, description: "The facts that stand on it" },
    ...pageOutput,
  },
  examples: [{
    input: { assumption: "infra_healthy" },
    says: '{"facts":["available(server_a)"]}',
  }],
  async run(memory, { assumption, limit, offset }) {
    const { warnings, ...structure } = await memory.ask<{ facts: string[] } & Page>({
      op: "justification",
      assumption,
      ...pageRequest({ limit, offset }),
    });
    return { structure, warnings, notes: pageNotes(structure) };
  },
  say: ({ facts }) => JSON.stringify({ facts }),
});
