import type { SentexKey } from "../authority/handles.ts";
import { limits } from "../base/limits.ts";
import { unknownOutput } from "../tools/answers.ts";
import { text } from "../tools/tool.ts";
import { common, defineVerb, form, withAuthors } from "./verb.ts";
import { context, justificationOutput } from "./words.ts";

type Argued = {
  keys: SentexKey[];
  verdict: string;
  for?: unknown[];
  against?: unknown[];
  unknown?: string[];
};

export default defineVerb({
  name: "argue",
  title: "Argue",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "Weigh what speaks for and against a sentence without variables.",
  description:
    "Whether a sentence without variables is true, false, unknown or contradictory in a context: it is asked, and so " +
    "is its denial (not S). Where both follow, the side that is monotonic wins; where both or neither are, that is " +
    "a contradiction. The proofs of both sides are shown.",
  input: {
    sentence: text(
      "One literal without variables, or its denial: in EDN (likes ann tea), (not (likes ann tea)); in Prolog " +
        "likes(ann, tea), -likes(ann, tea)",
    ),
    context,
  },
  output: {
    verdict: { type: "string", description: "true, false, unknown or contradiction" },
    for: {
      ...justificationOutput,
      description: `The proof of it. ${justificationOutput.description}`,
    },
    against: { ...justificationOutput, description: "The proof of its denial, in the same form" },
    unknown: unknownOutput,
  },
  examples: {
    edn: {
      input: { sentence: "(human socrates)", context: "CxUniverse" },
      says: '"verdict":"true"',
    },
    prolog: {
      input: { sentence: "human(socrates)", context: "'CxUniverse'" },
      says: '"verdict":"true"',
    },
  },
  async run(call, input) {
    const { warnings, ...reply } = await call.memory.ask<Argued>({
      op: "verb_argue",
      ...common(call),
      sentence: form(call, input.sentence, "sentence"),
      context: form(call, input.context, "context"),
      max_depth: limits.proof_depth,
    });
    return { structure: await withAuthors(call, reply), warnings };
  },
});
