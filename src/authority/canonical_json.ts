/**
 * JSON with one spelling for each value, so that a hash over it means the value: members in order of their names,
 * no spaces, numbers and strings as JSON.stringify writes them (RFC 8785).
 *
 * Values of any depth have one, since they come from anybody and are recorded before they are looked at: it is
 * written without recursion.
 */

/** An array or object that is being written. */
interface Open {
  values: unknown[];
  /** What stands before each value: the name of an object's member. */
  names?: string[];
  written: number;
}

export function canonicalJson(value: unknown): string {
  let text = "";
  const all: Open[] = [];
  for (let next = value;;) {
    if (typeof next === "object" && next !== null) {
      const opened = open(next);
      text += opened.names ? "{" : "[";
      all.push(opened);
    } else text += JSON.stringify(next ?? null);
    let last = all.at(-1);
    while (last && last.written === last.values.length) {
      text += last.names ? "}" : "]";
      all.pop();
      last = all.at(-1);
    }
    if (!last) return text;
    if (last.written > 0) text += ",";
    if (last.names) text += `${JSON.stringify(last.names[last.written])}:`;
    next = last.values[last.written++];
  }
}

/** The members of an object, each as it stands in its canonical JSON, in order; those without a value are left out. */
export function canonicalMembers(object: object): string[] {
  const members = object as Record<string, unknown>;
  return namesIn(members).map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name])}`);
}

function open(value: object): Open {
  if (Array.isArray(value)) return { values: value, written: 0 };
  const members = value as Record<string, unknown>;
  const names = namesIn(members);
  return { names, values: names.map((name) => members[name]), written: 0 };
}

function namesIn(members: Record<string, unknown>): string[] {
  return Object.keys(members).sort().filter((name) => members[name] !== undefined);
}
