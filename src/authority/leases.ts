/**
 * Leased forks: each use keeps a fork, and so long after the last one its lease ends (SPEC 3.3).
 *
 * Uses are only counted here; the log gets a horizon that lies half a time to live further than it must. So a
 * renewal is written now and then and not for each call, and after a crash a lease lasts a little longer, never
 * shorter.
 */
import type { OnLeaseEnd } from "./authority.ts";
import type { AuthorityState, Order } from "./authority_state.ts";
import type { Principal } from "./principal.ts";

export interface LeasesOptions {
  state: AuthorityState;
  write: (order: Order) => Promise<void>;
  /** Milliseconds since 1970. */
  now: () => number;
}

interface Use {
  /** Of the last use in this process. */
  last_ms: number;
  ttl_ms: number;
  /** Writes under way. */
  busy: number;
}

export class Leases {
  readonly #options: LeasesOptions;
  readonly #uses = new Map<string, Use>();
  /** What happens to one fork's lease happens one after the other. */
  readonly #tails = new Map<string, Promise<unknown>>();
  readonly #listeners: OnLeaseEnd[] = [];
  /** Leases that have ended and whose state may still be there. */
  readonly #ended = new Set<{ fork: string; lease: number }>();

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  onEnd(listener: OnLeaseEnd): void {
    this.#listeners.push(listener);
  }

  /** Renews the lease of the principal's fork, or opens one: its number. */
  use({ fork_id, lease_ttl_ms }: Principal): Promise<number> {
    return this.#inTurn(fork_id, async () => {
      const { state, now, write } = this.#options;
      if (this.#isOver(fork_id)) await this.#end(fork_id);
      const ttl_ms = lease_ttl_ms!;
      const { busy = 0 } = this.#uses.get(fork_id) ?? {};
      this.#uses.set(fork_id, { last_ms: now(), ttl_ms, busy });
      const due_ms = now() + ttl_ms;
      if ((state.leases.get(fork_id)?.until_ms ?? 0) < due_ms) {
        await write({ kind: "lease", fork: fork_id, until_ms: due_ms + Math.ceil(ttl_ms / 2) });
      }
      return state.leases.get(fork_id)!.lease;
    });
  }

  /** A write begins: until `done` the lease does not end. */
  begin({ fork_id }: Principal): void {
    const use = this.#uses.get(fork_id);
    if (use) use.busy++;
  }

  done({ fork_id }: Principal): void {
    const use = this.#uses.get(fork_id);
    if (!use) return;
    use.busy--;
    use.last_ms = this.#options.now();
  }

  /** Ends every lease whose time is over. */
  async sweep(): Promise<void> {
    await this.#tell();
    const forks = [...this.#options.state.leases.keys()];
    await Promise.all(forks.map((fork) =>
      this.#inTurn(fork, async () => {
        if (this.#isOver(fork)) await this.#end(fork);
      })
    ));
  }

  #isOver(fork: string): boolean {
    const { state, now } = this.#options;
    const lease = state.leases.get(fork);
    if (!lease) return false;
    const use = this.#uses.get(fork);
    if (!use) return lease.until_ms <= now();
    return use.busy === 0 && use.last_ms + use.ttl_ms <= now();
  }

  async #end(fork: string): Promise<void> {
    const { state, write } = this.#options;
    const { lease } = state.leases.get(fork)!;
    await write({ kind: "lease_end", fork, lease });
    this.#uses.delete(fork);
    this.#ended.add({ fork, lease });
    await this.#tell();
  }

  /** What nobody listened to yet, or could not be removed, is told again with the next sweep. */
  async #tell(): Promise<void> {
    if (this.#listeners.length === 0) return;
    for (const ended of [...this.#ended]) {
      for (const listener of this.#listeners) await listener(ended.fork, ended.lease);
      this.#ended.delete(ended);
    }
  }

  #inTurn<T>(fork: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#tails.get(fork) ?? Promise.resolve()).then(work);
    this.#tails.set(fork, done.catch(() => {}));
    return done;
  }
}
