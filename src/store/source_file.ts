/**
 * A documented file that one process may change (SPEC 2.3, "Persistence"): replaced whole or not at all, and only
 * when it still is what was read.
 *
 * Beside it stand, while it is served, a lock that names its holder, and for moments the file to come. A process that
 * is killed leaves both; the next one that takes the lock removes what was to come.
 */
import { basename, dirname } from "node:path";
import { digestOf } from "../base/digest.ts";
import { limits } from "../base/limits.ts";
import {
  cannotReplaceSource,
  sourceNotRead,
  sourceNotWritable,
  sourceTaken,
} from "../base/operation_errors.ts";
import { type FileSystem, readFrom, reason, writeFile } from "./file_system.ts";
import { LockFile } from "./locks.ts";

export class SourceFile {
  readonly #fs: FileSystem;
  /** Absolute and without links. */
  readonly #path: string;
  readonly #folder: string;
  readonly #name: string;
  readonly #coming: string;
  readonly #locked: string;
  #lock?: LockFile;

  constructor(fs: FileSystem, path: string) {
    this.#fs = fs;
    this.#path = path;
    this.#folder = dirname(path);
    this.#name = basename(path);
    this.#coming = `${this.#folder}/.${this.#name}.tmp`;
    this.#locked = `.${this.#name}.lock`;
  }

  /** Takes the lock, and tries out everything that a change needs but the renaming. */
  async open(): Promise<void> {
    try {
      if (!this.#fs.identify(this.#path)?.isFile) throw new Error("it is not a file");
      this.#fs.open(this.#path, { write: true }).close();
    } catch (fault) {
      throw sourceNotWritable(this.#name, reason(fault));
    }
    await this.#takeLock();
    try {
      this.#prepareComing();
      this.#fs.remove(this.#coming);
    } catch (fault) {
      this.close();
      throw sourceNotWritable(this.#name, reason(fault));
    }
  }

  read(): Uint8Array {
    try {
      return this.#bytes();
    } catch (fault) {
      throw sourceNotRead(this.#name, reason(fault));
    }
  }

  #bytes(): Uint8Array {
    const handle = this.#fs.open(this.#path);
    try {
      return readFrom(handle, 0);
    } finally {
      handle.close();
    }
  }

  /** False, and nothing is done, when the file has not that SHA-256 any more. On the disk when it returns. */
  async replace(bytes: Uint8Array, expected: string): Promise<boolean> {
    let old: Uint8Array;
    try {
      this.#write(bytes);
      old = this.#bytes();
      if (await digestOf(old) !== expected) {
        this.#fs.remove(this.#coming);
        return false;
      }
      this.#fs.rename(this.#coming, this.#path);
    } catch (fault) {
      this.#clear();
      throw cannotReplaceSource(this.#name, reason(fault));
    }
    try {
      this.#fs.syncDirectory(this.#folder);
    } catch (fault) {
      this.#takeBack(old);
      throw cannotReplaceSource(this.#name, reason(fault));
    }
    return true;
  }

  close(): void {
    const lock = this.#lock;
    if (!lock) return;
    this.#lock = undefined;
    try {
      this.#fs.remove(`${this.#folder}/${this.#locked}`);
    } catch {
      // Whoever comes next uses the file that is there.
    }
    lock.release();
    lock.close();
  }

  async #takeLock(): Promise<void> {
    const lock = new LockFile(this.#fs, this.#folder, this.#locked);
    let taken = false;
    try {
      taken = await lock.acquire(true, performance.now() + limits.server_lock_ms);
      if (taken) lock.sign({ pid: Deno.pid, since: new Date().toISOString() });
    } catch (fault) {
      lock.close();
      throw sourceNotWritable(this.#name, reason(fault));
    }
    const holder = taken ? undefined : lock.holder() ?? undefined;
    if (!taken) {
      lock.close();
      throw sourceTaken(this.#name, holder);
    }
    this.#lock = lock;
  }

  /** An empty file beside it, with its owner and its mode bits. */
  #prepareComing(): void {
    this.#fs.open(this.#coming, { write: true, create: true }).close();
    this.#fs.copyRights(this.#path, this.#coming);
  }

  #write(bytes: Uint8Array): void {
    this.#prepareComing();
    writeFile(this.#fs, this.#coming, bytes);
  }

  /** The name was given but may not be durable: what was there before gets it again, as far as the disk lets us. */
  #takeBack(old: Uint8Array): void {
    try {
      this.#write(old);
      this.#fs.rename(this.#coming, this.#path);
    } catch {
      this.#clear();
    }
  }

  #clear(): void {
    try {
      if (this.#fs.identify(this.#coming) !== undefined) this.#fs.remove(this.#coming);
    } catch {
      // It is written over the next time.
    }
  }
}
