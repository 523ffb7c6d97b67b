/**
 * Who may call, and whether a write may still go through (SPEC 3.3).
 *
 * One counter, the generation, rises with every revocation, restoration, rotation of a token and end of a lease.
 * A permit holds as long as nothing of the kind happened to its principal. A write shows it again under its
 * principal's lock, which a revocation takes alone: so a revocation either comes before the write, which is then
 * fenced, or waits for it.
 */
import type { Permit, Principal, PrincipalStanding, Standing } from "./principal.ts";

/** Told when a leased fork has ended; settles when the fork's state is gone. `lease` is the number of that lease. */
export type OnLeaseEnd = (fork_id: string, lease: number) => Promise<void>;

export interface Authority {
  /** As far as it is known here; every call below looks at the log first. */
  readonly generation: number;
  /** By name. */
  readonly principals: ReadonlyMap<string, Principal>;
  /** Undefined for a token that is missing, malformed, unknown or of a revoked principal; in constant time. */
  authenticate(token: string | undefined): Promise<Principal | undefined>;
  /**
   * A permit for one call; of a leased fork it renews the lease, or opens a new one. Throws an `AuthorityError`
   * (`revoked`) when the principal is revoked, or is no longer what it was: its token was exchanged.
   */
  admit(principal: Principal): Promise<Permit>;
  /**
   * Does `work` under the principal's lock. Throws an `AuthorityError` (`fenced`, retryable) before `work` begins
   * when the permit no longer holds. Not to be nested.
   */
  during<T>(permit: Permit, work: () => Promise<T>): Promise<T>;
  /** How the permit's principal stands now; for the receipt of a write. */
  standing(permit: Permit): Promise<Standing>;
  /** Not revoked, and still what the config says of it; as far as it is known here. */
  isCurrent(principal: Principal): boolean;
  /** Every listener is told when a principal's rights may be others: on news of them, and when the config was read. */
  onRightsChange(listener: () => void): void;
  /** Waits for writes of the principal that are under way. Throws when there is no such principal. */
  revoke(name: string): Promise<PrincipalStanding>;
  restore(name: string): Promise<PrincipalStanding>;
  list(): Promise<PrincipalStanding[]>;
  /** The number of the lease that a fork has now; undefined when there is none. */
  leaseOf(fork_id: string): number | undefined;
  /** Every listener is asked, once for each lease that ends; the next lease waits for them. */
  onLeaseEnd(listener: OnLeaseEnd): void;
  /** Ends the leases whose time is over; a timer of its own does that too. */
  sweep(): Promise<void>;
  /** Reads the principals of the config again. */
  reload(): Promise<void>;
}
