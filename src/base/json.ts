/** The two parts of "JSON.parse source text access" that the type library does not know yet. */

type SourceReviver = (
  this: unknown,
  key: string,
  value: unknown,
  context: { source?: string },
) => unknown;

const json = JSON as unknown as {
  parse(text: string, reviver: SourceReviver): unknown;
  rawJSON(text: string): object;
};

/** A value that `JSON.stringify` writes as exactly this text: a number, a string, true, false or null. */
export function rawJson(text: string): object {
  return json.rawJSON(text);
}

/**
 * The numbers of a JSON text as they were written, by holder and key: `1.0` and 9007199254740993 keep their
 * digits here, which the parsed numbers do not.
 */
export function parseWithNumbers(
  text: string,
): { value: unknown; written: (holder: object, key: string) => string | undefined } {
  const sources = new Map<object, Map<string, string>>();
  const value = json.parse(text, function (key, value, { source }) {
    if (typeof value === "number" && source !== undefined) {
      const holder = this as object;
      const known = sources.get(holder) ?? new Map<string, string>();
      sources.set(holder, known.set(key, source));
    }
    return value;
  });
  return { value, written: (holder, key) => sources.get(holder)?.get(key) };
}

/** A name that one object of a JSON text has twice: the parser would keep the later one without a word. */
export function doubledName(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(/"(?:\\.|[^"\\])*"(\s*:)?|[{}[\]]/g)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined) {
      const name: string = JSON.parse(token.slice(0, -colon.length));
      if (open.at(-1)?.has(name)) return name;
      open.at(-1)?.add(name);
    }
  }
  return undefined;
}
