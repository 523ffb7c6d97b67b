/**
 * JSON as text, for what may not go through numbers of JavaScript: parsed and printed again, `1.0` would be `1`, and
 * a large number another number. The text is known to be JSON.
 */

/** The text of the value at a path of member names, or undefined when there is none; as in parsing, the last of a name. */
export function rawMember(json: string, path: string[]): string | undefined {
  let text = json.trim();
  for (const name of path) {
    const member = members(text).findLast(([key]) => key === name);
    if (!member) return undefined;
    text = member[1];
  }
  return text;
}

/** Names and value texts of an object; nothing for any other value. */
function members(object: string): [string, string][] {
  const found: [string, string][] = [];
  if (!object.startsWith("{")) return found;
  let at = 1;
  while (true) {
    const open = object.indexOf('"', at);
    if (open < 0) return found;
    const close = stringEnd(object, open);
    const from = object.indexOf(":", close) + 1;
    const to = valueEnd(object, from);
    found.push([JSON.parse(object.slice(open, close)), object.slice(from, to).trim()]);
    at = to + 1;
    if (object[to] === "}") return found;
  }
}

/** Where a value ends: at the comma or closing bracket that belongs to what surrounds it. */
function valueEnd(json: string, from: number): number {
  let depth = 0;
  for (let at = from; at < json.length;) {
    const char = json[at];
    if (char === '"') {
      at = stringEnd(json, at);
      continue;
    }
    if (depth === 0 && (char === "," || char === "}" || char === "]")) return at;
    if (char === "{" || char === "[") depth++;
    if (char === "}" || char === "]") depth--;
    at++;
  }
  return json.length;
}

/** Where the string that opens there ends, behind its quote. */
export function stringEnd(json: string, open: number): number {
  let at = open + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}
