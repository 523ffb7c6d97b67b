/** Arguments and results that several verbs have in common: one wording of each. */
import { limits } from "../base/limits.ts";
import { count, optional, text } from "../tools/tool.ts";

export const sentence = text(
  "A sentence: in EDN (likes ann tea), (not S), (implies (and A B) C); in Prolog likes(ann, tea), -S, C :- A, B",
);

export const context = text("The context, a symbol: CxUniverse in EDN, 'CxUniverse' in Prolog");

export const maxDepth = optional(
  count(`How many rules a proof may use one above the other (default ${limits.proof_depth})`, {
    minimum: 0,
    maximum: limits.term_depth,
  }),
);

export const handleOutput = {
  type: "integer",
  description: "The number of the sentence in its context, for good",
} as const;

export const sentenceOutput = { type: "string", description: "The sentence as it stands" } as const;

export const contextOutput = { type: "string", description: "Where it stands" } as const;

export const truncatedOutput = { type: "boolean", description: "There are more" } as const;

export const justificationOutput = {
  type: "array",
  items: { type: "object", additionalProperties: true },
  description:
    "Trees of steps: sentence, by (fact, rule, builtin or unknown), strength, premises; those of stored " +
    "sentences have handle, context, provenance, and rule where one was used",
} as const;

/** Sentences that are not believed, each with the number of what hides it. */
export const exceptedOutput = {
  type: "array",
  items: {
    type: "object",
    properties: {
      handle: handleOutput,
      except_handle: { type: "integer", description: "The number of the except that hides it" },
      sentence: sentenceOutput,
      context: contextOutput,
    },
    additionalProperties: false,
  },
} as const;
