/**
 * The authority's log, `authority.jsonl` in `state_dir`, and its locks (SPEC 3.3). A server and `zpm principal` both
 * write to it; whoever reads looks at its end first, and takes the lock only when something new is there.
 *
 * A principal has a lock of its own: its writes share it, what changes its rights takes it alone. So nobody waits
 * for the writes of others, and the turnstile before it lets neither side starve.
 */
import { authorityHeld, authorityNotSaved, authorityUnreadable } from "../base/authority_errors.ts";
import { limits } from "../base/limits.ts";
import { ZpmError } from "../base/errors.ts";
import { type FileSystem, reason } from "../store/file_system.ts";
import { Turnstile } from "../store/locks.ts";
import { AuthorityState, type Entry, entryFor, type Order } from "./authority_state.ts";
import { type Chained, follows, type Place, seal, START, unseal } from "./chain.ts";
import { Ledger } from "./ledger.ts";
import { SharedLock } from "./shared_lock.ts";

export const AUTHORITY_FILE = "authority.jsonl";

/** An entry and when it was written. */
export interface Written {
  entry: Entry;
  at: string;
}

export class AuthorityLog {
  readonly state = new AuthorityState();
  readonly #fs: FileSystem;
  readonly #directory: string;
  readonly #ledger: Ledger;
  readonly #lock: Turnstile;
  readonly #shared = new Map<string, SharedLock>();
  #place: Place = START;
  /** What was taken and that no caller has heard of yet: a call that fails afterwards must not swallow a revocation. */
  readonly #untold: Written[] = [];
  /** Settles when the last news are on their way to whoever they were told. */
  #telling: Promise<void> = Promise.resolve();
  /** The end of the tasks that need the log's lock: one at a time. */
  #tail: Promise<unknown> = Promise.resolve();

  /** `directory` is `state_dir`, which exists. */
  constructor(fs: FileSystem, directory: string) {
    this.#fs = fs;
    this.#directory = directory;
    this.#ledger = new Ledger(fs, `${directory}/${AUTHORITY_FILE}`, { write: true });
    this.#lock = this.#lockIn("log");
  }

  /** Reads the log from its beginning, and takes away what a crash left at its end. */
  async open(): Promise<Written[]> {
    return await this.#locked(true, () => {
      this.#take();
      try {
        this.#ledger.settle();
      } catch (fault) {
        throw authorityUnreadable(reason(fault));
      }
      return this.#told();
    });
  }

  /** What has come since the last look. Throws when the log cannot be relied on: nobody is let in then. */
  async look(): Promise<Written[]> {
    const { problem } = this.#ledger;
    if (problem !== undefined) throw authorityUnreadable(problem);
    const isNew = this.#ledger.hasMore || this.#untold.length > 0;
    const news = isNew ? await this.#locked(false, () => this.#taken()) : [];
    // An answer that has none must not overtake the one that has them: its caller would not know of a revocation.
    if (news.length === 0) await this.#telling;
    return news;
  }

  /** Writes what the order comes to at that moment, which may be nothing. Returns all news, its own entry last. */
  async write(order: Order): Promise<Written[]> {
    return await this.#locked(true, () => {
      this.#take();
      const entry = entryFor(order, this.state);
      const at = new Date().toISOString();
      try {
        // What a crash left of an entry was never acknowledged.
        this.#ledger.settle();
        if (!entry) return this.#told();
        const { line, record } = seal(entry, { place: this.#place, at });
        this.#ledger.append([line]);
        this.#accept(record, entry);
      } catch (fault) {
        throw authorityNotSaved(reason(fault));
      }
      return this.#told();
    });
  }

  /** Shares the principal's lock until `leave`. */
  async enter(principal: string, wait_ms: number): Promise<void> {
    let lock = this.#shared.get(principal);
    if (!lock) this.#shared.set(principal, lock = new SharedLock(this.#principalLock(principal)));
    try {
      if (await lock.enter(performance.now() + wait_ms)) return;
      throw authorityHeld(principal, lock.holder());
    } catch (fault) {
      this.#drop(principal, lock);
      throw fault instanceof ZpmError ? fault : authorityUnreadable(reason(fault));
    }
  }

  leave(principal: string): void {
    const lock = this.#shared.get(principal);
    lock?.leave();
    if (lock) this.#drop(principal, lock);
  }

  /** Does `work` when no write of the principal is under way, and none begins. */
  async alone<T>(principal: string, work: () => Promise<T>): Promise<T> {
    return await this.#under(this.#principalLock(principal), principal, work);
  }

  /** Does `work` while nobody else changes the config. */
  async editing<T>(work: () => Promise<T>): Promise<T> {
    return await this.#under(this.#lockIn("config"), undefined, work);
  }

  close(): void {
    for (const lock of this.#shared.values()) lock.close();
    this.#shared.clear();
    this.#ledger.close();
    this.#lock.close();
  }

  /** No files stay open for a lock that nobody uses. */
  #drop(principal: string, lock: SharedLock): void {
    if (!lock.isIdle || this.#shared.get(principal) !== lock) return;
    lock.close();
    this.#shared.delete(principal);
  }

  #principalLock(principal: string): Turnstile {
    return this.#lockIn(`of/${principal}`);
  }

  #lockIn(name: string): Turnstile {
    const directory = `${this.#directory}/locks/${name}`;
    this.#fs.makeDirectory(directory);
    return new Turnstile(this.#fs, directory);
  }

  async #under<T>(
    lock: Turnstile,
    principal: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      if (!await lock.acquire(true, performance.now() + limits.authority_wait_ms)) {
        // Those who share a lock do not sign it: whom it names may be gone for long.
        throw authorityHeld(principal, principal === undefined ? lock.holder() : undefined);
      }
      return await work();
    } finally {
      lock.close();
    }
  }

  #locked<T>(exclusive: boolean, work: () => T): Promise<T> {
    const done = this.#tail.then(async () => {
      const until = performance.now() + limits.authority_wait_ms;
      if (!await this.#lock.acquire(exclusive, until)) {
        throw authorityHeld(undefined, this.#lock.holder());
      }
      try {
        return work();
      } finally {
        this.#lock.release();
      }
    });
    this.#tail = done.catch(() => {});
    return done;
  }

  /** How many entries have come. */
  #take(): number {
    let taken = 0;
    for (const line of this.#ledger.take()) {
      const record = unseal(line);
      if (!record || !follows(record, this.#place)) {
        const why = `what follows record ${this.#place.seq} is not what was written`;
        this.#ledger.breakWith(why);
        throw authorityUnreadable(why);
      }
      this.#accept(record, entryOf(record));
      taken++;
    }
    return taken;
  }

  #accept(record: Chained, entry: Entry): void {
    this.#place = { seq: record.seq, hash: record.hash };
    this.state.apply(entry, record.at);
    this.#untold.push({ entry, at: record.at });
  }

  #taken(): Written[] {
    if (this.#take() > 0) this.#ledger.sync();
    return this.#told();
  }

  #told(): Written[] {
    const news = this.#untold.splice(0);
    // Whoever has them posts them before the next turn of the event loop.
    if (news.length > 0) this.#telling = new Promise((resolve) => setTimeout(resolve));
    return news;
  }
}

function entryOf(record: Chained): Entry {
  const { seq: _s, hash: _h, at: _a, prev: _p, ...entry } = record;
  return entry as unknown as Entry;
}
