/**
 * The turnstile and the writer's lock (rules W and R, ENGINE-NOTES 2.5).
 *
 * A file lock is unfair: a busy writer starves one that pauses. So whoever wants the lock first takes
 * the turnstile, keeps it while waiting for the lock, and leaves it when the lock is his: nobody can take
 * the lock twice past somebody who waits. The journal itself is never locked (on Windows a lock stops readers).
 * Whoever was the last to have the lock, and sees nobody wait, need not queue: of those there is only one.
 * No wait blocks the thread, since a stopped holder would block it for ever.
 */
import type { FileHandle, FileSystem } from "./file_system.ts";

/** Who holds the lock, as it stands in the lock file. */
export interface Holder {
  pid: number;
  since: string;
}

/** One lock file, taken by one caller of this process at a time. */
export class LockFile {
  readonly #fs: FileSystem;
  readonly #directory: string;
  readonly #path: string;
  #handle?: FileHandle;
  /** A lock asked for on a runtime that cannot give up asking is on its way to this handle. */
  #coming?: FileHandle;
  #claim?: (fault?: unknown) => void;

  constructor(fs: FileSystem, directory: string, name: string) {
    this.#fs = fs;
    this.#directory = directory;
    this.#path = `${directory}/${name}`;
  }

  /** Makes the file; throws where that is not possible. */
  prepare(): void {
    this.#open();
  }

  /** False when it is not free until `until`, a moment of `performance.now()`. */
  async acquire(exclusive: boolean, until: number): Promise<boolean> {
    for (;;) {
      const handle = this.#open();
      if (!await this.#take(handle, exclusive, until)) return false;
      if (this.#fs.identify(this.#path)?.id === handle.identify().id) return true;
      // The file was removed or exchanged: others lock the new one, so this one protects nothing.
      handle.unlock();
      this.close();
      this.#fs.makeDirectory(this.#directory);
    }
  }

  release(): void {
    this.#handle?.unlock();
  }

  /** Names the holder for the others, or nobody. Fixed length, so that one write replaces what stood there. */
  sign(holder: Holder | null): void {
    const text = JSON.stringify(holder).padEnd(holder_bytes - 1) + "\n";
    this.#open().write(0, new TextEncoder().encode(text));
  }

  /** The last one who signed; null when nobody did since, undefined where that cannot be read. */
  holder(): Holder | null | undefined {
    try {
      const buffer = new Uint8Array(holder_bytes);
      const length = this.#open().read(0, buffer);
      if (length === 0) return null;
      return JSON.parse(new TextDecoder().decode(buffer.subarray(0, length)));
    } catch {
      return undefined; // on Windows a locked file cannot be read; the message then names nobody
    }
  }

  close(): void {
    this.#handle?.close();
    this.#handle = undefined;
    this.#coming = undefined;
  }

  #open(): FileHandle {
    return this.#handle ??= this.#fs.open(this.#path, { write: true, create: true });
  }

  async #take(handle: FileHandle, exclusive: boolean, until: number): Promise<boolean> {
    if (!handle.tryLock) return this.#await(handle, until);
    while (!handle.tryLock(exclusive)) {
      if (performance.now() >= until) return false;
      await new Promise((resolve) => setTimeout(resolve, poll_ms));
    }
    return true;
  }

  /**
   * For runtimes without `tryLock`: asks once, and a lock that arrives when nobody waits any more is
   * released at once. Always exclusive, so that whoever waits next can use what arrives.
   */
  #await(handle: FileHandle, until: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const give_up = () => {
        this.#claim = undefined;
        resolve(false);
      };
      const timer = setTimeout(give_up, Math.max(0, until - performance.now()));
      this.#claim = (fault) => {
        clearTimeout(timer);
        this.#claim = undefined;
        fault === undefined ? resolve(true) : reject(fault);
      };
      if (this.#coming === handle) return;
      this.#coming = handle;
      handle.lock(true).then(() => this.#arrived(handle), (fault) => this.#arrived(handle, fault));
    });
  }

  #arrived(handle: FileHandle, fault?: unknown): void {
    // What comes to a handle that was closed meanwhile went with it.
    if (this.#coming !== handle) return;
    this.#coming = undefined;
    if (this.#claim) this.#claim(fault);
    else if (fault === undefined) handle.unlock();
  }
}

/** Both files together: what `begin` takes exclusively and readers share. */
export class Turnstile {
  readonly #turn: LockFile;
  readonly #lock: LockFile;
  /** How this process signed the lock last. */
  #signed?: Holder;

  constructor(fs: FileSystem, directory: string) {
    this.#turn = new LockFile(fs, directory, "turn");
    this.#lock = new LockFile(fs, directory, "lock");
  }

  prepare(): void {
    this.#turn.prepare();
    this.#lock.prepare();
  }

  /** Exclusive for a writer, shared for a reader. False when it is not free until `until`. */
  async acquire(exclusive: boolean, until: number): Promise<boolean> {
    const straight = exclusive && this.#undisturbed() &&
      await this.#lock.acquire(true, Math.min(until, performance.now() + straight_ms));
    if (!straight && !await this.#queue(exclusive, until)) return false;
    if (exclusive) this.#sign();
    return true;
  }

  async #queue(exclusive: boolean, until: number): Promise<boolean> {
    if (!await this.#turn.acquire(true, until)) return false;
    try {
      courtesy(() => this.#turn.sign(signature()));
      return await this.#lock.acquire(exclusive, until);
    } finally {
      courtesy(() => this.#turn.sign(null));
      this.#turn.release();
    }
  }

  /** Nobody wrote since this process did, and nobody waits. A guess: it decides on fairness, not on who holds. */
  #undisturbed(): boolean {
    const { pid, since } = this.#lock.holder() ?? {};
    return this.#signed !== undefined && pid === this.#signed.pid && since === this.#signed.since &&
      this.#turn.holder() === null;
  }

  release(): void {
    this.#lock.release();
  }

  holder(): Holder | undefined {
    return this.#lock.holder() ?? undefined;
  }

  close(): void {
    this.#turn.close();
    this.#lock.close();
  }

  #sign(): void {
    this.#signed = signature();
    courtesy(() => this.#lock.sign(this.#signed!));
  }
}

function signature(): Holder {
  return { pid: Deno.pid, since: new Date().toISOString() };
}

/** A disk that is too full for a name does not stop the lock; a message then names somebody else, or nobody. */
function courtesy(sign: () => void): void {
  try {
    sign();
  } catch {
    return;
  }
}

/** The length of a signed lock file. */
const holder_bytes = 80;

/** How long the last holder waits before it queues after all: somebody came in between, and it is marked nowhere. */
const straight_ms = 2;

/** How often a taken lock is tried again. */
const poll_ms = 1;
