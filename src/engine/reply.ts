/**
 * What an engine's reply says: the answer's keys, or an error in the words of `base/errors.ts`.
 *
 * A float keeps its point in JSON text (`1.0`), which a JavaScript number does not; such numbers become raw
 * JSON values (SPEC 1.2). Everything else is parsed as usual.
 */
import { bug } from "../base/errors.ts";
import { type Fault, fromFault } from "../base/faults.ts";
import { rawJson } from "../base/json.ts";
import type { EngineReply } from "./engine.ts";

type Reviver = (this: unknown, key: string, value: unknown, context: { source: string }) => unknown;
const parse = JSON.parse as (text: string, reviver?: Reviver) => unknown;

/** Only a number with a point or an exponent that JavaScript would print without it. */
const INTEGRAL_FLOAT = /(?:^|[:,[])-?\d+\.\d/;

/** Returns the keys of a good answer; throws what Prolog reported. */
export function readReply(reply: EngineReply, where: string): Record<string, unknown> {
  return readKeys(reply.text, reply.output, where);
}

/**
 * The same for a reply with a second line, which is JSON text that goes on to the caller as it is; `undefined` when
 * there is none.
 */
export function readAttached(
  { text, output }: EngineReply,
  where: string,
): { keys: Record<string, unknown>; attached?: string } {
  const end = text.indexOf("\n");
  if (end < 0) return { keys: readKeys(text, output, where) };
  return { keys: readKeys(text.slice(0, end), output, where), attached: text.slice(end + 1) };
}

function readKeys(
  text: string,
  output: EngineReply["output"],
  where: string,
): Record<string, unknown> {
  const message = readValue(text) as { ok?: Record<string, unknown>; error?: Fault };
  if (message.error) throw fromFault(message.error, where);
  if (!message.ok) throw bug("a reply without an answer");
  if (output.text === "") return message.ok;
  return { ...message.ok, output: output.text + (output.cut ? "\n[cut]" : "") };
}

/** A value of JSON text that Prolog wrote. */
export function readValue(text: string): unknown {
  if (!INTEGRAL_FLOAT.test(text)) return parse(text);
  return parse(
    text,
    (_key, value, { source }) =>
      typeof value === "number" && source.includes(".") ? rawJson(source) : value,
  );
}
