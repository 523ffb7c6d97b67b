/** X: proofs, dependencies, consistency. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import {
  all,
  ask,
  call,
  define,
  each,
  type Expected,
  explain,
  fails,
  file,
  remember,
  restart,
  type Rows,
  type Step,
  structure,
  warns,
} from "../support/cases.ts";
import type { Result } from "../support/world.ts";

interface Node {
  goal: string;
  rule_applied: string;
  truncated?: boolean;
}

const nodesOf = ({ structure }: Result): Node[] => structure.nodes as Node[];

/** Proven, by these goals in the order of the tree, each with what it rests on. */
function proof(...goals: [goal: string, rule: string | RegExp][]): Expected {
  return (result) => {
    ok(result.structure.proven, "should be proven");
    deepStrictEqual(nodesOf(result).map(({ goal }) => goal), goals.map(([goal]) => goal));
    for (const [index, { rule_applied }] of nodesOf(result).entries()) {
      const [, rule] = goals[index];
      if (typeof rule === "string") strictEqual(rule_applied, rule);
      else match(rule_applied, rule);
    }
  };
}

const trace = (start_node: string, expected?: Expected): Step =>
  call("trace_dependency", { start_node }, expected);
const variable = fails("InvalidArguments", /variable/);
const unproven = structure({ proven: false });

const PATHS = ["path(X, Y) :- edge(X, Y).", "path(X, Y) :- path(X, Z), edge(Z, Y)."];

