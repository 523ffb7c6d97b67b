import type { SentexKey } from "../authority/handles.ts";
import { defineVerb, form, signed, withHandlesOfWrite } from "./verb.ts";
import { context, exceptedOutput, sentence } from "./words.ts";

type Unasserted = {
  keys: SentexKey[];
  status: string;
  excepted: Record<string, unknown>[];
  already: Record<string, unknown>[];
};

export default defineVerb({
  name: "unassert",
  title: "Unassert",
  effect: "write",
  idempotent: true,
  destructive: true,
  summary: "Except every visible sentence that matches one, from a context.",
  description:
    "Except every stored sentence that matches a sentence and that the context sees: the context, and all that see " +
    "it, no longer believe it. Nothing is deleted, others keep it, and assert restores it. A variable matches " +
    "anything, so (likes ann ?x) excepts all that ann likes; a rule must be given as it stands. What only follows " +
    "from rules is not stored and cannot be unasserted.",
  input: { sentence, context },
  output: {
    status: {
      type: "string",
      description: "excepted, already_excepted, or not_found when no stored sentence matches",
    },
    excepted: { ...exceptedOutput, description: "What is no longer believed by this call" },
    already: { ...exceptedOutput, description: "What matched, and was excepted before" },
  },
  examples: {
    edn: {
      input: { sentence: "(human socrates)", context: "CxUniverse" },
      says: '"status":"excepted"',
    },
    prolog: {
      input: { sentence: "human(socrates)", context: "'CxUniverse'" },
      says: '"status":"excepted"',
    },
  },
  async run(call, input) {
    const { warnings, commit: _, ...reply } = await call.memory.commit<Unasserted>({
      op: "verb_unassert",
      ...signed(call),
      sentence: form(call, input.sentence, "sentence"),
      context: form(call, input.context, "context"),
    });
    return { structure: await withHandlesOfWrite(call, reply), warnings };
  },
});
