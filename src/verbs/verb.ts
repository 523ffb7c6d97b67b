/**
 * What a verb is: a declaration like that of a tool, run for a principal on a fork (SPEC 3.2).
 *
 * A verb knows no server: who calls, when, and on which memory is handed to it with each call. Sentences are read in
 * TypeScript only where they are EDN, and then handed on as data; what they mean is Prolog's business. Prolog knows
 * sentexes by their keys, clients by their numbers: `withHandles` puts these in the place of those.
 */
import type { Handles, SentexKey } from "../authority/handles.ts";
import { bug, ZpmError } from "../base/errors.ts";
import { doneWithoutHandle, verbCode, verbSentence } from "../base/verb_errors.ts";
import type { Memory, Plain, ReadMemory } from "../memory/memory.ts";
import type { Author } from "../memory/past.ts";
import { readArguments } from "../tools/arguments.ts";
import type { ToolResult } from "../tools/invoke.ts";
import { inputSchema, type ObjectSchema, outputSchema } from "../tools/schema.ts";
import type { Arguments, ArgumentsOf, Outcome, Tool } from "../tools/tool.ts";
import { readForm } from "./edn.ts";

export type Syntax = "edn" | "prolog";

/** One call: by whom, when, and on what. */
export interface VerbCall<M extends ReadMemory = Memory> {
  /** The memory of the fork; the one who gives it sees to it that a commit is still allowed. */
  memory: M;
  handles: Handles;
  /** The name of the principal, kept as the creator of what it asserts. */
  principal: string;
  /** ISO 8601, kept as the time of what is asserted. */
  at: string;
  syntax: Syntax;
  /** The context in which the clauses of the base stand. */
  base_context: string;
}

interface Declaration<
  Effect extends "read" | "write",
  Input extends Arguments,
  Structure extends Record<string, unknown>,
> extends Omit<Tool, "effect" | "input" | "examples" | "run" | "say"> {
  effect: Effect;
  input: Input;
  /** The same call in both syntaxes; `says` is a part of the structure that it is answered with. */
  examples: Record<Syntax, Tool["examples"][number]>;
  run(
    call: VerbCall<Effect extends "read" ? ReadMemory : Memory>,
    input: ArgumentsOf<Input>,
  ): Promise<Outcome<Structure>>;
}

/** A verb of any shape. */
// deno-lint-ignore no-explicit-any -- a list of verbs of different shapes; `defineVerb` has checked each.
export type Verb = Declaration<"read" | "write", any, any> & { tool: Tool };

/** Checks a declaration's types; `tool` is the same for those who list tools. */
export function defineVerb<
  const Effect extends "read" | "write",
  const Input extends Arguments,
  Structure extends Record<string, unknown>,
>(declaration: Declaration<Effect, Input, Structure>): Verb {
  const say = (structure: Record<string, unknown>) => JSON.stringify(structure);
  const run = () => Promise.reject(bug(`the verb ${declaration.name} was run as a tool`));
  const examples = Object.values(declaration.examples);
  return { ...declaration, tool: { ...declaration, examples, say, run } } as unknown as Verb;
}

/** The JSON Schemas of a verb; a failed one has `code` and `error` in the place of a tool's `error`. */
export function verbSchemas({ tool }: Verb): { input: ObjectSchema; output: ObjectSchema } {
  const output = outputSchema(tool);
  const { error: _, ...properties } = output.properties;
  return {
    input: inputSchema(tool),
    output: { ...output, properties: { ...properties, ...FAILED } },
  };
}

const FAILED = {
  code: { type: "string", description: "Kind of failure, such as undeclared-predicate" },
  error: { type: "string", description: "Why the call failed, and the way out" },
  errors: {
    type: "array",
    items: { type: "object", additionalProperties: true },
    description: "What is wrong with single ones of many sentences, by index",
  },
};

