/** Undo: whatever was planned, taking it back makes the state of before, live and after a restart. */
import assert from "node:assert/strict";
import { ZpmError } from "../../src/base/errors.ts";
import type { Operation } from "../../src/store/protocol.ts";
import { type TestEngine, testEngine } from "../support/prolog_engine.ts";
import { generator } from "../support/random.ts";

const options = { sanitizeOps: false, sanitizeResources: false };

const kb = "p(a). p(b).\np(c) :- q(X), r(X).\nq(a). q(b). q(a).\n:- table t/1.\nt(X) :- p(X).\n";

Deno.test("undoing commits makes the state of before, at any distance", options, async () => {
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) await story(seed, 60);
});

/** Random plans; now and then the last ones are taken back, and the state must be one that was seen already. */
async function story(seed: number, steps: number): Promise<void> {
  const random = generator(seed);
  const journal: Operation[][] = [];
  const states: string[] = [];
  const live = await loaded();
  try {
    states.push(await stateOf(live));
    while (journal.length < steps) {
      const undo = journal.length > 0 && random(3) === 0;
      const count = 1 + random(Math.min(5, journal.length));
      const request = undo ? undoing(journal, count) : randomPlan(random);
      const before = states[states.length - 1];
      const expected = undo ? states[states.length - 1 - count] : undefined;
      if (undo) {
        await live.ask({ op: "preview", request });
        assert.equal(await stateOf(live), before, "a preview changed something");
      }
      const ops = await plan(live, journal.length + 1, request);
      if (!ops) continue;
      journal.push(ops);
      states.push(await stateOf(live));
      if (undo) assert.equal(states[states.length - 1], expected, `seed ${seed}, ${count} undone`);
    }
    const restarted = await loaded();
    await restarted.ask({ op: "apply", commits: journal.map((ops, i) => [i + 1, ops]) });
    assert.equal(await stateOf(restarted), states[states.length - 1], "after a restart");
    restarted.stop();
  } finally {
    live.stop();
  }
}

async function loaded(): Promise<TestEngine> {
  const engine = await testEngine();
  await engine.load("kb.pl", kb);
  return engine;
}

/** All answers in order, those of tables sorted, and which rule comes first: what can be told of a memory. */
async function stateOf(engine: TestEngine): Promise<string> {
  const state: unknown[] = [];
  for (const name of ["p", "q", "r", "u"]) {
    state.push(await engine.column(`findall(X, ${name}(X), X)`));
  }
  for (const name of ["s", "t"]) {
    state.push(await engine.column(`findall(Y, ${name}(Y), Ys), msort(Ys, X)`));
  }
  for (const fact of ["s(a)", "s(b)", "s(c)", "p(c)", "q(a)", "u(a)"]) {
    const limits = { max_depth: 9, max_nodes: 9, inferences: 1e6 };
    state.push((await engine.ask({ op: "explain", fact, ...limits })).nodes);
  }
  const page = { offset: 0, limit: 100, answer_bytes: 1e5 };
  state.push((await engine.ask({ op: "assumptions", ...page })).assumptions);
  for (const assumption of ["h0", "h1"]) {
    state.push((await engine.ask({ op: "justification", assumption, ...page })).facts);
  }
  return JSON.stringify(state);
}

function undoing(journal: Operation[][], count: number): Record<string, unknown> {
  const first = journal.length - count;
  return { op: "undo", commits: journal.slice(first).map((ops, i) => [first + i + 1, ops]) };
}

function randomPlan(random: (below: number) => number): Record<string, unknown> {
  const name = "pqr"[random(3)];
  const fact = `${name}(${"abcd"[random(4)]})`;
  const assumption = `h${random(2)}`;
  switch (random(7)) {
    case 0:
      return { op: "define_rule", head: "s(Who)", body: `${fact}, ${name}(Who)`, tabled: false };
    case 1:
      return { op: "remember", fact };
    case 2:
      return { op: "define_rule", head: "s(It)", body: `${name}(It)`, tabled: random(2) === 0 };
    case 3: {
      const [old_functor, new_functor] = random(2) === 0 ? ["q", "u"] : ["u", "q"];
      return { op: "rename", old_functor, new_functor, arity: 1, propagate: false };
    }
    case 4:
      return { op: "assume", fact, assumption };
    case 5:
      return { op: "retract_assumption", assumption };
    default:
      return { op: "forget", fact: random(2) === 0 ? fact : `${name}(_)` };
  }
}

/** The operations, or nothing when there was nothing to do. */
async function plan(
  engine: TestEngine,
  seq: number,
  request: Record<string, unknown>,
): Promise<Operation[] | undefined> {
  try {
    const { ops } = await engine.ask({ op: "plan", seq, request });
    return (ops as Operation[]).length > 0 ? ops as Operation[] : undefined;
  } catch (error) {
    if (!(error instanceof ZpmError) || !["not_found", "conflict"].includes(error.code)) {
      throw error;
    }
  }
}
