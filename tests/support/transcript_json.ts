/** JSON as text: a transcript compares what the server wrote, not what JavaScript makes of it. */
import { stringEnd } from "../../src/base/raw_json.ts";

/** The text without the blanks between its tokens. */
export function compactJson(json: string): string {
  let out = "";
  for (let at = 0; at < json.length;) {
    const end = json[at] === '"' ? stringEnd(json, at) : at + 1;
    const token = json.slice(at, end);
    if (token.trim() !== "") out += token;
    at = end;
  }
  return out;
}
