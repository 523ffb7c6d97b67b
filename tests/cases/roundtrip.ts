/** R: what goes in comes out the same: in answers, in the journal, in snapshots. */
import { deepStrictEqual, ok } from "node:assert/strict";
import {
  all,
  ask,
  assume,
  call,
  each,
  fails,
  file,
  forget,
  remember,
  restart,
  type Rows,
  structure,
} from "../support/cases.ts";

const exact = (...answers: Record<string, string>[]) => structure({ exact: answers });
const save = (name: string) => call("save_snapshot", { name });
const restore = (name: string) => call("restore_snapshot", { name });

const QUOTED = ["don't", "a\nb", "/*", "% x", 'say "hi"', "", "\x1b[31m"];

export const roundtrip: Rows = {
  R02: [
    file(".zpm/kb/food.pl", ":- op(700, xfx, feeds).\nsun feeds grass.\n"),
    restart,
    remember("grass feeds cow", "Asserted: grass feeds cow"),
    restart,
    ask("X feeds Y", [{ X: "sun", Y: "grass" }, { X: "grass", Y: "cow" }]),
    file(".zpm/kb/food.pl", "% nothing\n"),
    restart,
    ask("feeds(X, Y)", [{ X: "grass", Y: "cow" }]),
  ],
  R03: [
    remember("file(main.rs)", fails(/unquoted dot/)),
    each(
      ["'main.rs'", "v('1.2.3')", "a:b", "'[|]'(a, [])"],
      (text) => remember(`file(x, ${text})`),
    ),
    ask("file(x, X)", exact(...DOTTED())),
    restart,
    ask("file(x, X)", exact(...DOTTED())),
  ],
  R05: [
    remember("q('don''t')"),
    remember("q('a\nb')"),
    remember("q('/*')"),
    remember("q('% x')"),
    remember('q("say \\"hi\\"")'),
    remember("q('')"),
    remember("q('\\e[31m')"),
    async (world) => {
      const lines = (await world.journals()).trimEnd().split("\n");
      deepStrictEqual(lines.map((line) => JSON.parse(line).seq), [1, 2, 3, 4, 5, 6, 7]);
    },
    ask("q(X)", QUOTED.map((X) => ({ X }))),
    restart,
    ask("q(X)", QUOTED.map((X) => ({ X }))),
  ],
  R06: [
    remember("v(1,abc)"),
    remember('v(2,"abc")'),
    remember("v(3,[abc,\"abc\",'A b'])"),
    ask("v(K,abc)", [{ K: 1 }]),
    ask(
      "v(K,V)",
      exact({ K: "1", V: "abc" }, { K: "2", V: '"abc"' }, { K: "3", V: "[abc, \"abc\", 'A b']" }),
    ),
    remember("server(alpha, '1.0')"),
    remember('server(alpha, "1.0")'),
    call("update_fact", {
      old_fact: 'server(alpha, "1.0")',
      new_fact: 'server(alpha, "2.0")',
    }),
    ask("server(alpha, V)", exact({ V: "'1.0'" }, { V: '"2.0"' })),
  ],
  R08: [
    ask("dif(X,a)", [{ X: "_A", _residual: ["dif(_A, a)"] }]),
    ask("freeze(X,true)", [{ X: "_A", _residual: ["freeze(_A, true)"] }]),
    ask("X #> 3", [{ X: "_A", _residual: ["_A in 4..sup"] }]),
    ask("use_module(library(clpfd)), call((X #> 3))", fails(/^Not allowed in a query: use_module/)),
    ask("dif(X,a), assertz(ban(X))", fails(/^Not allowed in a query: assertz/)),
    ask("ban(a)", []),
  ],
  R09: [
    ask("X = f(X)", [{ X: "@(_A, [_A=f(_A)])" }]),
    ask("X = [a|X]", [{ X: "@(_A, [_A=[a|_A]])" }]),
    ask("X = f(X), Y = g(X,X)", [{ X: "@(_A, [_A=f(_A)])", Y: "@(g(_B, _B), [_B=f(_B)])" }]),
    ask("X=f(X), assertz(c(X))", fails(/^Not allowed in a query: assertz/)),
  ],
  R10: [
    remember("id(u1, 9007199254740993)"),
    remember("id(u2, 123456789012345678901234567890)"),
    remember("id(u3, 9007199254740991)"),
    restart,
    ask("id(U,N)", [
      { U: "u1", N: "9007199254740993" },
      { U: "u2", N: "123456789012345678901234567890" },
      { U: "u3", N: 9007199254740991 },
    ]),
    ask("id(u1,N), M is N+1", [{ N: "9007199254740993", M: "9007199254740994" }]),
  ],
  R12: [
    ask("X is inf", all([{ X: "1.0Inf" }], exact({ X: "1.0Inf" }))),
    ask("X is nan", all([{ X: "1.5NaN" }], exact({ X: "1.5NaN" }))),
    ask("X = 1.0", '[{"X":1.0}]'),
    ask("X = -0.0", '[{"X":-0.0}]'),
    ask("X = 0.1", '[{"X":0.1}]'),
    remember("w(a,1.0)"),
    remember("w(b,1.0Inf)"),
    restart,
    ask("w(a,1)", []),
    ask("w(a,1.0)", [{}]),
    ask("w(b,1.0Inf)", [{}]),
  ],
  R14: [
    ask(
      "A = [], B = '[]', C = \"\", D = '', E = {}, F = {a}",
      all(
        [{ A: [], B: "[]", C: "", D: "", E: "{}", F: "{a}" }],
        exact({ A: "[]", B: "'[]'", C: '""', D: "''", E: "{}", F: "{a}" }),
      ),
    ),
    remember("e([], '[]', \"\", '', {}, {a})"),
    restart,
    ask("e([], '[]', \"\", '', {}, {a})", [{}]),
    ask("e('[]', _, _, _, _, _) ; e(_, _, '', _, _, _)", []),
  ],
  R15: [
    ask("assertz(z(1),R)", fails(/^Not allowed in a query: assertz/)),
    ask("current_output(S)", /^\[\{"S":"<stream>\(0x[0-9a-f]+\)"\}\]/),
    ask("current_output(S), remember(S)", []),
    remember("out(<stream>(0x1))", fails(/^Cannot read the fact/)),
  ],
  R16: [
    remember("p(1)"),
    save("one"),
    restore("one"),
    remember("p(2)"),
    forget("p(1)"),
    restart,
    ask("p(X)", [{ X: 2 }]),
  ],
  R17: [
    remember(`long('${"x".repeat(300_000)}')`),
    call("remember_facts", { facts: Array.from({ length: 5_000 }, (_, i) => `many(${i})`) }),
    restart,
    ask("aggregate_all(count, many(_), N), long(X), atom_length(X, L)", /"N":5000.*"L":300000/),
    call("get_knowledge_schema", {}, structure({ total: 3 })),
    call("get_kb_overview", {}, ({ texts, isError }) => {
      ok(!isError);
      ok(JSON.parse(texts[0]));
      ok(new TextEncoder().encode(texts[0]).length <= 65_536);
    }),
  ],
  R19: [
    remember("p(1)"),
    save("only"),
    remember("q(1)"),
    assume("r(1)", "h"),
    restore("only"),
    ...[0, 1].flatMap(() => [
      ask("p(X)", [{ X: 1 }]),
      ask("catch(q(_), _, fail) ; r(_)", []),
      call("list_assumptions", {}, { assumptions: [] }),
      call("get_knowledge_schema", {}, ({ structure }) => {
        const live = (structure.predicates as { name: string; count: number }[])
          .filter(({ count }) => count > 0).map(({ name }) => name);
        deepStrictEqual(live.sort(), ["earlier", "p"]);
      }),
      restart,
    ]),
  ],
};

function DOTTED(): Record<string, string>[] {
  return ["'main.rs'", "v('1.2.3')", "a:b", "[a]"].map((X) => ({ X }));
}