/** Runs a verb and words whatever comes of it. */
export async function invokeVerb(
  verb: Verb,
  rawArguments: unknown,
  call: VerbCall,
): Promise<ToolResult> {
  try {
    const input = readArguments(verb.tool, rawArguments);
    const { structure, warnings, notes } = await verb.run(call, input as never);
    const whole = { ...structure, ...(warnings && warnings.length > 0 && { warnings }) };
    return { texts: [JSON.stringify(whole), ...notes ?? []], structure: whole, isError: false };
  } catch (error) {
    return verbFailure(error);
  }
}

/** The result of a verb that was refused or failed, also where it did not come to run. */
export function verbFailure(thrown: unknown): ToolResult {
  const error = thrown instanceof ZpmError ? thrown : bug(String(thrown), thrown);
  const code = verbCode(error);
  const sentence = verbSentence(error);
  const { errors } = error.partial ?? {};
  return {
    // A JSON string is an EDN string, but for two escapes that JSON.stringify does not write.
    texts: [`{:code :${code} :error ${JSON.stringify(sentence)}}`],
    structure: { code, error: sentence, ...(errors !== undefined && { errors }) },
    isError: true,
  };
}

/** A sentence, goal, pattern or context, as it crosses to Prolog. */
export function form({ syntax }: Pick<VerbCall, "syntax">, text: string, what: string): Plain {
  return syntax === "edn" ? readForm(text, what) : text;
}

/** What Prolog has to know of every call. */
export function common({ syntax, base_context }: VerbCall<ReadMemory>) {
  return { syntax, base_context };
}

/** The same for a write: what is kept of who made it. */
export function signed(call: VerbCall) {
  return { ...common(call), creator: call.principal, at: call.at };
}

/** What Prolog answers, with the numbers of sentexes in the place of their places among `keys`. */
export async function withHandles<Body extends { keys: SentexKey[] }>(
  { handles }: Pick<VerbCall, "handles">,
  { keys, ...body }: Body,
): Promise<Omit<Body, "keys">> {
  const numbers = keys.length === 0 ? [] : await handles.handlesOf(keys);
  return mapped(
    body,
    (name, value) => isHandle(name) ? numbers[value as number] : undefined,
  ) as Omit<Body, "keys">;
}

/** The same for a write, which is done by now: that a number cannot be kept must not read as if it were not. */
export async function withHandlesOfWrite<Body extends { keys: SentexKey[] }>(
  call: Pick<VerbCall, "handles">,
  body: Body,
): Promise<Omit<Body, "keys">> {
  return await withHandles(call, body).catch((error) => {
    throw doneWithoutHandle(error instanceof ZpmError ? error.message : String(error));
  });
}

/** The same for what names authors: where Prolog knows but the commit, the journal knows who made it, and when. */
export async function withAuthors<Body extends { keys: SentexKey[] }>(
  call: Pick<VerbCall<ReadMemory>, "handles" | "memory">,
  body: Body,
): Promise<Omit<Body, "keys">> {
  const commits = new Set<number>();
  mapped(body, (name, value) => {
    if (name === "provenance") addCommit(commits, value);
    return undefined;
  });
  const { authors } = commits.size === 0
    ? { authors: [] }
    : await call.memory.ask<{ authors: Author[] }>({ op: "authors", commits: [...commits] });
  const known = new Map(authors.map((author) => [author.number, author]));
  const named = mapped(
    body,
    (name, value) => name === "provenance" ? provenanceOf(value as Provenance, known) : undefined,
  ) as Body;
  return await withHandles(call, named);
}

type Provenance = { commit: number } | { creator: string; asserted_at: string | null };

function addCommit(commits: Set<number>, value: unknown): void {
  const { commit } = value as { commit?: number };
  if (commit !== undefined) commits.add(commit);
}

function provenanceOf(provenance: Provenance, known: Map<number, Author>): Provenance {
  if (!("commit" in provenance)) return provenance;
  const author = known.get(provenance.commit);
  return { creator: author?.who ?? "fork", asserted_at: author?.time ?? null };
}

/** A copy, in which members have the value that `change` gives them, unless that is undefined. */
function mapped(value: unknown, change: (name: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      change(name, inner) ?? mapped(inner, change),
    ]),
  );
}

function isHandle(name: string): boolean {
  return name === "handle" || name === "except_handle";
}
