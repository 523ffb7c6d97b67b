import type { SentexKey } from "../authority/handles.ts";
import { limits } from "../base/limits.ts";
import { answerArguments, answerRequest, unknownOutput } from "../tools/answers.ts";
import { common, defineVerb, form, withAuthors } from "./verb.ts";
import { flag, optional, text } from "../tools/tool.ts";
import { context, justificationOutput, maxDepth, truncatedOutput } from "./words.ts";

type Answers = {
  keys: SentexKey[];
  answers: Record<string, string>[];
  justifications?: unknown[];
  unknown?: string[];
  truncated: boolean;
};

export default defineVerb({
  name: "query",
  title: "Query",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "Answer a goal from what a context believes.",
  description:
    "Answer a goal, a sentence or a vector of sentences that must all hold, from what the context believes: stored " +
    "sentences, and what follows by rules. Each answer gives the variables of the goal, as text that can be used in a " +
    "sentence; a goal without variables has the answer {} when it holds. No answer is []; what nobody defines is " +
    "told in unknown. With justify each answer has its proof, whose steps say who asserted what they stand on.",
  input: {
    goal: text(
      "A goal: in EDN (likes ann ?x), or a vector [(likes ann ?x) (unknown (likes bob ?x))] for a conjunction; in " +
        "Prolog likes(ann, X), \\+ likes(bob, X)",
    ),
    context,
    max_depth: maxDepth,
    justify: optional(flag("Add the proof of each answer")),
    limit: answerArguments.limit,
  },
  output: {
    answers: {
      type: "array",
      items: { type: "object", additionalProperties: { type: "string" } },
      description: "One object per answer, from variable to value, each answer once",
    },
    justifications: {
      type: "array",
      items: justificationOutput,
      description: "For each answer, the proofs of the goal's sentences",
    },
    unknown: unknownOutput,
    truncated: truncatedOutput,
  },
  examples: {
    edn: {
      input: { goal: "(human ?x)", context: "CxUniverse" },
      says: '{"?x":"socrates"}',
    },
    prolog: {
      input: { goal: "human(X)", context: "'CxUniverse'" },
      says: '{"X":"socrates"}',
    },
  },
  async run(call, input) {
    const { warnings, ...reply } = await call.memory.ask<Answers>({
      op: "verb_query",
      ...common(call),
      goal: form(call, input.goal, "goal"),
      context: form(call, input.context, "context"),
      max_depth: input.max_depth ?? limits.proof_depth,
      justify: input.justify ?? false,
      ...answerRequest({ limit: input.limit }),
    });
    return { structure: await withAuthors(call, reply), warnings };
  },
});
