/**
 * Words for documented files and their operations (SPEC part 2). An `OperationError` says as well which problem of
 * the typed API it is; what every other error is there, `problemOf` decides. The first page is `errors.ts`.
 */
import { type ErrorCode, ZpmError } from "./errors.ts";
import type { Fault } from "./faults.ts";

/** The problems of the typed API: the end of `urn:charon:...`, and the status. */
export const PROBLEMS = {
  "request-unreadable": { status: 400, title: "Unreadable request" },
  "argument-invalid": { status: 422, title: "Invalid argument" },
  "argument-missing": { status: 422, title: "Missing argument" },
  "argument-unknown": { status: 422, title: "Unknown argument" },
  "argument-duplicate": { status: 422, title: "Duplicate argument" },
  "no-solution": { status: 422, title: "No solution" },
  "prolog-error": { status: 422, title: "Prolog error" },
  "procedure-undefined": { status: 500, title: "Undefined procedure" },
  "answer-unrepresentable": { status: 500, title: "Unrepresentable answer" },
  "key-not-unique": { status: 500, title: "Key not unique" },
  "persist-failed": { status: 500, title: "Persist failed" },
  "internal-error": { status: 500, title: "Internal error" },
  "persistence-required": { status: 403, title: "Persistence required" },
  "cross-origin": { status: 403, title: "Cross-origin request" },
  "not-found": { status: 404, title: "Not found" },
  "method-not-allowed": { status: 405, title: "Method not allowed" },
  "limit-exceeded": { status: 503, title: "Limit exceeded" },
} as const;

export type Problem = keyof typeof PROBLEMS;

/** An error of an operation, with the problem it is and the argument it is about. */
export class OperationError extends ZpmError {
  readonly problem: Problem;
  readonly argument?: string;

  constructor(
    problem: Problem,
    code: ErrorCode,
    message: string,
    hint: string,
    argument?: string,
  ) {
    super(code, message, hint);
    this.problem = problem;
    this.argument = argument;
  }
}

/** Which problem an error is. */
export function problemOf(error: ZpmError): Problem {
  if (error instanceof OperationError) return error.problem;
  switch (error.code) {
    case "limit":
    case "engine_lost":
    case "cancelled":
      return "limit-exceeded";
    case "not_saved":
    case "read_only":
      return "persist-failed";
    case "raised":
    case "not_allowed":
    case "memory_missing":
      return "prolog-error";
    default:
      return "internal-error";
  }
}

/** A problem as RFC 9457 has it. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  argument?: string;
  hint?: string;
}

export function problemBody(
  name: Problem,
  detail: string,
  { argument, hint }: { argument?: string; hint?: string } = {},
): ProblemBody {
  const { status, title } = PROBLEMS[name];
  return { type: `urn:charon:${name}`, title, status, detail, argument, hint };
}

/** The ways out for callers of operations, where an error names those of the tools of a memory. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  limit: "Ask for less, or let the server be started with a greater --deadline-ms",
  not_allowed:
    "No other request mends this: operations reach neither files nor processes, and change only what " +
    "their file declares dynamic, by names that begin with put_, post_, patch_ or delete_",
};

/** The problem that an error is, in full. */
export function problemBodyOf(error: ZpmError): ProblemBody {
  const { code, message, hint } = error;
  if (!(error instanceof OperationError)) {
    return problemBody(problemOf(error), message, { hint: HINTS[code] ?? hint });
  }
  return problemBody(error.problem, message, { argument: error.argument, hint });
}

/** What Prolog reports of an operation; undefined for what is none of it. */
export function operationError(fault: Fault): ZpmError | undefined {
  const said = (key: string) => String(fault[key] ?? "");
  switch (fault.kind) {
    case "argument":
      return badArgument(said("problem"), said("argument"), said("why"));
    case "unreadable_request":
      return unreadableRequest(said("why"));
    case "no_solution":
      return new OperationError(
        "no-solution",
        "not_found",
        `${said("name")} has no solution for these arguments`,
        "It is declared det: it promises one solution; other arguments may have one",
      );
    case "persist_failed":
      return persistFailed(said("file"), said("why"), Number(fault.line));
    case "undefined_procedure":
      return new OperationError(
        "procedure-undefined",
        "raised",
        `The knowledge base calls ${said("predicate")}, which nobody defined`,
        "No other request mends this: define the predicate in the file",
      );
    case "unrepresentable_answer":
      return new OperationError(
        "answer-unrepresentable",
        "raised",
        `The answer holds ${said("what")}, which JSON cannot say`,
        "No other request mends this: the predicate must bind its outputs to plain terms",
      );
    case "unjournaled":
      return new OperationError(
        "prolog-error",
        "raised",
        `The call changes what a commit cannot hold: ${said("what")}`,
        "No other request mends this: change the predicate in the file",
      );
    case "key_not_unique":
      return new OperationError(
        "key-not-unique",
        "raised",
        `The collection ${said("collection")} has more than one row with the key ${said("key")}`,
        "Mend the file: 'zpm check' lists the keys that stand twice",
      );
  }
}

