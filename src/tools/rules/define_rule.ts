import { defineTool, flag, memoryName, optional, text } from "../tool.ts";

export default defineTool({
  name: "define_rule",
  title: "Define Rule",
  effect: "write",
  idempotent: false,
  destructive: true,
  summary: "Store one rule: the head holds when the body does.",
  description:
    "Assert a Prolog rule into the knowledge base. Constructs a rule from head and body (Head :- Body), " +
    "which are read together and so share their variables, and checks the body's goals before it is stored. " +
    "Use it for knowledge that follows from other knowledge; query_logic then answers with what the rule " +
    "derives, and explain_why shows how. A recursive rule that must end on cycles wants tabled.",
  input: {
    head: text('The rule head (e.g. "mortal(X)")'),
    body: text('The rule body (e.g. "human(X)")'),
    tabled: optional(
      flag("Make the predicate an incremental table, so that left recursion and cycles end"),
    ),
    memory: memoryName(),
  },
  output: {
    rule: { type: "string", description: "The rule as it was stored" },
    commit: { type: "integer", description: "Number of the commit that holds it" },
  },
  examples: [{
    input: { head: "mortal(X)", body: "human(X)" },
    says: "Asserted rule: mortal(X) :- human(X)",
  }],
  async run(memory, { head, body, tabled }) {
    const { warnings, ...stored } = await memory.commit<{ rule: string }>({
      op: "define_rule",
      head,
      body,
      tabled: tabled ?? false,
    });
    return { structure: { rule: stored.rule, commit: stored.commit }, warnings };
  },
  say: ({ rule }) => `Asserted rule: ${rule}`,
});
