/**
 * What a piece of the log is worth: its good prefix, and what stands behind it (DESIGN section 4).
 *
 * A record that was cut off while it was written is a torn tail: nobody was told it was saved, so it is dropped.
 * Anything else that does not verify is damage: what lies before it is kept, nothing behind it is read,
 * and the file is left alone. A line of a later format is neither; it is not ours to cut.
 */
import { decodeLine, FIRST_SUM, type Line } from "./record.ts";
import type { Commit } from "./protocol.ts";

/** A place between two records of one segment, and what the next record must chain to. */
export interface Position {
  offset: number;
  /** Sequence number of the last commit before it. */
  seq: number;
  /** Sum of the last line before it. */
  sum: string;
  /** The line before it ends in a newline; only a file's last line may lack it. */
  newline: boolean;
}

/** What stands behind the good prefix. `record` is the number the first unread record should have. */
export type Rest =
  | { kind: "none" }
  | { kind: "torn"; bytes: number }
  | { kind: "damaged"; record: number; offset: number; unread: number }
  | { kind: "newer"; record: number; offset: number; unread: number };

/** The outcome of a scan. */
export interface Scan {
  commits: Commit[];
  /** Where the good prefix ends. */
  at: Position;
  rest: Rest;
  /** The segment that goes on where this one ends. */
  next?: number;
  /** The end of the last commit, where `next` is set: the place before the pointer. */
  before_next?: Position;
  /** The first line is the header of this segment. */
  segment?: number;
  /** What the header chains to: the sum of the segment before. */
  header_prev?: string;
  /** The last commit inside the checkpoint, once its end line is read. */
  checkpoint?: number;
}

/** The place before the first line of a segment. */
export const START: Position = { offset: 0, seq: 0, sum: FIRST_SUM, newline: true };

/** Reads `bytes`, which begin at `from`. */
export function scan(bytes: Uint8Array, from: Position): Scan {
  const state: State = {
    found: { commits: [], at: from, rest: { kind: "none" } },
    line: { seq: from.seq, sum: from.sum },
    parts: [],
  };
  let start = 0;
  if (!from.newline && bytes.length > 0) {
    if (bytes[0] !== newline_byte) return joined(state.found, bytes);
    state.found.at = { ...from, offset: from.offset + 1, newline: true };
    start = 1;
  }
  while (start < bytes.length) {
    const newline = bytes.indexOf(newline_byte, start);
    const end = newline < 0 ? bytes.length : newline;
    const verdict = take(state, decodeLine(bytes.subarray(start, end)), from.offset + start === 0);
    if (verdict !== "good") {
      state.found.rest = behind(bytes, { start, verdict, from, at: state.found.at });
      return state.found;
    }
    start = newline < 0 ? end : end + 1;
    if (state.parts.length === 0) {
      const { seq, sum } = state.line;
      state.found.at = { offset: from.offset + start, seq, sum, newline: newline >= 0 };
    }
  }
  const torn = from.offset + bytes.length - state.found.at.offset;
  if (torn > 0) state.found.rest = { kind: "torn", bytes: torn };
  return state.found;
}

/** The sentence for what recovery met, for a person; undefined when there was nothing. */
export function describe(rest: Rest, file: string, kept: number): string | undefined {
  switch (rest.kind) {
    case "none":
      return undefined;
    case "torn":
      return `${file}: kept ${kept}, dropped torn tail of ${rest.bytes} bytes`;
    case "damaged":
      return `${file}: record ${rest.record} is damaged at byte ${rest.offset}, ${
        unreadText(rest.unread)
      }; ` +
        `the memory is read-only until 'zpm doctor --repair'`;
    case "newer":
      return `${file}: record ${rest.record} was written by a newer zpm, ${
        unreadText(rest.unread)
      }; ` +
        `the memory is read-only until this zpm is upgraded`;
  }
}

function unreadText(unread: number): string {
  return unread === 1
    ? "1 record behind it is not read"
    : `${unread} records behind it are not read`;
}

interface State {
  found: Scan;
  /** Where the chain stands, incomplete commits included. */
  line: { seq: number; sum: string };
  /** The parts of a commit that is not complete yet. */
  parts: Commit[];
}

type Verdict = "good" | "bad" | "newer";

const newline_byte = 0x0a;

function take(state: State, line: Line, first: boolean): Verdict {
  if (line.kind === "bad" || line.kind === "newer") return line.kind;
  const { found } = state;
  if (found.next !== undefined) return "bad";
  if (line.kind === "segment") {
    if (!first) return "bad";
    found.segment = line.number;
    found.header_prev = line.prev;
  } else {
    if (line.prev !== state.line.sum) return "bad";
    if (line.kind === "commit") {
      if (!takeCommit(state, line)) return "bad";
    } else if (state.parts.length > 0) {
      return "bad";
    } else if (line.kind === "end") {
      if (!inCheckpoint(found) || line.seq < state.line.seq) return "bad";
      found.checkpoint = state.line.seq = line.seq;
    } else {
      found.next = line.number;
      found.before_next = found.at;
    }
  }
  state.line.sum = line.sum;
  return "good";
}

/** Numbers have no gaps, except in a checkpoint, which leaves out what no longer matters. */
function takeCommit(state: State, line: Line & { kind: "commit" }): boolean {
  const { commit, part, of } = line;
  const { found, parts } = state;
  const expected = state.line.seq + 1;
  const in_order = inCheckpoint(found) ? commit.seq >= expected : commit.seq === expected;
  if (!in_order || part !== parts.length + 1 || part > of) return false;
  if (part > 1 && commit.seq !== parts[0].seq) return false;
  if (part < of) {
    parts.push(commit);
    return true;
  }
  const ops = parts.length === 0 ? commit.ops : [...parts, commit].flatMap((each) => each.ops);
  found.commits.push({ ...commit, ops });
  state.line.seq = commit.seq;
  state.parts = [];
  return true;
}

/** Bytes that go on in the last line, which was whole: the line and they are no record together. */
function joined(found: Scan, bytes: Uint8Array): Scan {
  found.rest = behind(bytes, { start: 0, verdict: "bad", from: found.at, at: found.at });
  return found;
}

function inCheckpoint(found: Scan): boolean {
  return found.segment !== undefined && found.checkpoint === undefined;
}

/**
 * Names what stands from the first line that is not good on. No newline in it means that its writer did not
 * finish; zeros are what a file system leaves where it had noted a length and not yet the data. Line ends alone are
 * no record either.
 */
function behind(
  bytes: Uint8Array,
  where: { start: number; verdict: Verdict; from: Position; at: Position },
): Rest {
  const { start, verdict, from, at } = where;
  let end = bytes.length;
  while (end > start && bytes[end - 1] === 0) end--;
  if (bytes.subarray(start, end).every((byte) => byte === newline_byte)) end = start;
  const first_newline = bytes.subarray(0, end).indexOf(newline_byte, start);
  if (first_newline < 0 && verdict === "bad") {
    return { kind: "torn", bytes: from.offset + bytes.length - at.offset };
  }
  const unread = first_newline < 0 ? 0 : countLines(bytes.subarray(first_newline + 1));
  const offset = from.offset + start;
  return { kind: verdict === "newer" ? "newer" : "damaged", record: at.seq + 1, offset, unread };
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  let start = 0;
  while (start < bytes.length) {
    const newline = bytes.indexOf(newline_byte, start);
    const end = newline < 0 ? bytes.length : newline;
    if (end > start) lines++;
    start = end + 1;
  }
  return lines;
}
