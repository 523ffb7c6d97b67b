/**
 * What the authority's log comes to. Pure: the same entries give the same state in every process that reads them.
 */

/** One entry, without its place in the chain. Those with `generation` raise the counter to it. */
export type Entry =
  | { kind: "revoke" | "restore" | "rotate"; principal: string; generation: number }
  /** A principal is new in the config. */
  | { kind: "add"; principal: string }
  /** The lease with the number `lease` is good until then (milliseconds since 1970), at least; a new number opens it. */
  | { kind: "lease"; fork: string; lease: number; until_ms: number }
  | { kind: "lease_end"; fork: string; lease: number; generation: number };

export interface PrincipalState {
  /** Of its last revocation, restoration or rotation. */
  generation: number;
  revoked_since?: string;
}

export interface LeaseState {
  lease: number;
  until_ms: number;
}

export class AuthorityState {
  generation = 0;
  /** The number of the last lease of all; a new one is higher. */
  lease = 0;
  readonly principals = new Map<string, PrincipalState>();
  /** The leases that have not ended. */
  readonly leases = new Map<string, LeaseState>();

  apply(entry: Entry, at: string): void {
    if ("generation" in entry) this.generation = entry.generation;
    switch (entry.kind) {
      case "revoke":
        this.principals.set(entry.principal, { generation: entry.generation, revoked_since: at });
        break;
      case "restore":
        this.principals.set(entry.principal, { generation: entry.generation });
        break;
      case "rotate": {
        const { revoked_since } = this.principals.get(entry.principal) ?? {};
        this.principals.set(entry.principal, { generation: entry.generation, revoked_since });
        break;
      }
      case "lease":
        this.lease = Math.max(this.lease, entry.lease);
        this.leases.set(entry.fork, { lease: entry.lease, until_ms: entry.until_ms });
        break;
      case "lease_end":
        if (this.leases.get(entry.fork)?.lease === entry.lease) this.leases.delete(entry.fork);
        break;
    }
  }

  of(principal: string): PrincipalState {
    return this.principals.get(principal) ?? { generation: 0 };
  }
}

/** What somebody wants to be written; what it comes to depends on the state at that moment. */
export type Order =
  | { kind: "revoke" | "restore" | "rotate" | "add"; principal: string }
  /** Renews the fork's lease, or opens a new one. */
  | { kind: "lease"; fork: string; until_ms: number }
  | { kind: "lease_end"; fork: string; lease: number };

/** The entry for an order; undefined when there is nothing to change. */
export function entryFor(order: Order, state: AuthorityState): Entry | undefined {
  const generation = state.generation + 1;
  switch (order.kind) {
    case "add":
      return { kind: "add", principal: order.principal };
    case "rotate":
      return { kind: "rotate", principal: order.principal, generation };
    case "revoke":
    case "restore": {
      const revoked = state.of(order.principal).revoked_since !== undefined;
      return revoked === (order.kind === "revoke") ? undefined : { ...order, generation };
    }
    case "lease": {
      const lease = state.leases.get(order.fork)?.lease ?? state.lease + 1;
      return { ...order, lease };
    }
    case "lease_end":
      return state.leases.get(order.fork)?.lease === order.lease
        ? { ...order, generation }
        : undefined;
  }
}
