import type { SentexKey } from "../authority/handles.ts";
import { choice, optional } from "../tools/tool.ts";
import { defineVerb, form, signed, withHandlesOfWrite } from "./verb.ts";
import { context, contextOutput, handleOutput, sentence, sentenceOutput } from "./words.ts";

type Asserted = { keys: SentexKey[]; sentence: string; context: string; status: string };

export default defineVerb({
  name: "assert",
  title: "Assert",
  effect: "write",
  idempotent: true,
  destructive: false,
  summary: "Store a sentence in a context.",
  description:
    "Store a sentence in a context, capped at default strength. It is on disk before the reply, and believed in the " +
    "context and all contexts that see it. Every predicate must be used by a sentence that is believed already, or " +
    "be declared: assert (arity NAME NUMBER) first. A fact has no variables; a rule is (implies (and A B) C). " +
    "Asserting what was unasserted restores it.",
  input: {
    sentence,
    context,
    strength: optional(choice("What a client's sentences are: default", ["default", "monotonic"])),
  },
  output: {
    handle: handleOutput,
    sentence: sentenceOutput,
    context: contextOutput,
    status: {
      type: "string",
      description:
        "asserted, already_there, or restored when it had been unasserted: then the except was excepted",
    },
  },
  examples: {
    edn: {
      input: { sentence: "(human socrates)", context: "CxUniverse" },
      says: '"status":"asserted"',
    },
    prolog: {
      input: { sentence: "human(socrates)", context: "'CxUniverse'" },
      says: '"status":"asserted"',
    },
  },
  async run(call, input) {
    const { warnings, commit: _, ...reply } = await call.memory.commit<Asserted>({
      op: "verb_assert",
      ...signed(call),
      sentence: form(call, input.sentence, "sentence"),
      context: form(call, input.context, "context"),
      ...(input.strength !== undefined && { strength: input.strength }),
    });
    const { handle, ...rest } = await withHandlesOfWrite(call, { handle: 0, ...reply });
    return { structure: { handle, ...rest }, warnings };
  },
});
