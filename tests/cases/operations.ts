/** Documented files: the H cases. Each row serves a text of its own; the project of the row stays as it is. */
import { deepStrictEqual, match } from "node:assert/strict";
import type { Rows, Step } from "../support/cases.ts";
import { rawMember } from "../../src/base/raw_json.ts";
import { withApi } from "../support/http_file.ts";
import { withFileSession } from "../support/mcp_file.ts";

/** A request and what it gives: the answer, or the problem with its argument; and the status. */
type Exchange = readonly [line: string, status: number, said: string, body?: string];

/** Serves a text and asks, one request after the other: over HTTP, and over MCP what needs no query string. */
function served(text: string, exchanges: readonly Exchange[], deadline_ms = 10_000): Step {
  const options = { deadline_ms, interpreters: 2 };
  return async () => {
    await withApi(text, async ({ ask }) => {
      for (const [line, status, said, body] of exchanges) {
        const asked = await ask(line, { body });
        const actual = asked.problem ?? asked.text;
        deepStrictEqual([asked.status, actual], [status, said], `${line} ${body ?? ""}`);
      }
    }, options);
    const calls = exchanges.filter(([line]) => !line.includes("?"));
    if (calls.length === 0) return;
    await withFileSession(text, async ({ raw }) => {
      for (const [line, status, said, body = "{}"] of calls) {
        const params = `{"name":"${line.split("/")[1]}","arguments":${body}}`;
        const answer = await raw("tools/call", params);
        deepStrictEqual(answerOf(answer), [status, said], `${line} ${body} over MCP`);
      }
    }, options);
  };
}

/** Status and answer, or the problem, of a tool's result. */
function answerOf(line: string): [number, string] {
  const { content, isError } = JSON.parse(line).result;
  if (!isError) return [200, rawMember(line, ["result", "structuredContent", "result"])!];
  const { status, type, argument } = JSON.parse(content[1].text);
  const name = type.replace("urn:charon:", "");
  return [status, argument === undefined ? name : `${name} ${argument}`];
}

const ADULT = "%! adult(+Age:int) is semidet.\nadult(A) :- A >= 18.\n";
const invalid = "argument-invalid Age";

function posted(body: string, status: number, said: string): Exchange {
  return ["POST /adult", status, said, body];
}

const LISTS = `
%! all(+L:list(atom)) is semidet.
all(L) :- forall(member(X, L), known(X)).
known(a). known('B c').
%! nested(+M:list(list(int)), -S:int) is det.
nested(M, S) :- foldl([L, A, B]>>(sum_list(L, N), B is A + N), M, 0, S).
`;

/** The same clauses under each determinism. */
const SHAPES = ["det", "semidet", "nondet", "multi"].map((determinism) => `
%! ${determinism}_two(-X:int) is ${determinism}.
${determinism}_two(1). ${determinism}_two(2).
%! ${determinism}_none(-X:list(int)) is ${determinism}.
${determinism}_none([1, 2]) :- fail.
%! ${determinism}_pair(-X:list(int), -Y:atom) is ${determinism}.
${determinism}_pair([1, 2], a).
%! ${determinism}_yes is ${determinism}.
${determinism}_yes.
`).join("");

const ERRORS = `
%! thrown is det.
thrown :- throw(x).
%! divided(-X:int) is det.
divided(X) :- X is 1 / 0.
%! undefined is det.
undefined :- no_such_thing(1).
%! forever is det.
forever :- forever.
%! good(-X:int) is det.
good(1).
`;

const MODES = `
x('%! quoted(+X:int) is det.').
/* %! commented(+X:int) is det. */
commented(1).
%%%% %! banner(+X:int) is det. %%%%
banner(1).
%! three(+X:int,
%        +Y:int,
%        -Z:int) is det.
three(X, Y, Z) :- Z is X + Y.
%! twice(-X:int) is det.
%! twice(+X:int) is semidet.
twice(1).
%% old(-X:int) is det.
old(1).
%! lost(+X:int) is det.
found(1).
%! maybe(?X:int) is det.
maybe(1).
%! meta(:Goal) is det.
meta(_).
%! streamed(+S:stream) is det.
streamed(_).
`;

const CAPS = `
%! many(-X:int) is nondet.
many(X) :- between(1, 1001, X).
%! endless(-X:int) is nondet.
endless(1) :- repeat.
%! loop is det.
loop :- loop.
`;

