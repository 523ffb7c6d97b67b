/**
 * The errors of the verbs (SPEC 3.2): a table of codes, and the sentences that only verbs say.
 *
 * A verb answers `{:code :undeclared-predicate :error "..."}`. What failed below the verbs is a `ZpmError` like any
 * other; `verbCode` finds the code that it has here.
 */
import { AuthorityError, type AuthorityReason } from "./authority_errors.ts";
import { type ErrorCode, type Position, ZpmError } from "./errors.ts";

/** What kind of refusal it is; closed, so that a client can switch on it. */
export type VerbCode =
  | "malformed"
  | "undeclared-predicate"
  | "not-ground"
  | "not-a-literal"
  | "strength-capped"
  | "unknown-handle"
  | "not-allowed"
  | "limit-exceeded"
  | "fenced"
  | "revoked"
  | "lease-ended"
  | "audit-unavailable"
  | "outcome-indeterminate"
  | "raised"
  | "not-saved"
  | "read-only"
  | "engine-lost"
  | "cancelled"
  | "internal";

/** What the rest of zpm calls it. */
const CODES: Record<ErrorCode, VerbCode> = {
  input: "malformed",
  syntax: "malformed",
  not_allowed: "not-allowed",
  not_found: "unknown-handle",
  conflict: "malformed",
  raised: "raised",
  limit: "limit-exceeded",
  memory_missing: "malformed",
  read_only: "read-only",
  not_saved: "not-saved",
  no_project: "internal",
  corrupt: "read-only",
  engine_lost: "engine-lost",
  execution_failed: "internal",
  cancelled: "cancelled",
  outcome_indeterminate: "outcome-indeterminate",
  bug: "internal",
};

/** A refusal that has a code of its own. */
export class VerbError extends ZpmError {
  readonly verb_code: VerbCode;

  constructor(
    verb_code: VerbCode,
    code: ErrorCode,
    message: string,
    hint: string,
    more: { at?: Position; partial?: Record<string, unknown> } = {},
  ) {
    super(code, message, hint, more);
    this.verb_code = verb_code;
  }
}

const REASONS: Record<AuthorityReason, VerbCode> = {
  revoked: "revoked",
  fenced: "fenced",
  audit_unavailable: "audit-unavailable",
};

export function verbCode(error: ZpmError): VerbCode {
  if (error instanceof AuthorityError) return REASONS[error.reason];
  return error instanceof VerbError ? error.verb_code : CODES[error.code];
}

/** All of it as one text: the message, and the way out. */
export function verbSentence({ message, hint }: ZpmError): string {
  if (hint === "") return message;
  return message === "InvalidArguments" ? hint : `${message}. ${hint}`;
}

/** The form of a text is not one that can be read. */
export function malformedForm(what: string, why: string, at: Position): VerbError {
  return new VerbError(
    "malformed",
    "syntax",
    `Cannot read the ${what}: ${why} at line ${at.line}, column ${at.column}`,
    "Send one form such as (likes ann tea), with ?x for a variable",
    { at },
  );
}

/** A text that could be read, but is too large for a sentence. */
export function formTooLarge(what: string, limit: string): VerbError {
  return new VerbError(
    "limit-exceeded",
    "limit",
    `Cannot read the ${what}: ${limit}`,
    "Say it in several smaller sentences",
  );
}

/** Some of many sentences could not even be read; each has its index from 0. */
export function batchRefused(
  errors: { index: number; code: VerbCode; message: string; hint: string }[],
  total: number,
): VerbError {
  const lines = errors.map(({ index, message, hint }) =>
    `sentences[${index}]: ${message} (${hint})`
  );
  return new VerbError(
    "malformed",
    "input",
    `Cannot assert the sentences: ${errors.length} of ${total} refused, nothing was stored`,
    lines.join("\n"),
    { partial: { errors } },
  );
}

/** A file of the overlay holds what is no sentence; the server does not start on half of it. */
export function overlayRefused(file: string, { message, hint }: ZpmError): VerbError {
  return new VerbError("malformed", "input", `Cannot load the overlay ${file}: ${message}`, hint);
}

/** The number was never given to a sentence that this fork can see; which of both is not told. */
export function unknownHandle(handle: number): VerbError {
  return new VerbError(
    "unknown-handle",
    "not_found",
    `Unknown handle: ${handle}`,
    "Ask matching for the sentences that are believed, with their handles",
  );
}

/** What Prolog says about a sentence (`src/prolog/sentences.pl`): the kind is the code. */
export function sentenceRefused(
  kind: string,
  said: (key: string) => string,
): VerbError | undefined {
  switch (kind) {
    case "sentence":
      return new VerbError("malformed", "input", said("why"), said("hint"));
    case "literal":
      return new VerbError("not-a-literal", "input", said("why"), said("hint"));
    case "not_ground":
      return new VerbError(
        "not-ground",
        "input",
        `Not ground: ${said("variable")} is a variable in ${said("sentence")}`,
        "Name what it stands for; query finds it",
      );
    case "undeclared":
      return undeclared(said("predicate"), said("closest"));
    case "capped":
      return new VerbError(
        "strength-capped",
        "not_allowed",
        `Cannot assert with the strength ${said("strength")}: a client's sentences are default`,
        "Leave strength out",
      );
    case "kept":
      return new VerbError("not-allowed", "not_allowed", said("why"), said("hint"));
    case "unknown_key":
      return new VerbError("unknown-handle", "not_found", "Unknown handle", "");
    default:
      return undefined;
  }
}

function undeclared(predicate: string, closest: string): VerbError {
  const perhaps = closest === "" ? "" : `Did you mean ${closest}? `;
  return new VerbError(
    "undeclared-predicate",
    "input",
    `Undeclared predicate: ${predicate} is used by no sentence that is believed here`,
    `${perhaps}Use a predicate that is known, or declare it: assert (arity NAME NUMBER) or (comment NAME TEXT) first`,
  );
}

/** The body of `/op` is not an operation. */
export function malformedOperation(why: string): VerbError {
  return new VerbError(
    "malformed",
    "input",
    `Cannot read the operation: ${why}`,
    'Send {"op": "edit", "args": [{"add": [["(likes ann tea)", "CxUniverse"]]}]}',
  );
}

/** A write is stored, and the number of its sentence cannot be. */
export function doneWithoutHandle(why: string): ZpmError {
  return new ZpmError(
    "outcome_indeterminate",
    `It is done, but its handles cannot be told: ${why}`,
    "matching tells them when the cause is gone; calling again does no harm",
  );
}
