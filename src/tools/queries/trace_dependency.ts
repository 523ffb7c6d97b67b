import { pageArguments, pageNotes, pageOutput, pageRequest } from "../paging.ts";
import { defineTool, memoryName, text } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Trace = { nodes: unknown[]; unknown?: string[]; truncated: boolean; next_offset?: number };

export default defineTool({
  name: "trace_dependency",
  title: "Trace Dependency",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "List every node that path/2 reaches from a start node.",
  description:
    "Trace transitive dependencies from a start node using path/2 rules. Define path(X, Y) first, with define_rule: " +
    "one rule for a step, one for a step and the rest of the way. Each node comes once, the near ones first; cycles " +
    "end. Use it for what something depends on, or what a change would reach.",
  input: {
    start_node: text('The starting node to trace dependencies from (e.g. "a", "module_a")'),
    memory: memoryName(),
    ...pageArguments("nodes"),
  },
  output: {
    nodes: {
      type: "array",
      items: { type: ["string", "number", "array"] },
      description: "The nodes, as values of query_logic",
    },
    unknown: {
      type: "array",
      items: { type: "string" },
      description: "Predicates that were called and do not exist, as name/arity",
    },
    ...pageOutput,
  },
  examples: [{ input: { start_node: "a" }, says: '["b","c"]' }],
  async run(memory, { start_node, limit, offset }) {
    const { warnings, ...structure } = await memory.ask<Trace>({
      op: "trace",
      start_node,
      ...pageRequest({ limit, offset }),
    });
    return { structure, warnings, notes: pageNotes(structure) };
  },
  say: ({ nodes }) => JSON.stringify(nodes),
});
