/** Words for principals, their config, the audit and handles (SPEC 3.3). A sister page of errors.ts. */
import { notSaved, ZpmError } from "./errors.ts";
import { closest } from "./text.ts";

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

/** Who holds a folder or a lock, as its file says; undefined where that cannot be read. */
type Holder = { pid: number; since: string } | undefined;

/** Another server has the same folder, which the config calls so. */
export function folderHeld(
  key: "audit_dir" | "state_dir",
  folder: string,
  holder: Holder,
): ZpmError {
  return new ZpmError(
    "conflict",
    `Cannot use the ${key} "${folder}": it is used by ${whoHolds(holder)}`,
    `Each server needs a folder of its own; end that process, or name another ${key}`,
  );
}

function whoHolds(holder: Holder): string {
  return holder ? `process ${holder.pid} since ${holder.since}` : "another process";
}

/** The audit that is there is not the one that was written. */
export function auditRefused(path: string, why: string): ZpmError {
  return new ZpmError(
    "corrupt",
    `Cannot go on with the audit ${path}: ${why}`,
    "Put the audit back from a copy. To begin a new one, move it and audit-head, which lies in state_dir, away",
  );
}

/** A lock of the authority is not free in time. */
export function authorityHeld(principal: string | undefined, holder: Holder): ZpmError {
  const what = principal === undefined
    ? "the authority's log is"
    : `the rights of "${principal}" are`;
  return new ZpmError(
    "limit",
    `Nothing was changed: ${what} held by ${whoHolds(holder)}`,
    "Retry; a write of that principal may still be under way",
  );
}

/** The log that says who is revoked cannot be relied on: nobody is let in. */
export function authorityUnreadable(why: string): ZpmError {
  return new ZpmError(
    "corrupt",
    `Cannot tell who may call: ${why}`,
    "Nothing was changed; mend the files in state_dir, then start the server again",
  );
}

/** A number must mean what it meant: a table that does not read is not begun anew. */
export function handlesRefused(path: string, number: number): ZpmError {
  return new ZpmError(
    "corrupt",
    `Cannot read the table of handles ${path}: handle ${number} is not what was written`,
    "Put the file back from a copy: numbers that clients hold must not change their meaning",
  );
}

/** A config that is not used; nothing was started or changed. */
export function configRefused(path: string, why: string): ZpmError {
  return new ZpmError(
    "input",
    `Cannot use the config "${path}": ${why}`,
    "Correct the file, then retry; README.md shows one under 'Many principals'",
  );
}

/** A principal that the config does not have. */
export function unknownPrincipal(name: string, known: Iterable<string>): ZpmError {
  const nearest = closest(name, known);
  return new ZpmError(
    "not_found",
    `There is no principal "${name}"${nearest ? `, perhaps "${nearest}" is meant` : ""}`,
    "'zpm principal list' shows those that the config has",
  );
}

/** A revocation, restoration or lease that the disk refuses. */
export function authorityNotSaved(why: string): ZpmError {
  return notSaved(`the authority's log cannot be written: ${why}`);
}

/** `add` of a name that is taken. */
export function principalExists(name: string): ZpmError {
  return new ZpmError(
    "conflict",
    `There is a principal "${name}" already`,
    "Give it a new token with --rotate, or choose another name",
  );
}

/** The config is as it was. */
export function configNotWritten(path: string, folder: string, why: string): ZpmError {
  return notSaved(
    `the config "${path}" cannot be replaced: ${why}`,
    `Nothing was changed; make sure that you may write to ${folder}, then retry`,
  );
}

/** Nothing to read, and nobody says that there was something. */
export function auditMissing(file: string): ZpmError {
  return new ZpmError(
    "not_found",
    `There is no audit ${file}`,
    "A server that has answered a call has one; name its folder with --audit-dir, or its config",
  );
}

/** The first line of an audit that is not what was written. */
export function auditFault(
  file: string,
  { line, kind, why }: { line: number; kind: string; why: string },
): ZpmError {
  return new ZpmError(
    "corrupt",
    `The audit ${file} is not what was written: line ${line}, ${kind}: ${why}`,
    "What stands before that line is whole; compare the rest with a copy",
  );
}

/** The disk, or the rights of the process, do not give what is in a folder. */
export function folderUnusable(what: string, folder: string, why: string): ZpmError {
  return new ZpmError(
    "corrupt",
    `Cannot use the ${what} in "${folder}": ${why}`,
    "Nothing was changed; run zpm as the user that the folder belongs to, and see that all in it is readable",
  );
}
