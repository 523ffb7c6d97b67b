/** Words of a command line (SPEC 1.4, "CLI"). */
import assert from "node:assert/strict";
import { type Option, sortWords, splitCommand } from "../../src/cli/options.ts";

const known: Option[] = [
  { name: "goal", type: "string", description: "" },
  { name: "max-depth", type: "integer", description: "" },
  { name: "tabled", type: "boolean", description: "" },
  { name: "fact", type: "list", description: "" },
  { name: "help", type: "boolean", description: "" },
];

function sort(...words: string[]) {
  const { options, positionals } = sortWords(words, known);
  return { ...Object.fromEntries(options), positionals };
}

function refused(words: string[], message: RegExp): void {
  assert.throws(() => sortWords(words, known), message);
}

Deno.test("an option of a list may be repeated, and keeps its order", () => {
  const { lists, options } = sortWords(["--fact", "b", "--fact=a", "--fact", "-1"], known);
  assert.deepEqual([lists.get("fact"), options.size], [["b", "a", "-1"], 0]);
  refused(["--fact"], /needs a value/);
});

Deno.test("options take the next word, or what follows =", () => {
  assert.deepEqual(sort("--goal", "p(X)"), { goal: "p(X)", positionals: [] });
  assert.deepEqual(sort("--goal=p(X)"), { goal: "p(X)", positionals: [] });
  assert.deepEqual(sort("--goal=X = 1\n, Y = 2"), { goal: "X = 1\n, Y = 2", positionals: [] });
  assert.deepEqual(sort("a", "--max-depth", "-1", "b"), {
    "max-depth": "-1",
    positionals: ["a", "b"],
  });
});

Deno.test("underscores in a name are hyphens", () => {
  assert.deepEqual(sort("--max_depth", "3"), { "max-depth": "3", positionals: [] });
  assert.deepEqual(sort("--max_depth=3"), { "max-depth": "3", positionals: [] });
});

Deno.test("a boolean is a flag, or says true or false", () => {
  assert.deepEqual(sort("--tabled", "p"), { tabled: true, positionals: ["p"] });
  assert.deepEqual(sort("--tabled", "true", "p"), { tabled: true, positionals: ["p"] });
  assert.deepEqual(sort("p", "--tabled", "false"), { tabled: false, positionals: ["p"] });
  assert.deepEqual(sort("--tabled=false"), { tabled: false, positionals: [] });
  assert.deepEqual(sort("--tabled", "--", "true"), { tabled: true, positionals: ["true"] });
  refused(["--tabled=maybe"], /is true or false, not "maybe"/);
});

Deno.test("a goal may begin with a dash; -- ends the options", () => {
  for (const goal of ["-X = 3", "-1", "- a", "-", "-(1) = X", "-p", "--foo(X)", "-X--Y"]) {
    assert.deepEqual(sort(goal), { positionals: [goal] });
    assert.deepEqual(sort("--goal", goal), { goal, positionals: [] });
  }
  assert.deepEqual(sort("--", "--goal", "-h"), { positionals: ["--goal", "-h"] });
  assert.deepEqual(sort("-h"), { help: true, positionals: [] });
});

Deno.test("mistakes are named, with what was meant", () => {
  refused(["--gaol", "p"], /Unknown option "--gaol", perhaps "--goal" is meant/);
  refused(["--goal"], /"--goal" needs a value/);
  refused(["--goal", "--tabled"], /"--goal" needs a value/);
  refused(["--goal", "--"], /"--goal" needs a value/);
  refused(["--goal", "a", "--goal", "b"], /"--goal" is given twice/);
  refused(["--constructor"], /Unknown option/);
});

Deno.test("the command is the first word that belongs to no option", () => {
  const split = (...words: string[]) => splitCommand(words, known);
  assert.deepEqual(split("--goal", "x", "serve", "--other"), {
    command: "serve",
    rest: ["--goal", "x", "--other"],
  });
  assert.deepEqual(split("--help"), { rest: ["--help"] });
  assert.throws(() => split("--other", "serve"), /Unknown option "--other"/);
});
