/** Reading an audit from its first line: is the chain whole, and if not, what happened where. */
import { type Chained, follows, type Place, START, unseal } from "./chain.ts";
import type { LedgerLine } from "./ledger.ts";

/** What is wrong with an audit, at the first place where something is. */
export interface ChainFault {
  /** The line in the file, counted from 1. */
  line: number;
  kind: "changed" | "removed" | "inserted" | "cut off";
  /** For a person. */
  why: string;
}

export interface ChainReading {
  /** The last good record. */
  place: Place;
  fault?: ChainFault;
}

/**
 * Goes through all lines up to the first bad one. `head` is where the audit has to reach at least; `visit` sees
 * every good record.
 */
export function readChain(
  lines: Iterable<LedgerLine>,
  { head, visit }: { head?: Place; visit?: (record: Chained) => void } = {},
): ChainReading {
  let place = START;
  const each = lines[Symbol.iterator]();
  for (let line = 1;; line++) {
    const next = each.next();
    if (next.done) return { place, fault: missing(place, head, line) };
    const record = unseal(next.value);
    if (!record || !follows(record, place)) {
      const after = each.next();
      const later = after.done ? undefined : unseal(after.value);
      const fault = judge(record, { place, continues: !!later && follows(later, place) });
      return { place, fault: { line, ...fault } };
    }
    if (record.seq === head?.seq && record.hash !== head.hash) {
      const why =
        `record ${record.seq} is not the one that the server wrote: the chain was made anew`;
      return { place, fault: { line, kind: "changed", why } };
    }
    place = { seq: record.seq, hash: record.hash };
    visit?.(record);
  }
}

function missing(place: Place, head: Place | undefined, line: number): ChainFault | undefined {
  if (!head || place.seq >= head.seq) return undefined;
  const why = `it ends with record ${place.seq}, the server wrote up to record ${head.seq}`;
  return { line, kind: "cut off", why };
}

/** `continues`: the line behind this one is the record that belongs here. */
function judge(
  record: Chained | undefined,
  { place, continues }: { place: Place; continues: boolean },
): Omit<ChainFault, "line"> {
  const expected = place.seq + 1;
  if (!record) {
    return continues
      ? { kind: "inserted", why: `it is no record, and record ${expected} stands behind it` }
      : { kind: "changed", why: `it is not what was written as record ${expected}` };
  }
  if (record.seq <= place.seq) {
    return { kind: "inserted", why: `record ${record.seq} stands there a second time` };
  }
  if (continues) {
    return { kind: "inserted", why: `record ${record.seq} stands in front of record ${expected}` };
  }
  if (record.seq === expected) {
    return { kind: "changed", why: `record ${expected} does not follow from the one before it` };
  }
  const gone = record.seq - 1 === expected
    ? `record ${expected} is`
    : `records ${expected} to ${record.seq - 1} are`;
  return { kind: "removed", why: `${gone} missing before it` };
}
