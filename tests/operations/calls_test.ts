/** Calling operations: values in both directions, shapes, errors, caps (SPEC 2.1, 2.2). */
import assert from "node:assert/strict";
import { OperationError } from "../../src/base/operation_errors.ts";
import { problemOf } from "../../src/base/operation_errors.ts";
import { ZpmError } from "../../src/base/errors.ts";
import type { Given, OperationService } from "../../src/operations/service.ts";
import { withService } from "../support/operation_file.ts";

const options = { sanitizeOps: false, sanitizeResources: false };
const CONTEXT = { client: "test" };

/** The answer as JSON text, or the problem, with the argument it is about. */
async function outcome(
  service: OperationService,
  name: string,
  given: Partial<Given>,
): Promise<string> {
  const operation = service.set.operations.find((one) => one.name === name);
  assert.ok(operation, name);
  try {
    const { result, truncated } = await service.call(operation, { query: [], ...given }, CONTEXT);
    return JSON.stringify(result) + (truncated ? " ..." : "");
  } catch (error) {
    assert.ok(error instanceof ZpmError, String(error));
    const argument = error instanceof OperationError ? error.argument : undefined;
    return problemOf(error) + (argument === undefined ? "" : ` ${argument}`);
  }
}

const ECHO = `
%! int(+X:int, -Y:int) is det.
int(X, X) :- integer(X).
%! float(+X:float, -Y:float) is det.
float(X, X) :- float(X).
%! number(+X:number, -Y:number) is det.
number(X, X).
%! word(+X:atom, -Y:atom) is det.
word(X, X) :- atom(X).
%! text(+X:string, -Y:string) is det.
text(X, X) :- string(X).
%! truth(+X:bool, -Y:bool) is det.
truth(X, X).
%! words(+X:list(atom), -Y:list(atom)) is det.
words(X, X) :- maplist(atom, X).
%! matrix(+X:list(list(int)), -Y:list(list(int))) is det.
matrix(X, X).
%! thing(+X:term, -Y:term) is det.
thing(X, X).
%! between_(+X:between(-3, 3), -Y:any) is det.
between_(X, X).
%! one(+X:oneof([low, 2, "s"]), -Y:any) is det.
one(X, X).
%! nat(+X:nonneg, -Y:any) is det.
nat(X, X).
%! pos(+X:positive_integer, -Y:any) is det.
pos(X, X).
`;

const bad = "argument-invalid X";

/** Predicate, JSON of X, outcome. */
const BODIES: [string, string, string][] = [
  ["int", "82", "82"],
  ["int", "9007199254740993", '"9007199254740993"'],
  ["int", "-9007199254740991", "-9007199254740991"],
  ["int", "123456789012345678901234567890", '"123456789012345678901234567890"'],
  ["int", "5.0", bad],
  ["int", "1e2", bad],
  ["int", "1e400", bad],
  ["int", "true", bad],
  ["int", "null", bad],
  ["int", '"5"', bad],
  ["int", "[5]", bad],
  ["int", "-0", "0"],
  ["float", "5", "5.0"],
  ["float", "1e400", bad],
  ["float", "2.5e-3", "0.0025"],
  ["number", "5", "5"],
  ["number", "5.0", "5.0"],
  ["word", '"a\\"b\\u00e9\\ud83d\\ude00"', '"a\\"bé😀"'],
  ["word", "\"x'), halt, ('\"", "\"x'), halt, ('\""],
  ["word", '""', '""'],
  ["word", "5", bad],
  ["text", '"[]"', '"[]"'],
  ["truth", "true", "true"],
  ["truth", '"true"', bad],
  ["words", '["a","B c"]', '["a","B c"]'],
  ["words", "[]", "[]"],
  ["words", "[1]", bad],
  ["words", '"a"', bad],
  ["words", '[["a"]]', bad],
  ["words", "[null]", bad],
  ["matrix", "[[1,2],[],[3]]", "[[1,2],[],[3]]"],
  ["matrix", "[[1.0]]", bad],
  ["matrix", "[1]", bad],
  ["thing", '{"functor":"f","args":[1,"a",{"functor":"g","args":[2.0]}]}', ""],
  ["thing", '{"args":["x"],"functor":"f"}', '{"functor":"f","args":["x"]}'],
  ["thing", '{"functor":"f","args":[],"more":1}', bad],
  ["thing", '{"functor":5,"args":[1]}', bad],
  ["thing", "null", bad],
  ["thing", '["a",1]', '["a",1]'],
  ["thing", '"X"', '"X"'],
  ["between_", "-3", "-3"],
  ["between_", "4", bad],
  ["one", '"low"', '"low"'],
  ["one", "2", "2"],
  ["one", '"s"', '"s"'],
  ["one", '"2"', bad],
  ["nat", "0", "0"],
  ["nat", "-1", bad],
  ["pos", "0", bad],
  ["pos", "1", "1"],
];

