import {
  answerArguments,
  answerNotes,
  answerOutput,
  answerRequest,
  type Answers,
  answersText,
} from "../answers.ts";
import { invalidArguments } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { indexOutput, refusedOutput } from "../refused.ts";
import { defineTool, memoryName, optional, text, texts } from "../tool.ts";

type Supposed = Answers & { added: number; removed: string[]; removed_count: number };

export default defineTool({
  name: "what_if",
  title: "What If",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "Ask a goal as if some facts were stored, and others were not.",
  description:
    "Ask a goal as query_logic does, as if some facts were stored and others were not; nothing is kept. Use it to " +
    "see what a change would lead to, or what depends on a fact. What is left out goes first: every stored fact " +
    "that matches, of a file or assumed as well, but not what rules derive.",
  input: {
    goal: text('A Prolog goal to query (e.g. "affected(X)")'),
    facts: optional(texts("Facts to suppose, each as remember_fact takes it")),
    without: optional(
      texts('Facts to leave out, all that match (e.g. "depends_on(web, _)")'),
    ),
    memory: memoryName(),
    ...answerArguments,
  },
  output: {
    ...answerOutput,
    added: { type: "integer", description: "Number of facts supposed" },
    removed: {
      type: "array",
      items: { type: "string" },
      description: `Facts that were left out, at most ${limits.left_out}`,
    },
    removed_count: { type: "integer", description: "Number of them in all" },
    errors: refusedOutput({
      list: { type: "string", description: "facts or without" },
      index: indexOutput,
    }),
  },
  examples: [
    {
      input: { goal: "mortal(X)", facts: ["human(zeno)"] },
      says: '[{"X":"socrates"},{"X":"zeno"}]',
    },
    { input: { goal: "mortal(X)", without: ["human(_)"] }, says: "[]" },
  ],
  async run(memory, { goal, facts = [], without = [], limit, offset }) {
    if (facts.length + without.length === 0) {
      throw invalidArguments(
        "Name something in facts or without: query_logic asks the memory as it is",
      );
    }
    const { warnings, ...structure } = await memory.ask<Supposed>({
      op: "what_if",
      goal,
      facts,
      without,
      shown: limits.left_out,
      ...answerRequest({ limit, offset }),
    });
    return { structure, warnings, notes: [...answerNotes(structure), ...leftOut(structure)] };
  },
  say: answersText,
});

/** A pattern may have matched more than was meant. */
function leftOut({ removed, removed_count }: Supposed): string[] {
  if (removed_count === 0) return [];
  const more = removed_count - removed.length;
  return [`Left out: ${removed.join("; ")}${more > 0 ? ` and ${more} more` : ""}`];
}
