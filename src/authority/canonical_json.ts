/**
 * JSON with one spelling for each value, so that a hash over it means the value: members in order of their names,
 * no spaces, numbers and strings as JSON.stringify writes them (RFC 8785).
 */

export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  const members = Object.entries(value).filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`);
  return `{${members.join(",")}}`;
}
