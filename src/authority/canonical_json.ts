/**
 * JSON with one spelling for each value, so that a hash over it means the value: members in order of their names,
 * no spaces, numbers and strings as JSON.stringify writes them (RFC 8785).
 */

export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  return `{${canonicalMembers(value).join(",")}}`;
}

/** The members of an object, each as it stands in its canonical JSON, in order; those without a value are left out. */
export function canonicalMembers(object: object): string[] {
  const members = object as Record<string, unknown>;
  return Object.keys(members).sort()
    .filter((name) => members[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name])}`);
}
