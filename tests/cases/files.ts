/** L: knowledge files. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import {
  all,
  ask,
  call,
  explain,
  fails,
  file,
  remember,
  restart,
  type Rows,
  type Step,
  structure,
} from "../support/cases.ts";

/** A file of `kb`, loaded. */
const load = (name: string, ...lines: string[]): Step[] => [
  file(`.zpm/kb/${name}`, lines.join("\n") + "\n"),
  restart,
];

/** What the start said has a line that begins like this. */
const reported = (...patterns: RegExp[]): Step => async (world) => {
  // The first call waits for the engine, which is what loads files.
  await world.call("query_logic", { goal: "true" });
  for (const pattern of patterns) match(world.reports.join("\n"), pattern);
};

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  new Uint8Array(
    parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : part),
  );

export const files: Rows = {
  L01: [
    ...load("bad.pl", "a(1).", "a(2", "b(1).", "c(1)."),
    reported(/^kb\/bad\.pl:2: error: Syntax error: .*; lines 2 to 3 were skipped$/m),
    ask("a(X) ; c(X)", [{ X: 1 }, { X: 1 }]),
    ask("b(X)", structure({ answers: [], unknown: ["b/1"] })),
    // Without a blank behind their dots, two clauses would read as one of another predicate.
    ...load("dots.pl", "d(1).", "d(2).d(3).", "d('.'(a, b)).", "d(a.b).", "d(4)."),
    reported(
      /^kb\/dots\.pl:2: error: Syntax error: an unquoted dot .*; the clause was skipped$/m,
      /^kb\/dots\.pl:4: error: Syntax error: an unquoted dot .*; the clause was skipped$/m,
    ),
    ask("d(X), integer(X)", [{ X: 1 }, { X: 4 }]),
    ask("d('.'(X, Y))", [{ X: "a", Y: "b" }]),
  ],
  L03: [
    file(".zpm/kb/x.pl", "city(rome).\n"),
    ...load("y.pl", "city(oslo)."),
    ask("city(C)", [{ C: "rome" }, { C: "oslo" }]),
  ],
  L04: [
    ...load(
      "flags.pl",
      ":- set_prolog_flag(double_quotes, atom).",
      ":- op(200, xfy, &).",
      'quoted("a").',
    ),
    ask('X = "a", string(X)', structure({ exact: [{ X: '"a"' }] })),
    ask("quoted(X), atom(X)", [{ X: "a" }]),
    call("create_memory", { name: "other" }),
    call("mount_memory", { name: "other" }),
    ask("X = (a & b)", fails(/^Cannot read the goal/), { memory: "other" }),
  ],
  L05: [
    file(".zpm/kb/z_after.pl", "after(1).\n"),
    ...load(
      "main.pl",
      ":- initialization(main).",
      'main :- format("hi~n"), halt.',
      ":- write(x), nl.",
      ":- read(_).",
      ":- repeat, fail.",
      "loaded(1).",
    ),
    reported(
      /^kb\/main\.pl:1: .*initialization.* is not run/m,
      /^kb\/main\.pl:3: .*write\(x\).* is not run/m,
      /^kb\/main\.pl:4: .*read\(.* is not run/m,
      /^kb\/main\.pl:5: .*repeat.* is not run/m,
    ),
    ask("loaded(X), after(Y)", [{ X: 1, Y: 1 }]),
    ask("main", fails("Not allowed in a query: halt")),
  ],
  L06: [
    file(".zpm/kb/bom.pl", bytes([0xef, 0xbb, 0xbf], "bom('café').\r\nbom(2).\r\n")),
    file(".zpm/kb/declared.pl", bytes(":- encoding(iso_latin_1).\ndeclared('caf", [0xe9], "').\n")),
    file(".zpm/kb/undeclared.pl", bytes("good(1).\nundeclared('caf", [0xe9], "').\ngood(2).\n")),
    file(
      ".zpm/kb/wide.pl",
      bytes([0xff, 0xfe], [..."wide(1).\n"].flatMap((character) => [character.charCodeAt(0), 0])),
    ),
    file(".zpm/kb/script.pl", "#!/usr/bin/env swipl\nscript(1)."),
    restart,
    reported(/^kb\/undeclared\.pl:2: error: The text is not UTF-8/m),
    ask("bom(X)", [{ X: "café" }, { X: 2 }]),
    ask("declared(X)", [{ X: "café" }]),
    ask("good(X)", [{ X: 1 }, { X: 2 }]),
    ask("wide(X), script(Y)", [{ X: 1, Y: 1 }]),
    ask("undeclared(X)", []),
  ],
  L08: [
    file(".zpm/kb/helper.pl", ":- module(helper, [help/1]).\nhelp(1).\n"),
    file(".zpm/kb/second.pl", ":- module(m, []).\nsecond(1).\n"),
    ...load(
      "main.pl",
      ":- module(m, [p/1]).",
      ":- use_module(helper).",
      ":- include(missing).",
      "p(X) :- q(X), help(X).",
      "q(1).",
    ),
    reported(/^kb\/main\.pl:3: .*missing/m, /^kb\/second\.pl:1: .*\bm\b/m),
    ask("p(X)", [{ X: 1 }]),
    call("get_knowledge_schema", {}, (result) => {
      const names = (result.structure.predicates as { name: string }[]).map(({ name }) => name);
      deepStrictEqual(names.sort(), ["earlier", "help", "p", "q", "second"]);
    }),
  ],
  L09: [
    file(
      ".zpm/kb/many.pl",
      Array.from({ length: 100_000 }, (_, i) => `many(${i}, 'number ${i}', f(${i})).\n`).join(""),
    ),
    restart,
    ask("many(77777, X, Y)", [{ X: "number 77777", Y: "f(77777)" }]),
    ask("aggregate_all(count, many(_, _, _), N)", [{ N: 100_000 }]),
    ask("many(X, _, _)", structure({ truncated: true, next_offset: 100 })),
    ask("many(X, _, _)", all(structure({ truncated: true }), /more answers/), { limit: 10_000 }),
    call("get_kb_overview", {}, ({ texts }) => {
      ok(new TextEncoder().encode(texts[0]).length <= 65_536);
      ok(JSON.parse(texts[0]));
    }),
  ],
  L10: [
    ...load(
      "own.pl",
      "member(X, bag(X)).",
      "append(one, two, three).",
      "write(x) :- true.",
      "use_module(library(lists)).",
      "has(X) :- member(X, bag(7)).",
    ),
    reported(
      /^kb\/own\.pl:3: error: write\/1 is a built-in predicate/m,
      /^kb\/own\.pl:1: warning/m,
    ),
    ask("has(X)", [{ X: 7 }]),
    ask("append(A, B, C)", [{ A: "one", B: "two", C: "three" }]),
    ask("last([1, 2, 3], X), nth0(0, [a], Y), reverse([1, 2], Z)", [{ X: 3, Y: "a", Z: [2, 1] }]),
    ask("use_module(X)", [{ X: "library(lists)" }]),
    call("remember_facts", { facts: ["a(1)", "a(2)"] }),
    explain("has(7)", structure({ proven: true })),
  ],
  L11: [
    ...load("team.pl", "member_of(ann, core).", "member_of(bob, core)."),
    remember("member_of(eve, core)"),
    file(".zpm/kb/team.pl", "member_of(ann, core).\nmember_of(cid, core).\n"),
    restart,
    ask("member_of(X, core)", [{ X: "ann" }, { X: "cid" }, { X: "eve" }]),
    edited("team.pl", "member_of(dan, core).\n", "member_of(X, core)", [{ X: "dan" }, {
      X: "eve",
    }]),
    brokenEdit,
  ],
};

/** A file that is changed while the server runs is looked at once a second. */
function edited(name: string, text: string, goal: string, expected: unknown[]): Step {
  return async (world) => {
    await world.write(`.zpm/kb/${name}`, text);
    for (let tries = 0;; tries++) {
      const { texts } = await world.call("query_logic", { goal });
      if (texts[0] === JSON.stringify(expected) || tries === 100) {
        return strictEqual(texts[0], JSON.stringify(expected));
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
}

/** A version that does not load is reported, and the one before serves on. */
async function brokenEdit(world: Parameters<Step>[0]): Promise<void> {
  await world.write(".zpm/kb/team.pl", "member_of(ann, core\nmember_of(zoe, core).\n");
  for (let tries = 0; !world.reports.some((line) => /team\.pl:1/.test(line)); tries++) {
    ok(tries < 100, "the broken version should be reported");
    await world.call("query_logic", { goal: "true" });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await ask("member_of(X, core)", [{ X: "dan" }, { X: "eve" }])(world);
}