Deno.test("values of a body are read by type, and come back by type", options, async () => {
  await withService(ECHO, async (service) => {
    for (const [name, json, expected] of BODIES) {
      const said = await outcome(service, name, { body: `{"X": ${json}}` });
      assert.equal(said, expected || json, `${name} ${json}`);
    }
  });
});

/** Predicate, text of X, outcome. */
const QUERIES: [string, string, string][] = [
  ["int", "82", "82"],
  ...["082", " 82", "82 ", "82.0", "8_2", "0x52", "1e2", "+82", "82abc", "", "1+1", "a"]
    .map((text): [string, string, string] => ["int", text, bad]),
  ["int", "-0", "0"],
  ["int", "123456789012345678901234567890", '"123456789012345678901234567890"'],
  ["float", "5", "5.0"],
  ["word", "82", '"82"'],
  ["word", "", '""'],
  ["word", "X, halt", '"X, halt"'],
  ["text", '"q"', '"\\"q\\""'],
  ["truth", "true", "true"],
  ["truth", "yes", bad],
  ["words", '["a", "b"]', '["a","b"]'],
  ["words", "a", bad],
  ["thing", '{"functor":"f","args":[1]}', '{"functor":"f","args":[1]}'],
  ["thing", "f(1)", bad],
  ["one", "low", '"low"'],
  ["one", "2", "2"],
  ["one", "s", '"s"'],
  ["one", "high", bad],
];

Deno.test("texts of a query are read by type and never as Prolog", options, async () => {
  await withService(ECHO, async (service) => {
    for (const [name, text, expected] of QUERIES) {
      assert.equal(
        await outcome(service, name, { query: [["X", text]] }),
        expected,
        `${name} ${text}`,
      );
    }
  });
});

Deno.test("arguments are missing, unknown, given twice, or cannot be read", options, async () => {
  await withService(ECHO, async (service) => {
    const cases: [Partial<Given>, string][] = [
      [{}, "argument-missing X"],
      [{ body: "{}" }, "argument-missing X"],
      [{ query: [["X", "1"], ["Z", "2"]] }, "argument-unknown Z"],
      [{ query: [["X", "1"], ["Y", "2"]] }, "argument-unknown Y"],
      [{ query: [["X", "1"], ["X", "1"]] }, "argument-duplicate X"],
      [{ query: [["X", "1"]], body: '{"X": 1}' }, "argument-duplicate X"],
      [{ body: '{"X": 1, "\\u0058": 1}' }, "argument-duplicate X"],
      [{ body: "[1]" }, "request-unreadable"],
      [{ body: "5" }, "request-unreadable"],
      [{ body: '{"X": 1' }, "request-unreadable"],
      [{ body: '{"X": 01}' }, "request-unreadable"],
      [{ body: '{"X": 1,}' }, "request-unreadable"],
      [{ body: "{'X': 1}" }, "request-unreadable"],
      [{ body: '{"X": "\\ud800"}' }, "request-unreadable"],
      [{ body: `{"X": ${"[".repeat(100_000)}` }, "request-unreadable"],
      [{ body: '{"X": /* */ 1}' }, "request-unreadable"],
      [{ body: '{"X": NaN}' }, "request-unreadable"],
    ];
    for (const [given, expected] of cases) {
      assert.equal(await outcome(service, "int", given), expected, JSON.stringify(given));
    }
  });
});

Deno.test("many arguments that nobody takes are told before the deadline", options, async () => {
  await withService(ECHO, async (service) => {
    const names = Array.from({ length: 30_000 }, (_, n) => `N${n}`);
    const query = names.map((name): [string, string] => [name, "1"]);
    assert.equal(await outcome(service, "int", { query }), "argument-unknown N0");
    const body = JSON.stringify(Object.fromEntries(query));
    assert.equal(await outcome(service, "int", { body }), "argument-unknown N0");
  });
});

