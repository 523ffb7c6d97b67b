/**
 * The second page of words: what Prolog reports, as data (`src/prolog/faults.pl`), in the sentences of SPEC 1.1.
 * The first page is `errors.ts`.
 */
import {
  bug,
  invalidArguments,
  memoryMounted,
  memoryNotMountedByName,
  OtherMemory,
  stopped,
  stoppedWriting,
  ZpmError,
} from "./errors.ts";
import { operationError } from "./operation_errors.ts";
import { renameError } from "./rename_errors.ts";
import { sentenceRefused, type VerbCode, verbCode } from "./verb_errors.ts";

/** What Prolog reports of a failed operation; `kind` chooses the sentence (`src/prolog/faults.pl`). */
export interface Fault {
  kind: string;
  [key: string]: unknown;
}

/** Which tool does what a refused goal wanted to do, by the class that `src/prolog/guards.pl` gives it. */
const INSTEAD: Record<string, string> = {
  database: "A question changes nothing: use remember_fact, define_rule or forget_fact",
  definitions:
    "Predicates come into being with remember_fact and define_rule, or in a kb/*.pl file",
  loading: "The libraries are already loaded; put clauses and directives into a kb/*.pl file",
  flags: "Flags and operators are fixed; a kb/*.pl file may declare operators with op/3",
  variables: "Pass values through arguments; facts are kept with remember_fact",
  files: "Goals cannot reach files: give the data to remember_fact or put it into a kb/*.pl file",
  input: "There is nothing to read from: write the value into the goal",
  process: "Goals cannot control the process: ask for facts and rules only",
  javascript: "Goals cannot reach JavaScript or the network: ask for facts and rules only",
};

/** Turns what Prolog reported into the words of SPEC 1.1. `where` is "query" or "rule". */
export function fromFault(fault: Fault, where = "query"): ZpmError {
  const said = (key: string) => String(fault[key] ?? "");
  const partial = fault.partial as Record<string, unknown> | undefined;
  switch (fault.kind) {
    case "input":
      return invalidArguments(said("why"));
    case "syntax":
      return syntaxError(`Cannot read the ${said("what")}: ${said("reason")}`, fault, true);
    case "rule_syntax_error":
      return syntaxError(`Invalid Prolog syntax in rule: ${said("reason")}`, fault, false);
    case "rule_syntax":
      return noRules(said("what"));
    case "not_allowed":
      return new ZpmError(
        "not_allowed",
        `Not allowed in a ${where}: ${said("goal")}`,
        INSTEAD[said("class")] ?? "Ask for facts and rules only",
        { partial },
      );
    case "no_match":
      return nothingToForget(said("fact"));
    case "batch":
      return batchRefused(fault);
    case "nothing_to_update":
      return nothingToUpdate(said("fact"));
    case "other_memory":
      return new OtherMemory(said("name"));
    case "snapshot_broken":
      return new ZpmError(
        "corrupt",
        `Cannot read the snapshot: ${said("reason")} at line ${said("line")}`,
        "Nothing was restored; mend the file there, or restore another snapshot",
      );
    case "mounted":
      return memoryMounted(said("name"));
    case "not_mounted":
      return memoryNotMountedByName(said("name"));
    case "unknown_assumption":
      return new ZpmError(
        "not_found",
        `Unknown assumption '${said("name")}'`,
        "list_assumptions shows those that facts stand on",
      );
    case "memory_missing":
      return memoryMissingOrQuotes(said("name"));
    case "unrepresentable":
      return invalidArguments(`The clause cannot be stored: it holds ${said("what")}`);
    case "limit":
      return where === "rule" ? stoppedWriting(said("limit")) : stopped(said("limit"), partial);
    case "raised":
      return raised(said("message"), said("term"), said("goal"), partial);
    default:
      return renameError(fault) ?? operationError(fault) ?? sentenceRefused(fault.kind, said) ??
        strange(fault);
  }
}

/** A kind that is none of ours was thrown by a goal. */
function strange({ kind, message, partial }: Fault): ZpmError {
  if (kind === "bug") return bug(String(message));
  const found = partial as Record<string, unknown> | undefined;
  return raised(`zpm(${kind}), which is no error of zpm`, "", "", found);
}

