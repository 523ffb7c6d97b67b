/** Words for principals, their config, the audit and handles (SPEC 3.3). A sister page of errors.ts. */
import { ZpmError } from "./errors.ts";

/** Why the authority lets a call not through. `fenced` may be tried again, with a new permit. */
export type AuthorityReason = "revoked" | "fenced" | "audit_unavailable";

/** An error with the reason as data, for those who word it for another protocol. */
export class AuthorityError extends ZpmError {
  readonly reason: AuthorityReason;
  readonly retryable: boolean;

  constructor(reason: AuthorityReason, message: string, hint: string) {
    super(reason === "audit_unavailable" ? "not_saved" : "not_allowed", message, hint);
    this.reason = reason;
    this.retryable = reason !== "revoked";
  }
}

/** The principal is revoked, is no longer in the config, or has another token by now. */
export function principalRevoked(name: string): AuthorityError {
  return new AuthorityError(
    "revoked",
    `The principal "${name}" may not call any more`,
    "Ask who administers the server: 'zpm principal restore' lets it in again",
  );
}

/** What the call was admitted with changed before its write. */
export function fenced(name: string): AuthorityError {
  return new AuthorityError(
    "fenced",
    `Nothing was stored: the rights of "${name}" changed while the call ran`,
    "Call again; it is looked at anew",
  );
}

export function auditUnavailable(why: string): AuthorityError {
  return new AuthorityError(
    "audit_unavailable",
    `The audit cannot be written: ${why}`,
    "Nothing runs without it; mend the cause in the audit folder, then retry",
  );
}
