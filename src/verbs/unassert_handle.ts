import type { SentexKey } from "../authority/handles.ts";
import { unknownHandle, VerbError } from "../base/verb_errors.ts";
import { count, optional } from "../tools/tool.ts";
import { defineVerb, form, signed, type VerbCall, withHandlesOfWrite } from "./verb.ts";
import { context, handleOutput } from "./words.ts";

type Row = { handle: number; except_handle: number };
type Unasserted = { keys: SentexKey[]; status: string; excepted: Row[]; already: Row[] };

export default defineVerb({
  name: "unassert_handle",
  title: "Unassert Handle",
  effect: "write",
  idempotent: true,
  destructive: true,
  summary: "Except one sentence by its handle.",
  description:
    "Except one stored sentence by its handle, from its own context or from one that sees it. The handle of an " +
    "except restores what that hides. Handles are told by assert, matching and justifications.",
  input: {
    handle: count("The number of a sentence", { minimum: 0 }),
    context: optional(context),
  },
  output: {
    status: { type: "string", description: "excepted or already_excepted" },
    handle: handleOutput,
    except_handle: { type: "integer", description: "The number of the except that hides it" },
  },
  examples: {
    edn: { input: { handle: 1 }, says: '"handle":1' },
    prolog: { input: { handle: 1 }, says: '"handle":1' },
  },
  async run(call, { handle, context }) {
    const key = await call.handles.keyOf(handle);
    if (!key) throw unknownHandle(handle);
    const { warnings, status, excepted, already, keys } = await except(call, key, context)
      .catch((error) => {
        throw error instanceof VerbError && error.verb_code === "unknown-handle"
          ? unknownHandle(handle)
          : error;
      });
    const [{ except_handle }] = [...excepted, ...already];
    return {
      structure: { status, handle, ...await withHandlesOfWrite(call, { keys, except_handle }) },
      warnings,
    };
  },
});

function except(call: VerbCall, key: SentexKey, context: string | undefined) {
  return call.memory.commit<Unasserted>({
    op: "verb_unassert_handle",
    ...signed(call),
    key_context: key.context,
    key_sentence: key.sentence,
    ...(context !== undefined && { context: form(call, context, "context") }),
  });
}
