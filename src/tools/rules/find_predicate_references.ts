import { limits } from "../../base/limits.ts";
import { count, defineTool, flag, optional, text } from "../tool.ts";

/** A rule, as texts. */
type Rule = { head: string; body: string; memory: string };

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Usages = {
  target: string;
  memory: string;
  rules: Rule[];
  direct_facts_count: number;
  facts_referenced_in_assumptions: { assumption: string; fact: string; memory: string }[];
  cross_memory_refs: (Rule & { qualifier: string })[];
  defined_by: string[];
  truncated?: boolean;
  next_offset?: number;
};

/** All values of an entry are texts. */
const texts = { type: "object", additionalProperties: { type: "string" } };

export default defineTool({
  name: "find_predicate_references",
  title: "Find Predicate References",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "List the rules, facts and assumptions that use a predicate.",
  description:
    "Locate all usage sites of a Prolog predicate within the knowledge base. The answer has every rule whose body " +
    "calls it, how many facts it has, the assumptions that hold facts of it, and the rules of other memories that call it " +
    "as NAME:goal. The name standing as data is told, too. Use it before you change or rename a predicate.",
  input: {
    functor: text('The predicate functor to search for (e.g. "task_status")'),
    arity: optional(count(
      "The arity of the predicate (optional; when omitted, matches all arities of the functor)",
      { minimum: 0 },
    )),
    memory: optional({
      ...text(
        'Memory segment to search: a named segment, "default" for the default memory, or "__all__" to scan every ' +
          'mounted memory (default: "default")',
      ),
      pattern: "^([a-z][a-z0-9_]{0,63}|__all__)$",
    }),
    include_cross_memory_refs: optional(flag(
      "Include module-qualified references from other memory segments in the response (default: true)",
    )),
    limit: optional(count(`At most so many entries (default ${limits.references})`, {
      minimum: 1,
      maximum: limits.references_max,
    })),
    offset: optional(
      count("Skip so many entries, to go on after a truncated list", { minimum: 0 }),
    ),
  },
  output: {
    target: { type: "string", description: "What was looked for" },
    memory: { type: "string", description: "Where it was looked for" },
    rules: {
      type: "array",
      items: texts,
      description: "The rules whose bodies call the predicate: head, body, memory",
    },
    direct_facts_count: { type: "integer", description: "How many facts the predicate has" },
    facts_referenced_in_assumptions: {
      type: "array",
      items: texts,
      description: "Its facts that stand on assumptions: assumption, fact, memory",
    },
    cross_memory_refs: {
      type: "array",
      items: texts,
      description: "The calls from rules of other memories: head, body, memory, qualifier",
    },
    defined_by: {
      type: "array",
      items: { type: "string" },
      description: "The rules that define the predicate",
    },
    truncated: { type: "boolean", description: "There are more entries" },
    next_offset: { type: "integer", description: "The offset that continues a truncated list" },
  },
  examples: [{
    input: { functor: "human", arity: 1 },
    says: '{"target":"human/1","memory":"default","rules":[{"head":"mortal(X)","body":"human(X)",' +
      '"memory":"default"}],"direct_facts_count":1,"facts_referenced_in_assumptions":[],' +
      '"cross_memory_refs":[]}',
  }],
  async run(memory, input) {
    const { warnings, ...structure } = await memory.ask<Usages>({
      op: "references",
      functor: input.functor,
      scope: input.memory ?? "default",
      cross: input.include_cross_memory_refs ?? true,
      offset: input.offset ?? 0,
      limit: input.limit ?? limits.references,
      explicit_limit: input.limit !== undefined,
      ...(input.arity !== undefined && { arity: input.arity }),
    });
    return { structure, warnings, notes: notesOn(structure) };
  },
  say: ({ defined_by: _, truncated: __, next_offset: ___, ...reference }) =>
    JSON.stringify(reference),
});

function notesOn({ defined_by, truncated, next_offset }: Usages): string[] {
  return [
    ...(defined_by.length > 0 ? ["Defined by:", ...defined_by] : []),
    ...(truncated ? [`There are more entries: ask again with offset ${next_offset}`] : []),
  ];
}
