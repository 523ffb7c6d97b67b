/**
 * Every error of zpm on one page: its code, and every sentence a user can see (SPEC 1.1).
 *
 * The grammar: name the attempted action and the value, put the way out into the hint, no final period,
 * no stack trace. The message is the first text item of a failed result, word for word where the tool
 * reference has a sentence; the hint is the second. Prolog throws terms and this page words them.
 */

/** What kind of failure it is; closed, so that a client can switch on it. */
export type ErrorCode =
  | "input"
  | "syntax"
  | "not_allowed"
  | "not_found"
  | "raised"
  | "limit"
  | "memory_missing"
  | "read_only"
  | "not_saved"
  | "no_project"
  | "corrupt"
  | "engine_lost"
  | "execution_failed"
  | "cancelled"
  | "bug";

/** Where in a text the fault stands, both counted from 1. */
export interface Position {
  line: number;
  column: number;
}

/** The structure of every failed result: `{ "error": ErrorBody }`. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  hint: string;
  at?: Position;
}

/** The one error class. Everything that is not a `ZpmError` is our own fault and is reported as `bug`. */
export class ZpmError extends Error {
  override readonly name = "ZpmError";
  readonly code: ErrorCode;
  readonly hint: string;
  readonly at?: Position;
  /** What was already found when the error came: answers before a limit, violations before a throw. */
  readonly partial?: Record<string, unknown>;

  constructor(
    code: ErrorCode,
    message: string,
    hint: string,
    more: { at?: Position; cause?: unknown; partial?: Record<string, unknown> } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.hint = hint;
    this.at = more.at;
    this.partial = more.partial;
  }

  body(): ErrorBody {
    const { code, message, hint, at } = this;
    return at ? { code, message, hint, at } : { code, message, hint };
  }
}

/** A condition that our own code guarantees; when it fails, the fault is ours. */
export function invariant(condition: unknown, why: string): asserts condition {
  if (!condition) throw bug(why);
}

export function bug(why: string, cause?: unknown): ZpmError {
  return new ZpmError(
    "bug",
    `Internal fault: ${why}`,
    "This is a fault in zpm, nothing was changed by it; run 'zpm doctor' and report what it prints",
    { cause },
  );
}

/** A required argument missing, null or blank; a wrong type; an unknown name; a value outside its rule. */
export function invalidArguments(why: string): ZpmError {
  return new ZpmError("input", "InvalidArguments", why);
}
