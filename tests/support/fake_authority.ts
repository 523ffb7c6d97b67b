/** Authority, audit and handles in memory, for tests of what stands above them. */
import { fenced, principalRevoked } from "../../src/base/authority_errors.ts";
import type { Attempt, Audit, Completion, Denial, Resolution } from "../../src/authority/audit.ts";
import type { Authority, OnLeaseEnd } from "../../src/authority/authority.ts";
import type { Handles, SentexKey } from "../../src/authority/handles.ts";
import type { Permit, Principal, PrincipalStanding } from "../../src/authority/principal.ts";
import { digestOf } from "../../src/base/digest.ts";

export class FakeHandles implements Handles {
  readonly keys: SentexKey[] = [];
  readonly #numbers = new Map<string, number>();

  handlesOf(keys: readonly SentexKey[]): Promise<number[]> {
    return Promise.resolve(keys.map((key) => this.#numberOf(key)));
  }

  keyOf(handle: number): Promise<SentexKey | undefined> {
    return Promise.resolve(this.keys[handle - 1]);
  }

  #numberOf(key: SentexKey): number {
    const text = JSON.stringify([key.context, key.sentence]);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.keys.push(key));
    return this.keys.length;
  }
}

export type FakeRecord =
  | { kind: "attempt"; of: Attempt }
  | { kind: "completion"; of: Completion }
  | { kind: "resolution"; of: Resolution }
  | { kind: "denial"; of: Denial };

export class FakeAudit implements Audit {
  readonly records: FakeRecord[] = [];
  readonly unresolved: readonly Attempt[] = [];
  /** Thrown by whatever writes from now on. */
  fault?: Error;

  healthy = () => Promise.resolve(this.fault === undefined);
  attempt = (of: Attempt) => this.#write({ kind: "attempt", of });
  completion = (of: Completion) => this.#write({ kind: "completion", of });
  resolution = (of: Resolution) => this.#write({ kind: "resolution", of });
  denied = (of: Denial) => this.#write({ kind: "denial", of });
  status = () => ({
    records: this.records.length,
    waiting: 0,
    lag_ms: 0,
    problem: this.fault?.message,
  });

  #write(record: FakeRecord): Promise<void> {
    if (this.fault) return Promise.reject(this.fault);
    this.records.push(record);
    return Promise.resolve();
  }
}

/** Fences like the real one, within this process: `revoke` waits for the principal's writes that are under way. */
export class FakeAuthority implements Authority {
  readonly principals: Map<string, Principal>;
  generation = 0;
  readonly #revoked = new Map<string, string>();
  readonly #changed = new Map<string, number>();
  readonly #leases = new Map<string, number>();
  readonly #listeners: OnLeaseEnd[] = [];
  readonly #writes = new Map<string, Set<Promise<unknown>>>();

  constructor(principals: readonly Principal[]) {
    this.principals = new Map(principals.map((each) => [each.name, each]));
  }

  async authenticate(token: string | undefined): Promise<Principal | undefined> {
    const sum = await digestOf(new TextEncoder().encode(token ?? ""));
    return [...this.principals.values()]
      .find(({ name, token_sha256 }) => token_sha256 === sum && !this.#revoked.has(name));
  }

  admit(principal: Principal): Promise<Permit> {
    const { name, fork_id, lifecycle } = principal;
    const known = this.principals.get(name)?.token_sha256 === principal.token_sha256;
    if (!known || this.#revoked.has(name)) return Promise.reject(principalRevoked(name));
    const permit: Permit = { principal, generation: this.generation };
    if (lifecycle === "durable") return Promise.resolve(permit);
    const lease = this.#leases.get(fork_id) ?? this.generation + 1;
    this.#leases.set(fork_id, lease);
    return Promise.resolve({ ...permit, lease });
  }

  async during<T>(permit: Permit, work: () => Promise<T>): Promise<T> {
    const { principal: { name, fork_id }, generation, lease } = permit;
    if ((this.#changed.get(name) ?? 0) > generation) throw fenced(name);
    if (lease !== this.#leases.get(fork_id)) throw fenced(name);
    const writes = this.#writes.get(name) ?? new Set();
    this.#writes.set(name, writes);
    const done = work();
    writes.add(done);
    try {
      return await done;
    } finally {
      writes.delete(done);
    }
  }

  standing({ principal }: Permit) {
    const revoked = this.#revoked.has(principal.name);
    return Promise.resolve({ generation: this.generation, revoked });
  }

  isCurrent = ({ name }: Principal) => this.principals.has(name) && !this.#revoked.has(name);

  onRightsChange = () => {};

  async revoke(name: string): Promise<PrincipalStanding> {
    await Promise.allSettled(this.#writes.get(name) ?? []);
    this.#revoked.set(name, new Date().toISOString());
    return this.#change(name);
  }

  restore(name: string): Promise<PrincipalStanding> {
    this.#revoked.delete(name);
    return Promise.resolve(this.#change(name));
  }

  list(): Promise<PrincipalStanding[]> {
    return Promise.resolve([...this.principals.keys()].map((name) => this.#standingOf(name)));
  }

  leaseOf(fork_id: string): number | undefined {
    return this.#leases.get(fork_id);
  }

  onLeaseEnd(listener: OnLeaseEnd): void {
    this.#listeners.push(listener);
  }

  /** Every lease ends here: this one has no clock. */
  async sweep(): Promise<void> {
    for (const [fork, lease] of [...this.#leases]) {
      this.generation++;
      this.#leases.delete(fork);
      for (const listener of this.#listeners) await listener(fork, lease);
    }
  }

  reload = () => Promise.resolve();

  #change(name: string): PrincipalStanding {
    this.#changed.set(name, ++this.generation);
    return this.#standingOf(name);
  }

  #standingOf(name: string): PrincipalStanding {
    const { token_sha256: _, ...shown } = this.principals.get(name)!;
    const generation = this.#changed.get(name) ?? 0;
    return { ...shown, generation, revoked_since: this.#revoked.get(name) };
  }
}
