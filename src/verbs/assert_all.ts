/**
 * Many sentences at once: one commit, all or nothing (SPEC 3.3, `/op`). No verb that clients see, but the same assert.
 */
import type { SentexKey } from "../authority/handles.ts";
import { bug, ZpmError } from "../base/errors.ts";
import { batchRefused, verbCode } from "../base/verb_errors.ts";
import { form, signed, type VerbCall, withHandlesOfWrite } from "./verb.ts";

/** How one of the sentences came out. */
export interface AssertedOne {
  handle: number;
  sentence: string;
  context: string;
  status: "asserted" | "already_there" | "restored";
}

type Reply = { keys: SentexKey[]; results: Omit<AssertedOne, "handle">[] };

/** Throws an error whose `partial.errors` tells what is wrong, by index from 0; then nothing was stored. */
export async function assertAll(
  call: VerbCall,
  sentences: readonly (readonly [sentence: string, context: string])[],
): Promise<{ results: AssertedOne[]; warnings?: string[] }> {
  const errors: Parameters<typeof batchRefused>[0] = [];
  const forms = sentences.map(([sentence, context], index) => {
    try {
      return [form(call, sentence, "sentence"), form(call, context, "context")];
    } catch (error) {
      const known = error instanceof ZpmError ? error : bug(String(error), error);
      const { message, hint } = known;
      errors.push({ index, code: verbCode(known), message, hint });
      return [];
    }
  });
  if (errors.length > 0) throw batchRefused(errors, sentences.length);
  const { warnings, commit: _, keys, results } = await call.memory.commit<Reply>({
    op: "verb_assert_all",
    ...signed(call),
    sentences: forms,
  });
  const placed = results.map((result, place) => ({ handle: place, ...result }));
  const numbered = await withHandlesOfWrite(call, { keys, results: placed });
  return { results: numbered.results as AssertedOne[], ...(warnings && { warnings }) };
}
