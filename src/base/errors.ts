/**
 * Every error of zpm on one page: its code, and every sentence a user can see (SPEC 1.1). What Prolog reports is
 * worded on a second page, `faults.ts`.
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
  | "conflict"
  | "raised"
  | "limit"
  | "memory_missing"
  | "read_only"
  | "not_saved"
  | "outcome_indeterminate"
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
  /** The first text item, where a tool's reference has its result there even when the call failed. */
  readonly says?: string;

  constructor(
    code: ErrorCode,
    message: string,
    hint: string,
    more: {
      at?: Position;
      cause?: unknown;
      partial?: Record<string, unknown>;
      says?: string;
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.hint = hint;
    this.at = more.at;
    this.partial = more.partial;
    this.says = more.says;
  }

  body(): ErrorBody {
    const { code, message, hint, at } = this;
    return at ? { code, message, hint, at } : { code, message, hint };
  }
}

/** A clause that names another memory than the one it was given to: `NAME:term` chooses the memory (SPEC 1.3). */
export class OtherMemory extends ZpmError {
  readonly memory: string;

  constructor(memory: string) {
    super(
      "input",
      "InvalidArguments",
      `The text names the memory ${memory}, the argument another one: leave one of them out`,
    );
    this.memory = memory;
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

/** No `.zpm` folder was named or found. */
export function noProject(): ZpmError {
  return new ZpmError(
    "no_project",
    "No zpm project found: run 'zpm init' in the folder that should have one",
    "Or name one with --project DIR or the environment variable ZPM_PROJECT",
  );
}

/** A project was named, and it is none. */
export function notAProject(directory: string): ZpmError {
  return new ZpmError(
    "no_project",
    `No zpm project in "${directory}"`,
    `Make it one: run 'zpm init' in that directory, or name another one`,
  );
}

/** `zpm init` could not make the folders. */
export function notInitialized(directory: string, reason: string): ZpmError {
  return new ZpmError(
    "no_project",
    `Cannot make a zpm project in "${directory}": ${reason}`,
    "Run 'zpm init' in a directory that you may write to",
  );
}

/** `zpm serve --http` could not have its address. */
export function notListening(address: string, cause: unknown): ZpmError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ZpmError(
    "input",
    `Cannot listen at ${address}: ${reason}`,
    "Choose another port with --port N, or any that is free with --port 0",
    { cause },
  );
}

/** The commit could not be written; nothing was changed. */
export function notSaved(
  reason: string,
  hint = "Nothing was changed; retry when the cause is gone",
): ZpmError {
  return new ZpmError("not_saved", `Not saved: ${reason}`, hint);
}

/** Another process keeps the lock for longer than the caller can wait. */
export function heldBy(holder: { pid: number; since: string } | undefined): ZpmError {
  return notSaved(`the memory is ${heldText(holder)}`, heldHint(holder));
}

/** The same for a read: what others wrote cannot be taken while one of them holds the lock. */
export function notReadHeldBy(holder: { pid: number; since: string } | undefined): ZpmError {
  return new ZpmError(
    "limit",
    `Cannot read the memory: it is ${heldText(holder)}`,
    heldHint(holder),
  );
}

function heldText(holder: { pid: number; since: string } | undefined): string {
  return holder ? `held by process ${holder.pid} since ${holder.since}` : "held by another process";
}

function heldHint(holder: { pid: number; since: string } | undefined): string {
  const who = holder ? `process ${holder.pid}` : "that process";
  return `Retry; if ${who} is stopped, continue it or end it`;
}

/** A write failed and could not be undone; only the file can tell what became of it. */
export function outcomeUnknown(reason: string): ZpmError {
  return new ZpmError(
    "outcome_indeterminate",
    `Not saved: outcome unknown, ${reason}`,
    "Nothing more is written by this process; restart it, then check with a query what was saved",
  );
}

/** The log is only read: `problem` is the sentence that says why. */
export function journalClosed(problem: string): ZpmError {
  return new ZpmError(
    "corrupt",
    `Not saved: ${problem}`,
    "Run 'zpm doctor' to see the whole report",
  );
}

/** A memory that is not among those this process works with. */
export function memoryNotMounted(name: string): ZpmError {
  return new ZpmError(
    "memory_missing",
    `Memory not mounted: ${name}`,
    "Mount it with mount_memory; list_memories shows what there is",
  );
}

/** No folder of that name, in neither scope. */
export function memoryNotFound(name: string): ZpmError {
  return new ZpmError(
    "memory_missing",
    `Memory '${name}' not found`,
    "Make it with create_memory; list_memories shows what there is",
  );
}

/** One name, one memory, in whatever scope. */
export function memoryExists(name: string): ZpmError {
  return new ZpmError(
    "input",
    `Memory '${name}' already exists`,
    "Mount it with mount_memory, or choose another name",
  );
}

export function memoryMounted(name: string): ZpmError {
  return new ZpmError(
    "input",
    `Memory '${name}' is already mounted`,
    "Unmount it first to mount it in another mode",
  );
}

export function memoryNotMountedByName(name: string): ZpmError {
  return new ZpmError(
    "memory_missing",
    `Memory '${name}' is not mounted`,
    "list_memories shows what is",
  );
}

export function defaultStaysMounted(): ZpmError {
  return new ZpmError(
    "input",
    "Cannot unmount the default memory",
    "Only memories mounted with mount_memory can be unmounted",
  );
}

/** No `--global-dir`, no ZPM_GLOBAL_DIR, and no home directory. */
export function noGlobalScope(): ZpmError {
  return new ZpmError(
    "input",
    "InvalidArguments",
    "There is no global scope here: set --global-dir or ZPM_GLOBAL_DIR, or use the project scope",
  );
}

/** The reference's word for it is `ExecutionFailed`. */
export function snapshotMissing(name: string): ZpmError {
  return new ZpmError(
    "not_found",
    "ExecutionFailed",
    `There is no snapshot ${name}: list_snapshots shows what there is`,
  );
}

/** Knowledge files are never overwritten by a snapshot. */
export function notASnapshot(file: string): ZpmError {
  return new ZpmError(
    "input",
    "InvalidArguments",
    `${file} exists and is not a snapshot: choose another name`,
  );
}

/** Names are compared without case, since some file systems do. */
export function snapshotBusy(file: string): ZpmError {
  return new ZpmError(
    "input",
    "InvalidArguments",
    `There is a snapshot in kb/${file}, whose name differs in case only: choose another name`,
  );
}

/** A text argument that does not read, where no more exact sentence exists. */
export function unreadable(what: string, reason: string, at: Position): ZpmError {
  return new ZpmError(
    "syntax",
    `Cannot read the ${what}: ${reason} at line ${at.line}, column ${at.column}`,
    "Correct the text there and send it again",
    { at },
  );
}

/** A text argument beyond `limits.text_bytes`. */
export function tooLong(what: string): ZpmError {
  return new ZpmError("limit", "Stopped: size", `"${what}" is longer than 4 MiB; send it in parts`);
}

/** The caller took the call back; over MCP nobody sees this. */
export function cancelled(): ZpmError {
  return new ZpmError("cancelled", "Stopped: cancelled", "The caller cancelled this call");
}

/** Input ended, or the process was asked to stop, while a read ran on (SPEC 1.4). */
export function shuttingDown(): ZpmError {
  return new ZpmError(
    "cancelled",
    "Stopped: end of input",
    "The server is stopping; start it again and repeat the call",
  );
}

/** The disk does not give back what is on it. */
export function notRead(reason: string): ZpmError {
  return new ZpmError(
    "corrupt",
    `Cannot read the memory: ${reason}`,
    "Nothing was changed; run 'zpm doctor' to see what is wrong with its files",
  );
}

const LIMIT_HINTS: Record<string, string> = {
  inferences: "Make the goal more specific, or give it more time with timeout_ms",
  memory: "Make the goal more specific, or ask for fewer solutions with limit",
  size: "Ask for smaller terms or numbers",
  depth: "Flatten the term: nesting is limited, the length of a list is not",
};

/** A limit that stopped a call; `partial` is what was found before it. */
export function stopped(limit: string, partial?: Record<string, unknown>): ZpmError {
  const hint = LIMIT_HINTS[limit.split(" ")[0]] ??
    "Make the goal more specific, or raise the deadline: timeout_ms, --deadline-ms, ZPM_DEADLINE_MS";
  return new ZpmError("limit", `Stopped: ${limit}`, hint, { partial });
}

/** A limit that stopped a change; a term that is too deep is so in smaller parts, too. */
export function stoppedWriting(limit: string): ZpmError {
  if (limit.startsWith("depth")) return stopped(limit);
  const raise = limit.startsWith("time")
    ? "raise the deadline (timeout_ms, --deadline-ms, ZPM_DEADLINE_MS) or "
    : "";
  const hint = `Nothing was changed; ${raise}send it in smaller parts`;
  return new ZpmError("limit", `Stopped: ${limit}`, hint);
}

/** Clauses of integrity_violation/N threw; `says` is what the others found (SPEC 1.4). */
export function checksFailed(
  says: string,
  lines: string[],
  partial: Record<string, unknown>,
): ZpmError {
  return new ZpmError("raised", "Not everything could be checked", lines.join("\n"), {
    says,
    partial,
  });
}

/** The call killed its engine; other requests queued on it are run again. */
export function engineLost(line = ""): ZpmError {
  return new ZpmError(
    "engine_lost",
    "The engine stopped on this call and was replaced; nothing was changed",
    line === ""
      ? "The text is probably nested too deeply or too long for one term: split it, then retry"
      : `The clause in line ${line} is probably nested too deeply or too long for one term: split it, then retry`,
  );
}

/** A write to a memory whose log or mount does not allow it. */
export function readOnlyMemory(name: string, why: string): ZpmError {
  return new ZpmError("read_only", `Memory is read-only: ${name}`, why);
}
