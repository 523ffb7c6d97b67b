/**
 * One commit and its journal line, both ways (ENGINE-NOTES 1.9 and 2.6).
 *
 *     {"v":1,"seq":42,"at":"...","by":"update_fact","ops":[...],"prev":"1f0c...","sum":"9ab3..."}
 *
 * `sum` is the CRC-32 of the line without its `sum` member; `prev` is the sum of the line before. So a line
 * vouches for itself and for its place: a lost, doubled or moved line is found as surely as a rotten one.
 * A long commit is several lines with the same `seq` and `"part"`/`"of"`, cut between operations; it counts
 * when it is complete.
 *
 * Three more lines belong to segments: the header and the end of a checkpoint, and the pointer that ends
 * a segment:
 *
 *     {"v":1,"segment":2,...}      {"v":1,"end":41,...}      {"v":1,"next":3,...}
 */
import { limits } from "../base/limits.ts";
import { crc32, hex8 } from "./crc32.ts";
import type { Commit, Operation } from "./protocol.ts";

/** The `prev` of a log's first line. */
export const FIRST_SUM = "00000000";

/** Text for the journal, and the sum that the next line chains to. */
export interface Encoded {
  text: string;
  sum: string;
}

/** A line as it was read. `newer` is whole but not understood, `bad` is not whole. */
export type Line =
  | { kind: "commit"; commit: Commit; part: number; of: number; prev: string; sum: string }
  | { kind: "segment"; number: number; prev: string; sum: string }
  | { kind: "end"; seq: number; prev: string; sum: string }
  | { kind: "next"; number: number; prev: string; sum: string }
  | { kind: "newer" }
  | { kind: "bad" };

/** The line or lines of one commit, each ended by a newline. */
export function encodeCommit(
  commit: Commit,
  prev: string,
  line_bytes: number = limits.journal_line_bytes,
): Encoded {
  const whole = encodeLine(commitMembers(commit, commit.ops), prev);
  if (whole.text.length <= line_bytes / 3 || byteLength(whole.text) <= line_bytes) return whole;
  const parts = splitOperations(commit.ops, line_bytes);
  if (parts.length === 1) return whole;
  const encoded: Encoded = { text: "", sum: prev };
  parts.forEach((ops, i) => {
    const members = { ...commitMembers(commit, ops), part: i + 1, of: parts.length };
    const line = encodeLine(members, encoded.sum);
    encoded.text += line.text;
    encoded.sum = line.sum;
  });
  return encoded;
}

/** The first line of a segment that begins with a checkpoint. */
export function encodeHeader(number: number, prev: string): Encoded {
  return encodeLine({ segment: number }, prev);
}

/** The line that ends a checkpoint: everything up to `seq` is in it. */
export function encodeEnd(seq: number, prev: string): Encoded {
  return encodeLine({ end: seq }, prev);
}

/** The line that ends a segment: the log goes on in segment `number`. */
export function encodePointer(number: number, prev: string): Encoded {
  return encodeLine({ next: number }, prev);
}

/** The bytes every good line with this sum ends in; a reader finds its place again by them. */
export function lineEnding(sum: string): Uint8Array {
  return encoder.encode(sumMember(sum));
}

