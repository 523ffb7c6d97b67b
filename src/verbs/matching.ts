import type { SentexKey } from "../authority/handles.ts";
import { answerArguments, answerRequest } from "../tools/answers.ts";
import { optional, text } from "../tools/tool.ts";
import { common, defineVerb, form, withAuthors } from "./verb.ts";
import { context, contextOutput, handleOutput, sentenceOutput, truncatedOutput } from "./words.ts";

type Matched = { keys: SentexKey[]; matches: Record<string, unknown>[]; truncated: boolean };

export default defineVerb({
  name: "matching",
  title: "Matching",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "List stored sentences that match one literal, without inference.",
  description:
    "List the stored, believed facts that match one literal, with their handles and who asserted them. No rule is " +
    "used. Without a context those of all contexts, each as its own context sees it.",
  input: {
    pattern: text("One literal, or its denial: in EDN (likes ann ?x), in Prolog likes(ann, X)"),
    context: optional(context),
    limit: answerArguments.limit,
  },
  output: {
    matches: {
      type: "array",
      items: {
        type: "object",
        properties: {
          handle: handleOutput,
          sentence: sentenceOutput,
          context: contextOutput,
          strength: { type: "string", description: "monotonic or default" },
          provenance: {
            type: "object",
            description: "Who asserted it, and when",
            properties: {
              creator: { type: "string", description: "The principal, or base" },
              asserted_at: { type: ["string", "null"], description: "ISO 8601" },
            },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
      description: "The stored sentences",
    },
    truncated: truncatedOutput,
  },
  examples: {
    edn: { input: { pattern: "(human ?x)" }, says: '"sentence":"(human socrates)"' },
    prolog: { input: { pattern: "human(X)" }, says: '"sentence":"human(socrates)"' },
  },
  async run(call, input) {
    const { warnings, ...reply } = await call.memory.ask<Matched>({
      op: "verb_matching",
      ...common(call),
      pattern: form(call, input.pattern, "pattern"),
      ...(input.context !== undefined && { context: form(call, input.context, "context") }),
      ...answerRequest({ limit: input.limit }),
    });
    return { structure: await withAuthors(call, reply), warnings };
  },
});
