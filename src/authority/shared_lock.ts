/**
 * One lock on disk that the writes of this process share, while who wants it alone, here or elsewhere, waits at most
 * for those that have begun.
 */
import type { Holder, Turnstile } from "../store/locks.ts";

/** What it needs of a turnstile. */
type Lock = Pick<Turnstile, "acquire" | "release" | "holder" | "close">;

export class SharedLock {
  readonly #turnstile: Lock;
  #inside = 0;
  #waiting = 0;
  /** How often it was let go. */
  #releases = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(turnstile: Lock) {
    this.#turnstile = turnstile;
  }

  /** Nobody has it or waits for it. */
  get isIdle(): boolean {
    return this.#inside === 0 && this.#waiting === 0;
  }

  /**
   * Everyone passes the turnstile, even when the lock is held already: behind somebody who waits for it alone, no
   * further write begins. False when it is not free until `until`, a moment of `performance.now()`.
   */
  enter(until: number): Promise<boolean> {
    this.#waiting++;
    const entered = this.#tail.then(() => this.#take(until)).finally(() => this.#waiting--);
    this.#tail = entered.catch(() => {});
    return entered;
  }

  leave(): void {
    if (--this.#inside > 0) return;
    this.#releases++;
    this.#turnstile.release();
  }

  holder(): Holder | undefined {
    return this.#turnstile.holder();
  }

  close(): void {
    this.#turnstile.close();
  }

  async #take(until: number): Promise<boolean> {
    for (;;) {
      const releases = this.#releases;
      if (!await this.#turnstile.acquire(false, until)) return false;
      // The process has the lock once, however many are inside: the last one who left meanwhile let go what was
      // just taken, too.
      if (releases !== this.#releases) continue;
      this.#inside++;
      return true;
    }
  }
}
