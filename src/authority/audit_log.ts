/**
 * The audit on disk: one file of chained records, `audit.jsonl`, in a folder that one process has for itself, and
 * its head in `state_dir` (SPEC 3.3). It refuses to open what does not read from the first record to the head, and
 * to write when the file is not the one it opened: no audit, no verb.
 */
import { auditRefused, folderHeld } from "../base/authority_errors.ts";
import { limits } from "../base/limits.ts";
import { type FileSystem, reason } from "../store/file_system.ts";
import { LockFile } from "../store/locks.ts";
import type { Attempt } from "./audit.ts";
import { AuditHead } from "./audit_head.ts";
import { readChain } from "./audit_reading.ts";
import { type Chained, type Place, seal, START } from "./chain.ts";
import { Ledger } from "./ledger.ts";

/** A record without its place in the chain. */
export type AuditFields = { kind: string } & Record<string, unknown>;

export interface AuditFolders {
  audit_dir: string;
  state_dir: string;
}

/** Names of the files, in `audit_dir` and in `state_dir`. */
export const AUDIT_FILE = "audit.jsonl";
export const HEAD_FILE = "audit-head";

export class AuditLog {
  readonly #lock: LockFile;
  readonly #head: AuditHead;
  readonly #ledger: Ledger;
  #place: Place;
  /** What was found and mended at the start, a sentence each. */
  readonly notes: string[] = [];
  /** Attempts without a completion or resolution, in their order. */
  readonly unresolved: Attempt[];

  /** Takes the folder, or throws and names who has it; throws when the audit is not what was written. */
  static async open(fs: FileSystem, folders: AuditFolders): Promise<AuditLog> {
    const lock = new LockFile(fs, folders.audit_dir, "lock");
    if (!await lock.acquire(true, performance.now() + limits.server_lock_ms)) {
      const holder = lock.holder() ?? undefined;
      lock.close();
      throw folderHeld("audit_dir", folders.audit_dir, holder);
    }
    try {
      lock.sign({ pid: Deno.pid, since: new Date().toISOString() });
      return new AuditLog(fs, folders, lock);
    } catch (fault) {
      lock.close();
      throw fault;
    }
  }

  private constructor(fs: FileSystem, { audit_dir, state_dir }: AuditFolders, lock: LockFile) {
    this.#lock = lock;
    const path = `${audit_dir}/${AUDIT_FILE}`;
    const size = fs.identify(path)?.size;
    this.#head = new AuditHead(fs, `${state_dir}/${HEAD_FILE}`, { write: true });
    const head = this.#head.place;
    if (size === undefined && head && head.seq > 0) throw auditRefused(path, "it is gone");
    if (!head) {
      if (size) throw auditRefused(path, `${state_dir}/${HEAD_FILE}, which tells its end, is not`);
      // Crashed before its first record, or never begun.
      this.#head.begin();
    }
    this.#ledger = new Ledger(fs, path, { write: true });
    const { place, unresolved } = read(this.#ledger, head ?? START);
    this.#place = place;
    this.unresolved = unresolved;
    const torn = this.#ledger.settle();
    if (torn > 0) {
      this.notes.push(`${path}: dropped ${torn} bytes of a record that was not finished`);
    }
    const known = this.#head.place!.seq;
    if (place.seq > known) {
      const said = known === 0 ? "none" : `record ${known}`;
      this.notes.push(`${path}: goes on to record ${place.seq}, the last one known was ${said}`);
      this.#head.move(place);
    }
  }

  get records(): number {
    return this.#place.seq;
  }

  /** Why nothing can be written; undefined when all is well. */
  get problem(): string | undefined {
    const { name, problem, hasMore } = this.#ledger;
    return problem ?? (hasMore ? `somebody else wrote to ${name}` : undefined);
  }

  /** Writes all in one go, each on disk when it returns. Throws what the disk says when none of them is. */
  append(all: readonly AuditFields[]): void {
    const at = new Date().toISOString();
    const lines: string[] = [];
    let place = this.#place;
    for (const fields of all) {
      const { line, record } = seal(fields, { place, at });
      lines.push(line);
      place = { seq: record.seq, hash: record.hash };
    }
    this.#ledger.append(lines);
    this.#place = place;
    try {
      this.#head.move(place);
    } catch (fault) {
      // The audit goes on behind a head that may be older: right for the next start, not for another record.
      this.#ledger.breakWith(`its head could not be written: ${reason(fault)}`);
      throw fault;
    }
  }

  close(): void {
    this.#ledger.close();
    try {
      this.#head.end();
    } catch {
      // A head that is older than the audit is mended at the next start.
    }
    this.#lock.close();
  }
}

/** Reads the whole audit, and which attempts are open. */
function read(ledger: Ledger, head: Place): { place: Place; unresolved: Attempt[] } {
  const open = new Map<string, Attempt>();
  const { place, fault } = readChain(ledger.take(), {
    head,
    visit(record) {
      if (record.kind === "attempt") open.set(record.operation as string, attemptOf(record));
      else if (record.operation !== undefined) open.delete(record.operation as string);
    },
  });
  if (fault) throw auditRefused(ledger.path, `line ${fault.line}: ${fault.kind}, ${fault.why}`);
  return { place, unresolved: [...open.values()] };
}

function attemptOf(record: Chained): Attempt {
  const { seq: _s, hash: _h, at: _a, kind: _k, prev: _p, ...attempt } = record;
  return attempt as unknown as Attempt;
}
