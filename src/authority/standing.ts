/** A principal as it is shown: what the config says of it, and what the authority's log does. */
import type { AuthorityState } from "./authority_state.ts";
import type { Principal, PrincipalStanding } from "./principal.ts";

export function standingOf(principal: Principal, state: AuthorityState): PrincipalStanding {
  const { token_sha256: _, ...shown } = principal;
  const { generation, revoked_since } = state.of(principal.name);
  return { ...shown, ...(revoked_since !== undefined && { revoked_since }), generation };
}
