/** Reading an audit that somebody else may be writing: is it whole, and what does it say. Nothing is changed. */
import { auditMissing } from "../base/authority_errors.ts";
import type { FileSystem } from "../store/file_system.ts";
import { AuditHead } from "./audit_head.ts";
import { AUDIT_FILE, HEAD_FILE } from "./audit_log.ts";
import { type ChainFault, readChain } from "./audit_reading.ts";
import type { Chained, Place } from "./chain.ts";
import { Ledger } from "./ledger.ts";

export interface Verified {
  /** The audit's file. */
  file: string;
  /** Good records, from the first one on. */
  records: number;
  /** When the last of them was written. */
  last_at?: string;
  /** Where the server says that the audit ends; absent when nobody looked, or it never began. */
  head?: number;
  /** Records behind the one that the server names as the last: a crash left them there, or somebody added them. */
  behind_head: number;
  /** Bytes of a record at the end that is not finished: it is being written, or a crash left it. */
  unfinished_bytes: number;
  fault?: ChainFault;
}

export interface VerifyOptions {
  audit_dir: string;
  /** Where the head is; without it nobody can tell whether the end is missing. */
  state_dir?: string;
  visit?: (record: Chained) => void;
}

export function verifyAudit(fs: FileSystem, options: VerifyOptions): Verified {
  const { audit_dir, state_dir, visit } = options;
  const file = `${audit_dir}/${AUDIT_FILE}`;
  // The head first: the audit may only grow while it is read.
  const head = state_dir === undefined ? undefined : headIn(fs, state_dir);
  if (!fs.identify(file)) {
    if (head === undefined) throw auditMissing(file);
    const why = `the file is gone, the server wrote up to record ${head.seq}`;
    const fault: ChainFault | undefined = head.seq > 0
      ? { line: 1, kind: "cut off", why }
      : undefined;
    return { file, records: 0, head: head.seq, behind_head: 0, unfinished_bytes: 0, fault };
  }
  const ledger = new Ledger(fs, file, { write: false });
  try {
    let last_at: string | undefined;
    const { place, fault: found } = readChain(ledger.take(), {
      head,
      visit(record) {
        last_at = record.at;
        visit?.(record);
      },
    });
    const fault = found ??
      (state_dir !== undefined && !head && place.seq > 0
        ? endUnknown(place, state_dir)
        : undefined);
    const unfinished_bytes = fault ? 0 : ledger.unfinished_bytes;
    // Looked at again: a server that runs has moved it meanwhile.
    const last = head && headIn(fs, state_dir!);
    const behind_head = Math.max(0, place.seq - (last?.seq ?? place.seq));
    const records = place.seq;
    return { file, records, last_at, head: last?.seq, behind_head, unfinished_bytes, fault };
  } finally {
    ledger.close();
  }
}

function endUnknown({ seq }: Place, state_dir: string): ChainFault {
  const why = `${state_dir}/${HEAD_FILE}, which tells where it ends, is gone or does not read`;
  return { line: seq + 1, kind: "cut off", why };
}

function headIn(fs: FileSystem, state_dir: string): Place | undefined {
  const path = `${state_dir}/${HEAD_FILE}`;
  if (!fs.identify(path)) return undefined;
  const head = new AuditHead(fs, path, { write: false });
  head.close();
  return head.place;
}