/** Reads one line, given without its newline. */
export function decodeLine(bytes: Uint8Array): Line {
  const cut = bytes.length - sum_member_bytes;
  const sum = cut < 1 ? undefined : sumAt(bytes, cut);
  if (sum === undefined) return otherFormat(bytes) ? { kind: "newer" } : { kind: "bad" };
  if (crc32(closingBrace, crc32(bytes.subarray(0, cut))) !== sum) return { kind: "bad" };
  const value = parseObject(bytes);
  if (!value) return { kind: "bad" };
  return understood(value, hex8(sum)) ?? { kind: "newer" };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const closingBrace = encoder.encode("}");
const sum_member_bytes = sumMember(FIRST_SUM).length;
const sum_digits_from = sumMember("").indexOf('"}');
const sum_frame = encoder.encode(sumMember(FIRST_SUM));

function sumMember(sum: string): string {
  return `,"sum":"${sum}"}`;
}

function encodeLine(members: Record<string, unknown>, prev: string): Encoded {
  const body = JSON.stringify({ v: 1, ...members, prev });
  const sum = hex8(crc32(encoder.encode(body)));
  return { text: `${body.slice(0, -1)}${sumMember(sum)}\n`, sum };
}

function commitMembers(commit: Commit, ops: Operation[]): Record<string, unknown> {
  const { seq, at, by, who, call } = commit;
  return withCaller({ seq, at, by }, who, call, ops);
}

/** The members that only a commit of one among many principals has stand in front of what it did. */
function withCaller<Known>(
  known: Known,
  who: string | undefined,
  call: string | undefined,
  ops: Operation[],
) {
  return { ...known, ...(who !== undefined && { who }), ...(call !== undefined && { call }), ops };
}

/** A single operation longer than a line stays whole: the bound is for reading, not for refusing. */
function splitOperations(ops: Operation[], line_bytes: number): Operation[][] {
  const parts: Operation[][] = [];
  let room = 0;
  for (const op of ops) {
    const size = byteLength(JSON.stringify(op)) + 1;
    if (parts.length === 0 || size > room) {
      parts.push([]);
      room = line_bytes;
    }
    parts[parts.length - 1].push(op);
    room -= size;
  }
  return parts;
}

function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** The number in a `sum` member that begins at `cut`; undefined when there is none. Runs for every line. */
function sumAt(bytes: Uint8Array, cut: number): number | undefined {
  let sum = 0;
  for (let i = 0; i < sum_member_bytes; i++) {
    const byte = bytes[cut + i];
    if (i < sum_digits_from || i >= sum_digits_from + 8) {
      if (byte !== sum_frame[i]) return undefined;
    } else {
      const digit = byte >= 0x61 ? byte - 0x57 : byte - 0x30;
      if (digit < 0 || digit > 15 || byte > 0x39 && byte < 0x61) return undefined;
      sum = sum * 16 + digit;
    }
  }
  return sum;
}

/** A later format may sum its lines in another way; its version number is all that can be relied on. */
function otherFormat(bytes: Uint8Array): boolean {
  const version = parseObject(bytes)?.v;
  return typeof version === "number" && version > 1;
}

function parseObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined; // not JSON is an answer here: the line is not whole
  }
}

function understood(value: Record<string, unknown>, sum: string): Line | undefined {
  const { v, prev } = value;
  if (v !== 1 || typeof prev !== "string") return undefined;
  if (isCount(value.segment)) return { kind: "segment", number: value.segment, prev, sum };
  if (isCount(value.end)) return { kind: "end", seq: value.end, prev, sum };
  if (isCount(value.next)) return { kind: "next", number: value.next, prev, sum };
  const { seq, at, by, who, call, ops, part = 1, of = 1 } = value;
  if (!isCount(seq) || !isText(at) || !isText(by) || !isCount(part) || !isCount(of)) {
    return undefined;
  }
  if (who !== undefined && !isText(who) || call !== undefined && !isText(call)) return undefined;
  if (!Array.isArray(ops) || !ops.every(isOperation)) return undefined;
  const commit: Commit = withCaller({ seq, at, by }, who, call, ops);
  return { kind: "commit", commit, part, of, prev, sum };
}

/** Every operation this version knows; one that is not here makes a memory read-only, never half read. */
const operations: { [Name in Operation[0]]: (args: unknown[]) => boolean } = {
  "+": (args) =>
    isText(args[0]) &&
    (args.length === 1 ||
      isNames(args[1]) && (args.length === 2 || isCount(args[2]) && args.length === 3)),
  "-": isPlaced,
  "r": isPlaced,
  "x": isOccurrence,
  "~x": isOccurrence,
  "a": isSupport,
  "~a": isSupport,
  "p": isPlaced,
  "s": (args) => isText(args[0]) && args.length === 1,
  "d": (args) => isText(args[0]) && args.length === 1,
  "t": (args) => isText(args[0]) && args.length === 1,
  "~t": (args) => isText(args[0]) && args.length === 1,
  "m": (args) =>
    isText(args[0]) && ["project", "global"].includes(args[1] as string) &&
    ["rw", "ro"].includes(args[2] as string) && args.length === 3,
  "u": (args) => isText(args[0]) && args.length === 1,
};

function isPlaced(args: unknown[]): boolean {
  const [seq, index, text, names] = args;
  if (!isCount(seq) || !isCount(index) || !isText(text)) return false;
  return args.length === 3 || args.length === 4 && isNames(names);
}

function isOccurrence(args: unknown[]): boolean {
  return isText(args[0]) && isCount(args[1]) && args.length === 2;
}

function isOperation(op: unknown): op is Operation {
  if (!Array.isArray(op) || !isText(op[0]) || !Object.hasOwn(operations, op[0])) return false;
  return operations[op[0] as Operation[0]](op.slice(1));
}

function isSupport(args: unknown[]): boolean {
  const [text, name, names, use, place] = args;
  if (!isText(text) || !isText(name) || args.length > 2 && !isNames(names)) return false;
  return args.length <= 3 || args.length === 5 && isId(use) && isId(place);
}

function isId(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(isCount);
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
