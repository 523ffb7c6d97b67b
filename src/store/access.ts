/**
 * Who of this process has the lock of a memory, or waits for it.
 *
 * The file locks belong to the process (to its open handle, to be exact), so they cannot tell its own calls apart:
 * here they are let in one after the other. Whoever waits is woken when the one before him has the lock or
 * gives up, so a reader never waits for a writer of its own process to finish.
 */
import { heldBy, notReadHeldBy } from "../base/errors.ts";
import type { FileSystem } from "./file_system.ts";
import { Turnstile } from "./locks.ts";

/** `until` is a moment of `performance.now()`. */
export interface Wait {
  exclusive: boolean;
  until: number;
}

export class Access {
  readonly #turnstile: Turnstile;
  /** From a granted `hold` to its `release`. */
  #held?: Gate;
  /** While a call waits for the file lock, or has it for a read. */
  #waiting?: Gate;
  /** No lock files: only calls of this process are kept apart. */
  #alone = false;

  constructor(fs: FileSystem, directory: string) {
    this.#turnstile = new Turnstile(fs, directory);
  }

  get held(): boolean {
    return this.#held !== undefined;
  }

  /** Makes the lock files; throws where that is not possible. */
  prepare(): void {
    this.#turnstile.prepare();
  }

  /** From now on without lock files, for a folder that cannot have them. */
  goAlone(): void {
    this.#alone = true;
  }

  /** Takes the writer's lock, does `work`, and keeps the lock until `release`; unless `work` throws. */
  async hold<T>(until: number, work: () => T): Promise<T> {
    for (let gate; (gate = this.#held ?? this.#waiting) !== undefined;) {
      if (!await gate.passed(until)) throw heldBy(this.#turnstile.holder());
    }
    const gate = this.#waiting = new Gate();
    try {
      const acquired = this.#alone || await this.#turnstile.acquire(true, until);
      if (!acquired) throw heldBy(this.#turnstile.holder());
      this.#held = new Gate();
      return work();
    } catch (fault) {
      this.release();
      throw fault;
    } finally {
      this.#leave(gate);
    }
  }

  /** Does nothing when the lock is not held. */
  release(): void {
    if (!this.#held) return;
    if (!this.#alone) this.#turnstile.release();
    this.#held.open();
    this.#held = undefined;
  }

  /** Does `work` under the lock; at once when this process holds it already. */
  async during<T>(wait: Wait, work: () => T): Promise<T> {
    while (!this.#held && this.#waiting) {
      if (!await this.#waiting.passed(wait.until)) throw notReadHeldBy(this.#turnstile.holder());
    }
    if (this.#held || this.#alone) return work();
    const gate = this.#waiting = new Gate();
    try {
      const acquired = await this.#turnstile.acquire(wait.exclusive, wait.until);
      if (!acquired) throw notReadHeldBy(this.#turnstile.holder());
      try {
        return work();
      } finally {
        this.#turnstile.release();
      }
    } finally {
      this.#leave(gate);
    }
  }

  close(): void {
    this.release();
    this.#turnstile.close();
  }

  #leave(gate: Gate): void {
    this.#waiting = undefined;
    gate.open();
  }
}

/** Closed until it is opened, once. */
class Gate {
  readonly #opened: Promise<void>;
  open!: () => void;

  constructor() {
    this.#opened = new Promise((resolve) => this.open = resolve);
  }

  /** False when it is still closed at `until`. */
  passed(until: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), Math.max(0, until - performance.now()));
      this.#opened.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }
}
