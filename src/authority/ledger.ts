/**
 * A file of lines that only grows. What `append` returned for is on disk; on a fault the file is cut back to
 * where it was, so that what was answered with an error never comes back. An unfinished line at the end is what
 * a crash left: it was never acknowledged, and `settle` takes it away.
 *
 * Who may write is decided above: the audit has one writer for as long as it is open, the authority's log has
 * writers that take turns under a lock.
 */
import { basename, dirname } from "node:path";
import {
  type FileHandle,
  type FileSystem,
  readFrom,
  reason,
  writeAll,
} from "../store/file_system.ts";

/** A complete line without its line break. */
export type LedgerLine = Uint8Array;

export class Ledger {
  readonly path: string;
  readonly #fs: FileSystem;
  readonly #handle: FileHandle;
  /** Where the known lines end. */
  #offset = 0;
  /** Some of the known lines were written by somebody else, who may have died before he synced them. */
  #unsure = false;
  #broken?: string;

  /** Makes the file durably when it is not there and `write` is set. */
  constructor(fs: FileSystem, path: string, { write }: { write: boolean }) {
    this.#fs = fs;
    this.path = path;
    this.#handle = fs.open(path, { write, create: write });
    // Whoever made it may have died before its name was durable.
    if (write && this.#offset === this.#size()) fs.syncDirectory(dirname(path));
  }

  get offset(): number {
    return this.#offset;
  }

  /** What callers hear of: where the file lies is no business of theirs. */
  get name(): string {
    return basename(this.path);
  }

  /** Why nothing can be written any more; undefined when all is well. */
  get problem(): string | undefined {
    if (this.#broken !== undefined) return this.#broken;
    const there = this.#fs.identify(this.path);
    if (!there) return `${this.name} is gone`;
    if (there.id !== this.#handle.identify().id) return `${this.name} was replaced by another file`;
    if (there.size < this.#offset) return `${this.name} was cut off`;
    return undefined;
  }

  /** Whether something stands behind the known lines. */
  get hasMore(): boolean {
    return this.#size() !== this.#offset;
  }

  /** How much stands behind the known lines: after all were taken, a line that is not finished. */
  get unfinished_bytes(): number {
    return Math.max(0, this.#size() - this.#offset);
  }

  /** The complete lines behind those that are known, a piece of the file at a time; they are known afterwards. */
  *take(): Generator<LedgerLine> {
    let rest = readFrom(this.#handle, this.#offset, piece_bytes);
    for (;;) {
      const end = rest.indexOf(newline);
      if (end >= 0) {
        this.#unsure = true;
        yield rest.subarray(0, end);
        this.#offset += end + 1;
        rest = rest.subarray(end + 1);
        continue;
      }
      const more = readFrom(this.#handle, this.#offset, rest.length + piece_bytes);
      if (more.length <= rest.length) return;
      rest = more;
    }
  }

  /**
   * Makes sure that the known lines are on disk, whose writer may have died before he was sure, and takes away what
   * stands behind them: the bytes that went. Nothing is built upon lines before that.
   */
  settle(): number {
    const bytes = this.unfinished_bytes;
    if (bytes > 0) this.#cutBack();
    this.sync();
    return bytes;
  }

  /** The known lines are on disk when it returns. When that fails, nobody can tell, and nothing more is written. */
  sync(): void {
    if (!this.#unsure) return;
    try {
      this.#handle.sync();
      this.#unsure = false;
    } catch (fault) {
      this.breakWith(`${this.name} could not be synced: ${reason(fault)}`);
      throw fault;
    }
  }

  /** Writes the lines, syncs once. Nothing may stand behind the known lines. */
  append(lines: readonly string[]): void {
    const { problem } = this;
    if (problem !== undefined) throw new Error(problem);
    if (this.hasMore) throw new Error(`somebody else wrote to ${this.name}`);
    const bytes = encoder.encode(lines.map((line) => `${line}\n`).join(""));
    try {
      writeAll(this.#handle, this.#offset, bytes);
      this.#handle.sync();
    } catch (fault) {
      this.#cutBack();
      throw fault;
    }
    this.#offset += bytes.length;
  }

  /** From now on nothing is written: what is on disk can no longer be told. */
  breakWith(why: string): void {
    this.#broken ??= why;
  }

  close(): void {
    this.#handle.close();
  }

  #size(): number {
    return this.#handle.identify().size;
  }

  #cutBack(): void {
    try {
      this.#handle.truncate(this.#offset);
      this.#handle.sync();
    } catch (fault) {
      this.breakWith(`${this.name} could not be cut back: ${reason(fault)}`);
      throw fault;
    }
  }
}

/** What is read at once, at least. */
const piece_bytes = 1024 * 1024;
const newline = 0x0a;
const encoder = new TextEncoder();
