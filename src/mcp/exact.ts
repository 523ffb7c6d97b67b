/**
 * The arguments of a call, digit by digit. The SDK parses a message before anybody is asked, and a parsed number is
 * a float: 9007199254740993 has become another number, 1.0 an integer, a name that stands twice has lost a value. So
 * the text of the arguments travels beside them, in `_meta`, and whoever declares types reads that.
 */
import { rawMember } from "../base/raw_json.ts";

const KEY = "zpm/arguments";

interface Message {
  method: string;
  params?: Record<string, unknown>;
}

/** The message, with the text of its arguments when it is a call; `line` is all of its text. */
export function withExactArguments(message: Message, line: string): Message {
  const { method, params } = message;
  if (method !== "tools/call" || !params) return message;
  const { _meta: given = {} } = params;
  // What is no object is refused by the SDK.
  if (typeof given !== "object" || given === null || Array.isArray(given)) return message;
  const text = rawMember(line, ["params", "arguments"]);
  const _meta: Record<string, unknown> = { ...given };
  // Whatever a client sends under this name, it does not reach a tool.
  delete _meta[KEY];
  if (text !== undefined && text !== "null") _meta[KEY] = text;
  return { method, params: { ...params, _meta } };
}

export function textOfArguments(meta: Record<string, unknown> | undefined): string | undefined {
  return meta?.[KEY] as string | undefined;
}
