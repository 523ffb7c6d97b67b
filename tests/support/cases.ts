/**
 * The language of `tests/cases`: a row is a list of steps, a step is a call and its right result.
 *
 *     P05: [
 *       define("mortal(X)", "human(X)"),
 *       ask("mortal(zeus)", []),
 *       remember(":- halt", fails("InvalidArguments", /directive/)),
 *     ],
 *
 * Each row has an empty project. A call that fails has to leave the journals as they were; after each row the
 * server still answers, and what was known before is still known.
 */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { openWorld, type Result, type World } from "./world.ts";

export type Step = (world: World) => Promise<void>;
export type Row = readonly Step[];
/** By the names of the cases. */
export type Rows = Readonly<Record<string, Row>>;

/**
 * The right result: a text is the first text of a success, an array or an object is what that text says as JSON,
 * a pattern is found in one of its texts, a function looks for itself; nothing is any success.
 */
export type Expected =
  | undefined
  | string
  | RegExp
  | readonly unknown[]
  | Record<string, unknown>
  | ((result: Result) => void);

const EARLIER = { ".zpm/kb/earlier.pl": "earlier(fact).\n" };

/** The project of a row that left it as it was serves the next one. */
let spare: World | undefined;

/** Runs one row. */
export async function runRow(row: Row): Promise<void> {
  const world = spare ?? await openWorld(EARLIER);
  spare = undefined;
  try {
    for (const step of row) await step(world);
    await ask("X = alive, earlier(fact)", [{ X: "alive" }])(world);
    if (await world.untouched()) spare = world;
  } finally {
    if (spare !== world) await world.remove();
  }
}

/** Takes away what the last row left. */
export async function endRows(): Promise<void> {
  await spare?.remove();
  spare = undefined;
}

/** Any tool. */
export function call(name: string, input: Record<string, unknown>, expected?: Expected): Step {
  return async (world) => {
    const before = await world.journals();
    const result = await world.call(name, input);
    try {
      check(result, expected);
      if (result.isError) {
        strictEqual(await world.journals(), before, "a failed call was journaled");
      }
    } catch (error) {
      const said = `${name} ${cut(JSON.stringify(input))} said ${cut(result.texts.join("\n  "))}`;
      throw new Error(`${said}\n${error instanceof Error ? error.message : error}`);
    }
  };
}

export function ask(goal: string, expected?: Expected, more: Record<string, unknown> = {}): Step {
  return call("query_logic", { goal, ...more }, expected);
}

export function remember(fact: string, expected?: Expected): Step {
  return call("remember_fact", { fact }, expected);
}

export function define(head: string, body: string, expected?: Expected): Step {
  return call("define_rule", { head, body }, expected);
}

export function forget(fact: string, expected?: Expected): Step {
  return call("forget_fact", { fact }, expected);
}

export function assume(fact: string, assumption: string, expected?: Expected): Step {
  return call("assume_fact", { fact, assumption }, expected);
}

export function explain(fact: string, expected?: Expected, more = {}): Step {
  return call("explain_why", { fact, ...more }, expected);
}

/** The tool fails, with this first text and, in one of the others, the way out. */
export function fails(message: string | RegExp, hint?: RegExp): (result: Result) => void {
  return (result) => {
    ok(result.isError, "should have failed");
    if (typeof message === "string") strictEqual(result.texts[0], message);
    else match(result.texts[0], message);
    if (hint) match(result.texts.slice(1).join("\n"), hint);
  };
}

/** The tool succeeds as expected, and warns, in the texts and in the structure. */
export function warns(expected: Expected, warning: RegExp): (result: Result) => void {
  return (result) => {
    check(result, expected);
    match(result.texts.slice(1).join("\n"), warning);
    match((result.structure.warnings as string[] ?? []).join("\n"), warning);
  };
}

/** The structure has these members, among others. */
export function structure(expected: Record<string, unknown>): (result: Result) => void {
  return (result) => {
    ok(!result.isError, "should not have failed");
    for (const [name, value] of Object.entries(expected)) {
      deepStrictEqual(result.structure[name], value, name);
    }
  };
}

/** Several at once. */
export function all(...expected: Expected[]): (result: Result) => void {
  return (result) => {
    for (const one of expected) check(result, one);
  };
}

export const restart: Step = (world) => world.restart();

/** A file of the project, there from the next call that looks. */
export function file(path: string, content: string | Uint8Array): Step {
  return (world) => world.write(path, content);
}

/** The same for many texts. */
export function each<T>(items: readonly T[], step: (item: T) => Step): Step {
  return async (world) => {
    for (const item of items) await step(item)(world);
  };
}

function check(result: Result, expected: Expected): void {
  if (typeof expected === "function") return expected(result);
  ok(!result.isError, "should not have failed");
  if (typeof expected === "string") strictEqual(result.texts[0], expected);
  else if (expected instanceof RegExp) match(result.texts.join("\n"), expected);
  else if (expected) deepStrictEqual(JSON.parse(result.texts[0]), expected);
}

function cut(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}...` : text;
}
