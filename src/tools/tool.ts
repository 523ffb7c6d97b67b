/**
 * What a tool is: one declaration, from which the MCP schema, the CLI command, the help, the README table
 * and the tests derive (STYLE section 5). A tool knows no face and no file.
 */
import type { Memory, ReadMemory } from "../memory/memory.ts";

/** An argument: flat by type, so that every tool has a command-line form. */
export interface Argument {
  /** An array is a list of texts; on the command line, repeated words. */
  type: "string" | "integer" | "boolean" | "array";
  description: string;
  required: boolean;
  /** Bounds of an integer, both included. */
  minimum?: number;
  maximum?: number;
  /** A string argument that may be empty or blank (only `echo` needs it). */
  blank?: boolean;
  /** What a name may look like: a regular expression over the whole text. */
  pattern?: string;
  /** The pattern in words, for the refusal. */
  rule?: string;
  /** The strings it may be. */
  choices?: readonly string[];
  /** On the command line the text is not typed but read from the file that is named. */
  file?: boolean;
}

export type Arguments = Record<string, Argument>;

type ValueOf<A extends Argument> = A["type"] extends "string" ? string
  : A["type"] extends "integer" ? number
  : A["type"] extends "array" ? string[]
  : boolean;

/** The arguments as `run` receives them: present when required, otherwise perhaps undefined. */
export type ArgumentsOf<I extends Arguments> =
  & { [K in keyof I as I[K]["required"] extends true ? K : never]: ValueOf<I[K]> }
  & { [K in keyof I as I[K]["required"] extends true ? never : K]?: ValueOf<I[K]> };

/** A JSON Schema of a property of the result; flat or a list, never a `$ref` (clients drop those). */
export type OutputSchema = Record<string, Record<string, unknown>>;

/** What `run` returns. */
export interface Outcome<Structure extends Record<string, unknown> = Record<string, unknown>> {
  /** `structuredContent`, without `memory` and `warnings`, which `invoke` adds. */
  structure: Structure;
  /** Shown in the second text item and in the structure: each half of a result is complete alone. */
  warnings?: string[];
  /** Shown in the second text item only: what was cut and how to get the rest. */
  notes?: string[];
}

interface Declaration<
  Effect extends "read" | "write",
  Input extends Arguments,
  Structure extends Record<string, unknown>,
> {
  /** The file's name, the MCP name, the journal's `by`; with hyphens the command. */
  name: string;
  title: string;
  /** `read` tools cannot write: their `memory` has no `commit`. */
  effect: Effect;
  idempotent: boolean;
  destructive: boolean;
  /** At most 80 characters, for lists of tools. */
  summary: string;
  /** The reference's first sentence where it is true of zpm, then when to use the tool. */
  description: string;
  /** In the order of the reference; the first required one may be given positionally on the command line. */
  input: Input;
  /** The properties of the structure (SPEC 1.6). */
  output: OutputSchema;
  /** At least one; run on every face by the tests, printed in the help. */
  examples: {
    input: Partial<Record<keyof Input, string | number | boolean | readonly string[]>>;
    says: string;
  }[];
  run(
    memory: Effect extends "read" ? ReadMemory : Memory,
    input: ArgumentsOf<Input>,
  ): Promise<Outcome<Structure>> | Outcome<Structure>;
  /** The first text item: the words of the reference. */
  say(structure: Structure): string;
}

/** A tool of any shape, as the faces and the registry see it. */
// deno-lint-ignore no-explicit-any -- a list of tools of different shapes; `defineTool` has checked each.
export type Tool = Declaration<"read" | "write", any, any>;

/** Checks a declaration's types; its value is the declaration itself. */
export function defineTool<
  const Effect extends "read" | "write",
  const Input extends Arguments,
  Structure extends Record<string, unknown>,
>(declaration: Declaration<Effect, Input, Structure>): Tool {
  return declaration as unknown as Tool;
}

export function text(description: string) {
  return { type: "string", description, required: true } as const;
}

/** Several texts. */
export function texts(description: string) {
  return { type: "array", description, required: true } as const;
}

export function count(description: string, bounds: { minimum: number; maximum?: number }) {
  return { type: "integer", description, required: true, ...bounds } as const;
}

export function flag(description: string) {
  return { type: "boolean", description, required: true } as const;
}

export function choice<const C extends readonly string[]>(description: string, choices: C) {
  return { type: "string", description, required: true, choices } as const;
}

/** The same argument, not required. */
export function optional<const A extends Argument>(argument: A) {
  return { ...argument, required: false } as Omit<A, "required"> & { required: false };
}

/** What a memory may be called (SPEC 1.4). */
const MEMORY_NAME = {
  pattern: "^[a-z][a-z0-9_]{0,63}$",
  rule: "a lower-case letter, then lower-case letters, digits or _, at most 64 in all",
} as const;

/** The common `memory` argument; some tools of the reference have a sentence of their own. */
export function memoryName(
  description = "Target memory segment (optional, defaults to default memory)",
) {
  return optional({ ...text(description), ...MEMORY_NAME });
}

/** The name of a memory beside the default one, as an argument of its own. */
export function newMemoryName(description: string) {
  return { ...text(description), ...MEMORY_NAME } as const;
}

/** The name of a snapshot, which becomes the name of a file; names of Windows devices are none. */
export function snapshotName(description: string) {
  return { ...text(description), ...SNAPSHOT_NAME } as const;
}

/** What a snapshot may be called (SPEC 1.4). */
const SNAPSHOT_NAME = {
  pattern:
    "^(?!([cC][oO][nN]|[pP][rR][nN]|[aA][uU][xX]|[nN][uU][lL]|[cC][oO][mM][1-9]|[lL][pP][tT][1-9])$)" +
    "[A-Za-z0-9][A-Za-z0-9_-]{0,63}$",
  rule: "letters, digits, _ or -, at most 64, no Windows device name",
} as const;