/** A predicate for each determinism, number of outputs and number of solutions. */
const SHAPES = ["det", "semidet", "nondet", "multi"].flatMap((determinism) =>
  [0, 1, 2].flatMap((outputs) =>
    [0, 1, 2].map((solutions) => {
      const name = `${determinism}_${outputs}_${solutions}`;
      const names = ["A", "B"].slice(0, outputs);
      const head = outputs === 0 ? name : `${name}(${names.map((n) => `-${n}:int`).join(", ")})`;
      const clauses = [1, 2].slice(0, solutions).map((n) =>
        outputs === 0 ? `${name}.` : `${name}(${names.map(() => n).join(", ")}).`
      );
      const none = `${
        outputs === 0 ? name : `${name}(${names.map(() => "_").join(", ")})`
      } :- fail.`;
      const text = `%! ${head} is ${determinism}.\n${clauses.join("\n") || none}\n`;
      return { name, determinism, outputs, solutions, text };
    })
  )
);

Deno.test("the shape follows the declaration, never the number of solutions", options, async () => {
  await withService(SHAPES.map(({ text }) => text).join("\n"), async (service) => {
    for (const { name, determinism, outputs, solutions } of SHAPES) {
      const one = (n: number) => ["true", String(n), `{"A":${n},"B":${n}}`][outputs];
      const all = `[${[1, 2].slice(0, solutions).map(one).join(",")}]`;
      const first = solutions > 0 ? one(1) : undefined;
      const none = outputs === 0 ? "false" : "null";
      const expected = {
        det: first ?? "no-solution",
        semidet: first ?? none,
        nondet: all,
        multi: all,
      }[determinism];
      assert.equal(await outcome(service, name, {}), expected, name);
    }
  });
});

const FAULTS = `
%! ball is det.
ball :- throw(x).
%! zero(-X:int) is det.
zero(X) :- X is 1 / 0.
%! undefined is semidet.
undefined :- nobody_knows(1).
%! writes is det.
writes :- assertz(written(1)).
:- dynamic written/1.
%! was_written is semidet.
was_written :- written(_).
%! deep(-X:any) is det.
deep(X) :- numlist(1, 2000, L), foldl([_, A, s(A)]>>true, L, z, X).
%! cyclic(-X:any) is det.
cyclic(X) :- X = f(X).
%! constrained(-X:any) is det.
constrained(X) :- X #> 3.
%! open(-X:any, -Y:list(any)) is det.
open(_, [_, f(_)]).
%! odd(-X:bool, -Y:int, -Z:float) is det.
odd(maybe, text, 2).
%! many(-X:int) is nondet.
many(X) :- between(1, 1001, X).
%! endless(-X:int) is nondet.
endless(X) :- repeat, X = 1.
%! loop is det.
loop :- loop.
%! good is semidet.
good.
`;

Deno.test("errors are the problem they are, and the next call is answered", options, async () => {
  await withService(FAULTS, async (service) => {
    const cases: [string, string][] = [
      ["ball", "prolog-error"],
      ["zero", "prolog-error"],
      ["undefined", "procedure-undefined"],
      ["writes", "true"],
      ["was_written", "false"],
      ["deep", "limit-exceeded"],
      ["cyclic", "answer-unrepresentable"],
      ["constrained", "answer-unrepresentable"],
      ["open", '{"X":null,"Y":[null,{"functor":"f","args":[null]}]}'],
      ["odd", '{"X":"maybe","Y":"text","Z":2}'],
    ];
    for (const [name, expected] of cases) {
      assert.equal(await outcome(service, name, {}), expected, name);
      assert.equal(await outcome(service, "good", {}), "true");
    }
  });
});

Deno.test(
  "a call collects a thousand solutions and says that there are more",
  options,
  async () => {
    await withService(FAULTS, async (service) => {
      const many = await outcome(service, "many", {});
      assert.ok(many.endsWith(" ..."));
      assert.equal(JSON.parse(many.slice(0, -4)).length, 1000);
      assert.equal((await outcome(service, "endless", {})).length, 2 * 1000 + 1 + 4);
    });
  },
);

Deno.test(
  "without a cap all are collected, and the clock ends what has no end",
  options,
  async () => {
    const more = { max_solutions: 0, deadline_ms: 3_000, interpreters: 2 };
    await withService(FAULTS, async (service) => {
      assert.equal(JSON.parse(await outcome(service, "many", {})).length, 1001);
      const endless = [outcome(service, "endless", {}), outcome(service, "loop", {})];
      assert.deepEqual(await Promise.all(endless), ["limit-exceeded", "limit-exceeded"]);
      assert.equal(await outcome(service, "good", {}), "true");
    }, more);
  },
);
