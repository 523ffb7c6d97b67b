/** Who may call, and what one is allowed to do at the moment (SPEC 3.3). */

/** A principal as the config declares it. */
export interface Principal {
  name: string;
  /** SHA-256 of the bearer token, 64 hexadecimal digits in lower case; the token itself is nowhere. */
  token_sha256: string;
  /** Principals with the same one share a fork, and its shape: lifecycle and lease. */
  fork_id: string;
  lifecycle: "durable" | "leased";
  /** How long after its last use a leased fork ends; only with `leased`. */
  lease_ttl_ms?: number;
}

/** What an admitted call shows again at the moment it changes something. */
export interface Permit {
  principal: Principal;
  /** The counter as it was at admission. A later revocation, restoration or rotation of the principal voids it. */
  generation: number;
  /** The lease of a leased fork that it was given in. */
  lease?: number;
}

/** How a principal stands after a write: what its receipt says. */
export interface Standing {
  generation: number;
  /** Its principal was revoked before the answer was written; what was committed before that stays. */
  revoked: boolean;
}

/** A principal as `zpm principal list` shows it. */
export interface PrincipalStanding extends Omit<Principal, "token_sha256"> {
  /** ISO 8601; absent when it is not revoked. */
  revoked_since?: string;
  /** The generation of its last revocation, restoration or rotation, 0 without one. */
  generation: number;
}

/** Whether the config still declares it as it was: its token, its fork, and the fork's shape. */
export function samePrincipal(one: Principal, other: Principal): boolean {
  return one.name === other.name && one.token_sha256 === other.token_sha256 &&
    one.fork_id === other.fork_id && one.lifecycle === other.lifecycle &&
    one.lease_ttl_ms === other.lease_ttl_ms;
}