function syntaxError(message: string, fault: Fault, placed: boolean): ZpmError {
  const { line, column, hint } = fault;
  const at = typeof line === "number" && typeof column === "number" ? { line, column } : undefined;
  const place = placed && at ? ` at line ${at.line}, column ${at.column}` : "";
  return new ZpmError("syntax", message + place, String(hint || "Correct the text and retry"), {
    at,
  });
}

function noRules(what: string): ZpmError {
  return new ZpmError(
    "input",
    `${what} must not contain rule syntax`,
    what === "old_fact"
      ? "Rules are not updated: clear_context removes those whose head matches, define_rule adds one"
      : "Use define_rule to add a rule",
  );
}

function nothingToForget(fact: string): ZpmError {
  return new ZpmError(
    "not_found",
    `No matching clause found for: ${fact}`,
    "Only stored facts can be forgotten, not what rules derive: query_logic shows what there is",
  );
}

function nothingToUpdate(fact: string): ZpmError {
  return new ZpmError(
    "not_found",
    `No matching clause for: ${fact}`,
    "Nothing was changed; query_logic shows what is stored, upsert_fact stores a fact whether or not there is one to replace",
  );
}

/** What was to be done with a list of texts, and what did not happen since some of them are wrong. */
const BATCHES: Record<string, [attempt: string, instead: string]> = {
  facts: ["store the facts", "nothing was changed"],
  clauses: ["store the clauses", "nothing was changed"],
  suppositions: ["suppose that", "nothing was asked"],
  sentences: ["assert the sentences", "nothing was stored"],
  overlay: ["add the sentences", "nothing was added"],
};

/** Some of many are wrong; each has its place, an index from 0 in a list or a line from 1. */
function batchRefused(refusal: Fault): ZpmError {
  const { what, total, bad, faults } = refusal;
  if (!Array.isArray(faults)) return strange(refusal);
  const errors = (faults as Fault[]).map((fault) => {
    const { message, hint, ...more } = worded(fault);
    return { ...placeOf(fault), ...(what === "sentences" && more), message, hint };
  });
  const lines = errors.map(({ list, index, line, message, hint }) =>
    `${line === undefined ? `${list ?? what}[${index}]` : `line ${line}`}: ${message} (${hint})`
  );
  const more = Number(bad) - errors.length;
  const [attempt, instead] = BATCHES[String(what)];
  return new ZpmError(
    "input",
    `Cannot ${attempt}: ${bad} of ${total} refused, ${instead}`,
    [...lines, ...(more > 0 ? [`... and ${more} more`] : [])].join("\n"),
    { partial: { errors } },
  );
}

/** A single text may choose its memory, one of many may not. */
function worded(fault: Fault): { message: string; hint: string; code: VerbCode } {
  const error = fromFault(fault, "rule");
  const { message, hint } = error;
  const code = verbCode(error);
  if (!(error instanceof OtherMemory)) return { message, hint, code };
  const { memory } = error;
  return {
    message,
    code,
    hint: `All go to one memory: leave out "${memory}:" and name it as memory`,
  };
}

interface Place {
  list?: unknown;
  index?: unknown;
  line?: unknown;
}

function placeOf({ list, index, line, clause_line }: Fault): Place {
  if (index === undefined) return { line: line ?? clause_line };
  return list === undefined ? { index } : { list, index };
}

function memoryMissingOrQuotes(name: string): ZpmError {
  return new ZpmError(
    "memory_missing",
    `Memory not mounted: ${name}`,
    `NAME:GOAL addresses a memory that mount_memory has mounted; if "${name}:..." is data, quote it as one atom or pass it as an argument`,
  );
}

function raised(
  message: string,
  term: string,
  goal: string,
  partial?: Record<string, unknown>,
): ZpmError {
  const from = goal ? `It came from the goal: ${goal}` : "The goal threw it";
  const hint = term ? `${from}\nThe error term is ${term}` : from;
  return new ZpmError("raised", `Goal raised: ${message}`, hint, { partial });
}
