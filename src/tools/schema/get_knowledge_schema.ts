import { withoutEngine } from "../../base/execution_errors.ts";
import { defineTool, memoryName } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Predicates = {
  predicates: { name: string; arity: number; type: "fact" | "rule" | "both"; count: number }[];
  total: number;
};

export default defineTool({
  name: "get_knowledge_schema",
  title: "Get Knowledge Schema",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "List the predicates of a memory, with their counts.",
  description:
    "Introspect the selected memory to discover file-loaded static and asserted user predicates, their " +
    "arities, clause counts, and whether they are facts, rules, or both. Returns structural metadata only — no " +
    "predicate content is exposed. Use it first in a memory you do not know, so that queries and new facts use " +
    "the names and argument counts that are already there.",
  input: { memory: memoryName() },
  output: {
    predicates: {
      type: "array",
      description: "The predicates of the memory",
      items: {
        type: "object",
        additionalProperties: false,
        properties: {
          name: { type: "string", description: "Name of the predicate" },
          arity: { type: "integer", description: "Number of its arguments" },
          type: {
            type: "string",
            enum: ["fact", "rule", "both"],
            description: "What its clauses are",
          },
          count: { type: "integer", description: "Number of its clauses" },
        },
      },
    },
    total: { type: "integer", description: "Number of predicates" },
  },
  examples: [{
    input: {},
    says: '{"predicates":[{"name":"human","arity":1,"type":"fact","count":1},' +
      '{"name":"server","arity":2,"type":"fact","count":1},' +
      '{"name":"mortal","arity":1,"type":"rule","count":1}],"total":3}',
  }],
  async run(memory) {
    try {
      const { warnings, ...structure } = await memory.ask<Predicates>({ op: "schema" });
      return { structure: { predicates: structure.predicates, total: structure.total }, warnings };
    } catch (error) {
      throw withoutEngine(error, "ExecutionFailed");
    }
  },
  say: (structure) => JSON.stringify(structure),
});
