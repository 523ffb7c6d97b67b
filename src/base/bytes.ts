/** Bytes that come in parts. */

export function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** The bytes of a request's body; undefined when there are too many, which is noticed before all are read. */
export async function readBody(
  { headers, body }: Request,
  maximum_bytes: number,
): Promise<Uint8Array | undefined> {
  if (Number(headers.get("content-length")) > maximum_bytes) return undefined;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > maximum_bytes) return undefined;
    parts.push(part);
  }
  return joined(parts);
}
