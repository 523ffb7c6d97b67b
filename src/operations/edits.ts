/** Edits of a file: bytes are cut and joined where Prolog says, and nobody here looks at what they mean. */
import { joined } from "../base/bytes.ts";

/** The bytes from `from` up to `to` become `text`. */
export type Edit = [from: number, to: number, text: string];

/** The edits are in the order of the file, and do not overlap. */
export function edited(bytes: Uint8Array, edits: Edit[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [from, to, text] of edits) {
    parts.push(bytes.subarray(at, from), new TextEncoder().encode(text));
    at = to;
  }
  return joined([...parts, bytes.subarray(at)]);
}