const ARGUMENT_PROBLEMS: Record<string, Problem> = {
  invalid: "argument-invalid",
  missing: "argument-missing",
  unknown: "argument-unknown",
  duplicate: "argument-duplicate",
};

function badArgument(problem: string, name: string, why: string): ZpmError {
  const about = ARGUMENT_PROBLEMS[problem];
  const message = `${problem} argument \`${name}\`: ${why}`;
  return new OperationError(
    about,
    "input",
    message,
    "Correct the argument; the description of the operation says what each takes",
    name,
  );
}

/** A request that could not be read at all. */
export function unreadableRequest(why: string): OperationError {
  return new OperationError(
    "request-unreadable",
    "syntax",
    `Cannot read the request: ${why}`,
    "Send the arguments in the query string, or as a JSON object in UTF-8",
  );
}

/** A change that is asked of a server that makes none. */
export function persistenceRequired(what: string): OperationError {
  return new OperationError(
    "persistence-required",
    "read_only",
    `${what} changes something, and this server was started without --persist`,
    "Start the server with --persist: changes are then made and written into the file",
  );
}

/** A change that the file could not take over. */
export function persistFailed(file: string, why: string, line?: number): OperationError {
  const place = line === undefined ? file : `${file}:${line}`;
  return new OperationError(
    "persist-failed",
    "not_saved",
    `${place}: the change cannot be saved: ${why}`,
    "Nothing was changed; only ground facts that have a line to themselves come and go",
  );
}

/** A change of a file that was edited, and does not load since then. */
export function editedFileNotLoaded(file: string, fault: ZpmError): OperationError {
  return new OperationError(
    "persist-failed",
    "not_saved",
    `${file}: the change cannot be saved: the file was edited, and does not load any more`,
    `Nothing was changed, and the version before is served. ${fault.message}\n${fault.hint}`,
  );
}

/** An operation that is not in the file any more when its turn comes. */
export function operationGone(name: string): OperationError {
  return new OperationError(
    "not-found",
    "not_found",
    `The file was edited, and ${name} is no operation of it any more`,
    "Ask for the list of operations",
  );
}

/** A disk that refuses: nothing was changed. */
export function cannotReplaceSource(file: string, why: string): ZpmError {
  return new ZpmError(
    "not_saved",
    `${file}: the change cannot be saved: ${why}`,
    "Nothing was changed; make room or mend the rights of the file and of its folder, then retry",
  );
}

/** A file that was loaded, and is not to be had any more. */
export function sourceNotRead(file: string, why: string): ZpmError {
  return new ZpmError(
    "not_saved",
    `Cannot read "${file}" again: ${why}`,
    "Nothing was changed, and the version before is served; put the file to its place, then retry",
  );
}

/** A file that is to be changed, and cannot be: told before anybody asks. */
export function sourceNotWritable(file: string, why: string): ZpmError {
  return new ZpmError(
    "read_only",
    `Cannot change "${file}": ${why}`,
    "With --persist the file and its folder must be writable; without it the file is only read",
  );
}

/** A file that another process changes. */
export function sourceTaken(file: string, holder?: { pid: number; since: string }): ZpmError {
  const who = holder ? `process ${holder.pid}, since ${holder.since}` : "another process";
  return new ZpmError(
    "conflict",
    `"${file}" is already served with --persist, by ${who}`,
    "One server at a time changes a file: stop that one, or leave --persist out",
  );
}

/** A documented file that is not served, with a line for each thing that is wrong in it. */
export class FileNotLoaded extends ZpmError {
  constructor(file: string, lines: string[]) {
    const message = `Cannot load "${file}": ${lines.length} error(s)`;
    super("syntax", message, [...lines, "Mend the file there, then retry"].join("\n"));
  }
}

export function fileNotLoaded(file: string, lines: string[]): ZpmError {
  return new FileNotLoaded(file, lines);
}