export const operations: Rows = {
  H01: [
    served(ADULT, [
      ["GET /adult?Age=82", 200, "true"],
      ["GET /adult?Age=-0", 200, "false"],
      [`GET /adult?Age=${"9".repeat(30)}`, 200, "true"],
      ...["082", "%2082", "82.0", "8_2", "0x52", "1e2", "%2B82", "82abc", "", "80%2B2", "halt"]
        .map((text): Exchange => [`GET /adult?Age=${text}`, 422, invalid]),
    ]),
  ],
  H02: [
    served(ADULT + "%! same(+X:int, -Y:int) is det.\nsame(X, X).\n", [
      ["POST /same", 200, '"9007199254740993"', '{"X": 9007199254740993}'],
      posted('{"Age": 82}', 200, "true"),
      ...["5.0", "1e400", "true", "null", '"5"'].map((json) =>
        posted(`{"Age": ${json}}`, 422, invalid)
      ),
    ]),
    served("%! half(+X:float, -Y:float) is det.\nhalf(X, Y) :- float(X), Y is X / 2.\n", [
      ["POST /half", 200, "2.5", '{"X": 5}'],
    ]),
  ],
  H04: [
    served(LISTS, [
      ["POST /all", 200, "true", '{"L": ["a", "B c"]}'],
      ["GET /all?L=%5B%22a%22%5D", 200, "true"],
      ["POST /all", 422, "argument-invalid L", '{"L": [1]}'],
      ["POST /all", 422, "argument-invalid L", '{"L": "a"}'],
      ["POST /all", 422, "argument-invalid L", '{"L": [["a"]]}'],
      ["GET /all?L=a", 422, "argument-invalid L"],
      ["GET /all?L=a&L=b", 422, "argument-duplicate L"],
      ["POST /nested", 200, "6", '{"M": [[1, 2], [], [3]]}'],
      ["POST /nested", 422, "argument-invalid M", '{"M": [[1], 2]}'],
      ["POST /nested", 422, "argument-invalid M", '{"M": [["1"]]}'],
    ]),
  ],
  H05: [
    served(SHAPES, [
      ["GET /det_two", 200, "1"],
      ["GET /semidet_two", 200, "1"],
      ["GET /nondet_two", 200, "[1,2]"],
      ["GET /multi_two", 200, "[1,2]"],
      ["GET /det_none", 422, "no-solution"],
      ["GET /semidet_none", 200, "null"],
      ["GET /nondet_none", 200, "[]"],
      ["GET /multi_none", 200, "[]"],
      ["GET /det_pair", 200, '{"X":[1,2],"Y":"a"}'],
      ["GET /semidet_pair", 200, '{"X":[1,2],"Y":"a"}'],
      ["GET /nondet_pair", 200, '[{"X":[1,2],"Y":"a"}]'],
      ["GET /multi_pair", 200, '[{"X":[1,2],"Y":"a"}]'],
      ["GET /det_yes", 200, "true"],
      ["GET /semidet_yes", 200, "true"],
      ["GET /nondet_yes", 200, "[true]"],
      ["GET /multi_yes", 200, "[true]"],
    ]),
  ],
  H07: [
    served(
      ERRORS,
      [
        ["GET /thrown", 422, "prolog-error"],
        ["GET /good", 200, "1"],
        ["GET /divided", 422, "prolog-error"],
        ["GET /good", 200, "1"],
        ["GET /undefined", 500, "procedure-undefined"],
        ["GET /good", 200, "1"],
        ["GET /forever", 503, "limit-exceeded"],
        ["GET /good", 200, "1"],
      ],
      4_000,
    ),
  ],
  H08: [
    () =>
      withApi(MODES, async ({ service, ask }) => {
        const { operations, skipped } = service.set;
        deepStrictEqual(operations.map(({ name }) => name), ["three", "twice", "old"]);
        const reasons = [
          /line \d+/,
          /found\/1, not of lost\/1/,
          /mode \?/,
          /mode :/,
          /type .* stream/,
        ];
        deepStrictEqual(skipped.length, reasons.length);
        for (const [at, reason] of reasons.entries()) match(skipped[at].why, reason);
        deepStrictEqual((await ask("GET /three?X=1&Y=2")).text, "3");
        deepStrictEqual((await ask("GET /twice")).text, "1");
        for (const name of ["quoted", "commented", "banner", "lost", "maybe"]) {
          deepStrictEqual((await ask(`GET /${name}?X=1`)).status, 404, name);
        }
      }),
  ],
  H10: [
    () =>
      withApi(CAPS, async ({ ask }) => {
        const { headers, text } = await ask("GET /many");
        deepStrictEqual([headers.get("x-charon-truncated"), JSON.parse(text).length], [
          "true",
          1000,
        ]);
      }),
    () =>
      withApi(CAPS, async ({ ask }) => {
        const { headers, text } = await ask("GET /many");
        deepStrictEqual([headers.get("x-charon-truncated"), JSON.parse(text).length], [null, 1001]);
        const endless = [ask("GET /endless"), ask("GET /loop")];
        deepStrictEqual((await ask("GET /many")).status, 200);
        for (const { problem } of await Promise.all(endless)) {
          deepStrictEqual(problem, "limit-exceeded");
        }
      }, { max_solutions: 0, deadline_ms: 6_000, interpreters: 3 }),
  ],
};
