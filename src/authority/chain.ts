/**
 * Records that hang together: each line holds the hash of the one before and of itself, over canonical JSON, and
 * must be spelled exactly so. Who changes, removes or inserts a line has to write all later ones anew. The audit
 * and the authority's log are made of them.
 */
import { createHash } from "node:crypto";
import { canonicalMembers } from "./canonical_json.ts";

/** The end of a chain so far. */
export interface Place {
  /** The number of the last record, counted from 1 without gaps. */
  seq: number;
  /** Its hash: SHA-256, 64 hexadecimal digits. */
  hash: string;
}

/** Before the first record. */
export const START: Place = { seq: 0, hash: "0".repeat(64) };

/** A record as it stands in a line. */
export interface Chained extends Place {
  /** ISO 8601, UTC; the numbers decide on the order, clocks never. */
  at: string;
  kind: string;
  /** The hash of the record before. */
  prev: string;
  [member: string]: unknown;
}

/** Puts a record behind `place`; the line is without its line break. */
export function seal(
  fields: { kind: string; [member: string]: unknown },
  { place, at }: { place: Place; at: string },
): { line: string; record: Chained } {
  const body = { ...fields, seq: place.seq + 1, at, prev: place.hash };
  const hash = sha256(textOf(canonicalMembers(body)));
  const record = { ...body, hash };
  return { line: textOf(canonicalMembers(record)), record };
}

/** The record of a line that is what it was when it was written; undefined for every other line. */
export function unseal(bytes: Uint8Array): Chained | undefined {
  try {
    const text = decoder.decode(bytes);
    const record: Chained = JSON.parse(text);
    const members = canonicalMembers(record);
    const own = `"hash":${JSON.stringify(record.hash)}`;
    const body = members.filter((member) => member !== own);
    return textOf(members) === text && sha256(textOf(body)) === record.hash ? record : undefined;
  } catch {
    return undefined; // no UTF-8, no JSON, or no object
  }
}

/** Whether the record is the one that comes next. */
export function follows(record: Chained, place: Place): boolean {
  return record.seq === place.seq + 1 && record.prev === place.hash;
}

function textOf(members: string[]): string {
  return `{${members.join(",")}}`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A byte order mark that somebody put there must not vanish, and bytes that are no UTF-8 must not become some. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