export const proofs: Rows = {
  X02: [
    remember("score(ann,60)"),
    define("pass(X)", "score(X,S), ( S >= 50 -> true ; waived(X) )"),
    explain(
      "pass(ann)",
      proof(["pass(ann)", /./], ["score(ann, 60)", "fact"], ["60>=50", "builtin"]),
    ),
    define("soft(X)", "( score(X, S) *-> S > 50 ; waived(X) )"),
    explain(
      "soft(ann)",
      proof(["soft(ann)", /./], ["score(ann, 60)", "fact"], ["60>50", "builtin"]),
    ),
    define("either(X)", "waived(X) ; score(X, _)"),
    explain("either(ann)", proof(["either(ann)", /./], ["score(ann, 60)", "fact"])),
  ],
  X03: [
    remember("male(kev)"),
    remember("male(jo)"),
    remember("married(jo)"),
    define("bachelor(X)", "male(X), \\+ married(X)"),
    explain(
      "bachelor(kev)",
      proof(["bachelor(kev)", /./], ["male(kev)", "fact"], ["\\+married(kev)", "negation"]),
    ),
    define("bach2(X)", "\\+ married(X), male(X)"),
    ask("bach2(W)", []),
  ],
  X04: [
    define("adult(X)", "age(X,A), A >= 18"),
    remember("age(ann,30)"),
    explain(
      "adult(ann)",
      proof(["adult(ann)", /./], ["age(ann, 30)", "fact"], ["30>=18", "builtin"]),
    ),
    define("next(X, N)", "age(X, A), N is A + 1"),
    explain(
      "next(ann, N)",
      proof(["next(ann, 31)", /./], ["age(ann, 30)", "fact"], ["31 is 30+1", "builtin"]),
    ),
  ],
  X06: [
    remember("edge(a,b)"),
    remember("edge(b,a)"),
    define("path(X,Y)", "edge(X,Y)"),
    define("path(X,Y)", "path(X,Z), edge(Z,Y)"),
    explain("path(a,a)", structure({ proven: true })),
    call("explain_why", { fact: "path(a,zz)" }, falseOrStopped),
    trace("a", (result) => deepStrictEqual(JSON.parse(result.texts[0]).sort(), ["a", "b"])),
  ],
  X07: [
    file(
      ".zpm/kb/chain.pl",
      Array.from({ length: 5_000 }, (_, i) => `next(n${i}, n${i + 1}).\n`).join("") +
        "reach(X, Y) :- next(X, Y).\nreach(X, Y) :- next(X, Z), reach(Z, Y).\n",
    ),
    restart,
    explain("reach(n0,n5000)", cutAt(3), { max_depth: 3 }),
    explain("reach(n0,n5000)", cutAt(0), { max_depth: 0 }),
    explain("reach(n0,n5000)", fails("InvalidArguments"), { max_depth: -1 }),
    explain("reach(n0,n5000)", cutAt(64)),
  ],
  X08: [
    define("risky(X)", "cost(X,C), C > limit"),
    remember("cost(a,5)"),
    explain("risky(a)", fails(/^Goal raised: .*`limit\/0' is not a function/)),
    define("undef(X)", "nosuch(X)"),
    explain("undef(1)", all(unproven, warns(undefined, /nosuch\/1 is not known/))),
  ],
  X10: [
    file(
      ".zpm/kb/rules.pl",
      [
        ":- table path/2.",
        ...PATHS,
        "edge(a, b).",
        "edge(b, c).",
        "sum(X, Y, L) :- append(X, Y, L).",
      ]
        .join("\n"),
    ),
    restart,
    explain("path(a, c)", (result) => {
      ok(result.structure.proven);
      const leaves = nodesOf(result).filter(({ rule_applied }) => rule_applied === "fact");
      deepStrictEqual(leaves.map(({ goal }) => goal), ["edge(a, b)", "edge(b, c)"]);
    }),
    explain(
      "sum([a], [b], L)",
      proof(["sum([a], [b], [a, b])", /./], ["append([a], [b], [a, b])", "builtin"]),
    ),
  ],
  X11: [
    define("'Is-Ok'(Who)", "t(Who,\"q\"), Who \\== 'B b'"),
    remember('t(a, "q")'),
    explain("'Is-Ok'(a)", (result) => {
      strictEqual(nodesOf(result)[0].rule_applied, "'Is-Ok'(Who) :- t(Who, \"q\"), Who\\=='B b'");
    }),
    ask(
      "term_to_atom(R, '\\'Is-Ok\\'(Who) :- t(Who, \"q\"), Who\\\\==\\'B b\\''), " +
        "R =@= ('Is-Ok'(X) :- t(X, \"q\"), X \\== 'B b')",
      /^\[\{/,
    ),
  ],
  X12: [
    each(["a", "Core"], (start) => trace(start, start === "a" ? warns([], /path\/2/) : variable)),
    trace("X", variable),
    trace("a), halt, (true", fails(/./)),
    trace("'my node'", warns([], /path\/2 is not known/)),
    remember("path('my node', z)"),
    remember("path(f(1), y)"),
    trace("'my node'", ["z"]),
    trace("f(1)", ["y"]),
  ],
  X13: [
    define("integrity_violation(X)", "boom(X), X > none"),
    define("integrity_violation(X)", "deploy(X)"),
    remember("boom(1)"),
    remember("deploy(deploy_v3)"),
    define("integrity_violation(K, V)", "pair(K, V)"),
    remember("pair(deployment, 7)"),
    call("verify_consistency", {}, (result) => {
      ok(result.isError);
      match(result.texts.join("\n"), /deploy_v3[^]*`none\/0' is not a function/);
      match(JSON.stringify(result.structure), /deploy_v3.*deployment/);
    }),
    call("verify_consistency", { scope: "x), assertz(evil), (true" }, (result) => {
      match(JSON.stringify(result.structure), /is not a function|InvalidArguments/);
    }),
    ask("evil", []),
  ],
};

function falseOrStopped({ isError, texts, structure }: Result): void {
  if (isError) match(texts[0], /^Stopped: /);
  else strictEqual(structure.proven, false);
}

/** Proven, with a tree that is cut where it is so deep. */
function cutAt(depth: number): Expected {
  return (result) => {
    ok(!result.isError && result.structure.proven);
    let deepest = 0;
    let node = JSON.parse(result.texts[0]).proof_tree;
    while (node.children.length > 0) {
      node = node.children.at(-1);
      deepest++;
    }
    strictEqual(deepest, depth);
    strictEqual(node.truncated, true);
  };
}
