/** Which places of a clause mean a predicate, and which only hold its name. */
import assert from "node:assert/strict";
import type { Operation } from "../../src/store/protocol.ts";
import { type TestEngine, testEngine } from "../support/prolog_engine.ts";

const options = { sanitizeOps: false, sanitizeResources: false };

/** Bodies before and after `p/2` is called `q`; where nothing is meant, one text. */
const bodies: [before: string, after?: string][] = [
  ["p(A,B)", "q(A,B)"],
  ["p(A,B),p(B,A)", "q(A,B),q(B,A)"],
  ["(p(A,B)->true;p(B,A))", "(q(A,B)->true;q(B,A))"],
  ["(p(A,B)*->true;fail)", "(q(A,B)*->true;fail)"],
  ["\\+p(A,B)", "\\+q(A,B)"],
  ["not(p(A,B))", "not(q(A,B))"],
  ["once(p(A,B)),ignore(p(B,A))", "once(q(A,B)),ignore(q(B,A))"],
  ["findall(A,p(A,B),B)", "findall(A,q(A,B),B)"],
  ["bagof(A,C^p(A,C),B)", "bagof(A,C^q(A,C),B)"],
  ["setof(A,C^D^(p(A,C),p(C,D)),B)", "setof(A,C^D^(q(A,C),q(C,D)),B)"],
  ["aggregate_all(count,p(A,B),C)", "aggregate_all(count,q(A,B),C)"],
  ["aggregate_all(max(A-p),p(A,B),C)", "aggregate_all(max(A-p),q(A,B),C)"],
  ["forall(p(A,B),\\+p(B,A))", "forall(q(A,B),\\+q(B,A))"],
  ["catch(p(A,B),p(C,D),p(C,D))", "catch(q(A,B),p(C,D),q(C,D))"],
  ["call(p,A,B)", "call(q,A,B)"],
  ["call(p(A),B)", "call(q(A),B)"],
  ["call(call(p,A),B)", "call(call(q,A),B)"],
  ["maplist(p,A,B)", "maplist(q,A,B)"],
  ["maplist(p(A),B)", "maplist(q(A),B)"],
  ["maplist(maplist(p(A)),B)", "maplist(maplist(q(A)),B)"],
  ["foldl(p,A,B,C)"],
  ["include(p(A),B,C)", "include(q(A),B,C)"],
  ["maplist([A]>>p(A,b),B)", "maplist([A]>>q(A,b),B)"],
  ["maplist([A]>>p(A),B,C)", "maplist([A]>>q(A),B,C)"],
  ["maplist(A/[C]>>p(C,A),B)", "maplist(A/[C]>>q(C,A),B)"],
  ["maplist(\\A^p(A,b),B)", "maplist(\\A^q(A,b),B)"],
  ["maplist([A,C]>>(p(A,C),true),B,B)", "maplist([A,C]>>(q(A,C),true),B,B)"],
  ["limit(3,p(A,B))", "limit(3,q(A,B))"],
  ["order_by([asc(A)],p(A,B))", "order_by([asc(A)],q(A,B))"],
  ["freeze(A,p(A,B))", "freeze(A,q(A,B))"],
  ["phrase(p,A)", "phrase(q,A)"],
  ["phrase(p,A,B)", "phrase(q,A,B)"],
  ["phrase((p,[x],{p(A,B)}),A)", "phrase((q,[x],{q(A,B)}),A)"],
  ["assertz(p(A,B))", "assertz(q(A,B))"],
  ["assertz((r(A):-p(A,B)))", "assertz((r(A):-q(A,B)))"],
  ["retract((p(A,B):-p(B,A)))", "retract((q(A,B):-q(B,A)))"],
  ["retractall(p(A,_))", "retractall(q(A,_))"],
  ["default:p(A,B)", "default:q(A,B)"],
  ["findall(A,default:p(A,B),B)", "findall(A,default:q(A,B),B)"],
  // Data, and other predicates.
  ["A=p(A,B)"],
  ["A=p(x,y),call(A)"],
  ["member(p,A)"],
  ["p(A),p(A,B,A)"],
  ["call(p,A)"],
  ["mine(p(A,B))"],
  ["B is p+A"],
];

Deno.test("references are renamed, data is not", options, async () => {
  const engine = await testEngine();
  try {
    const rules = bodies.map(([before], i) => `rule${i}(A, B, C, D) :- ${before}.`);
    await engine.load("kb.pl", ["p(1, 2).", "mine(_).", ...rules].join("\n") + "\n");
    const { ops, reply } = await rename(engine, "p", "q", 2);
    const added = ops.filter(([op]) => op === "+").map((op) => String(op[1]));
    const expected = bodies.flatMap(([before, after], i) =>
      after === undefined ? [] : [{ i, before, after }]
    );
    for (const { i, before, after } of expected) {
      const text = added.find((clause) => clause.startsWith(`rule${i}(`));
      assert.equal(text && bodyOf(text), await canonical(engine, after), before);
    }
    assert.equal(reply.rewritten_rule_bodies, expected.length);
    assert.equal(reply.renamed_facts, 1);
    assert.equal(added.length, expected.length + 1);
  } finally {
    engine.stop();
  }
});

/** A body as the journal writes it, within the same head. */
async function canonical(engine: TestEngine, body: string): Promise<string> {
  const goal = `X = (h(A, B, C, D) :- ${body})`;
  const limits = { offset: 0, limit: 1, inferences: 1e6, answer_bytes: 1e6 };
  const { exact } = await engine.ask({ op: "query", goal, ...limits });
  return bodyOf((exact as Record<string, string>[])[0].X.replace(/^\(|\)$/g, ""));
}

function bodyOf(clause: string): string {
  return clause.slice(clause.indexOf(":-") + 2).replaceAll(/\s|_/g, "");
}

async function rename(engine: TestEngine, old: string, name: string, arity: number) {
  const request = { op: "rename", old_functor: old, new_functor: name, arity, propagate: false };
  const plan = await engine.ask({ op: "plan", seq: 1, request });
  return { ops: plan.ops as Operation[], reply: plan.reply as Record<string, unknown> };
}
