import { assumptionName } from "../assumptions.ts";
import { defineTool, memoryName, text } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Assumed = { fact: string; assumption: string; commit?: number };

export default defineTool({
  name: "assume_fact",
  title: "Assume Fact",
  effect: "write",
  idempotent: true,
  destructive: true,
  summary: "Store a fact that holds as long as an assumption does.",
  description:
    "Assert a Prolog fact under a named assumption for truth maintenance tracking. The fact stands on each " +
    "assumption it was given, and goes when the last of them is retracted, unless it is also remembered. " +
    "Assuming it again under the same name changes nothing. Use it for what may have to be taken back " +
    "together: a hypothesis, a plan, what a tool reported.",
  input: {
    fact: text('A Prolog fact to assert (e.g. "available(server_a)")'),
    assumption: assumptionName('The assumption name justifying this fact (e.g. "infra_healthy")'),
    memory: memoryName(),
  },
  output: {
    fact: { type: "string", description: "The fact as it was stored" },
    assumption: { type: "string", description: "The assumption it stands on" },
    commit: {
      type: "integer",
      description: "Number of the commit; absent when nothing was to be changed",
    },
  },
  examples: [{
    input: { fact: "available(server_a)", assumption: "infra_healthy" },
    says: "Assumed: available(server_a) under assumption 'infra_healthy'",
  }],
  async run(memory, { fact, assumption }) {
    const { warnings, ...structure } = await memory.commit<Assumed>({
      op: "assume",
      fact,
      assumption,
    });
    return { structure, warnings };
  },
  say: ({ fact, assumption }) => `Assumed: ${fact} under assumption '${assumption}'`,
});
