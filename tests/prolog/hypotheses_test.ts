/** `what_if`: the answers are those of a memory that was really changed, and the memory itself is as it was. */
import assert from "node:assert/strict";
import { ZpmError } from "../../src/base/errors.ts";
import type { Operation } from "../../src/store/protocol.ts";
import { type TestEngine, testEngine } from "../support/prolog_engine.ts";
import { generator } from "../support/random.ts";

const options = { sanitizeOps: false, sanitizeResources: false };

/** Facts of files and of the journal, a rule that writes, tables that follow and a table with modes. */
const kb = `p(a). p(b). p(a). q(a, b). q(b, c). q(c, a).
:- table path/2, best(_, min).
path(X, Y) :- q(X, Y).
path(X, Y) :- path(X, Z), q(Z, Y).
best(X, N) :- cost(X, N).
cost(a, 3). cost(a, 2). cost(b, 5).
only(X) :- p(X), \\+ r(X).
kind(X, K) => K = X.
writes(X) :- assertz(p(X)), p(X), retract(q(a, _)).
loops :- loops.
throws :- p(_), throw(oops).
`;

const limits = { offset: 0, limit: 1_000, inferences: 300_000, answer_bytes: 1e6 };

const goals = [
  "p(X)",
  "r(X)",
  "only(X)",
  "setof(X-Y, path(X, Y), L)",
  "findall(X-N, best(X, N), L0), msort(L0, L)",
  "aggregate_all(count, q(_, _), N)",
  "writes(d)",
  "loops",
  "throws",
  "fresh(X)",
  "unknown_to_all(X)",
];

Deno.test("a supposition is answered like a change, and nothing of it stays", options, async () => {
  for (const seed of [1, 2, 3]) await story(seed);
});

async function story(seed: number): Promise<void> {
  const random = generator(seed);
  const journal = await randomJournal(random);
  const live = await rebuilt(journal);
  try {
    for (let step = 0; step < 15; step++) {
      const facts = some(random, 3, () => randomFact(random));
      const without = some(random, 2, () => randomPattern(random));
      const goal = goals[random(goals.length)];
      // What a table holds before must be what it holds after.
      if (random(2) === 0) await outcome(live, { op: "query", goal });
      const before = await stateOf(live);
      const supposed = await outcome(live, { op: "what_if", goal, facts, without, shown: 20 });
      const place = `seed ${seed}: ${JSON.stringify({ goal, facts, without, journal })}`;
      assert.equal(await stateOf(live), before, place);
      assert.equal(supposed, await reallyChanged(journal, { goal, facts, without }), place);
    }
  } finally {
    live.stop();
  }
}

/** The same question after the facts were really forgotten and remembered, in another engine. */
async function reallyChanged(
  journal: Operation[][],
  { goal, facts, without }: { goal: string; facts: string[]; without: string[] },
): Promise<string> {
  const engine = await rebuilt(journal);
  try {
    for (const fact of without) {
      if (!await planned(engine, 0, { op: "forget", fact }, "preview")) return "refused";
    }
    let seq = journal.length;
    for (const fact of without) {
      while (await planned(engine, ++seq, { op: "forget", fact }));
    }
    for (const fact of facts) await planned(engine, ++seq, { op: "remember", fact });
    return await outcome(engine, { op: "query", goal });
  } finally {
    engine.stop();
  }
}

async function outcome(engine: TestEngine, request: Record<string, unknown>): Promise<string> {
  try {
    const { answers, exact, truncated, unknown } = await engine.ask({ ...limits, ...request });
    return JSON.stringify({ answers, exact, truncated, unknown });
  } catch (error) {
    if (!(error instanceof ZpmError)) throw error;
    if (error.message.startsWith("Cannot suppose")) return "refused";
    return `${error.message} ${JSON.stringify(error.partial?.answers)}`;
  }
}

/** Clauses with ids, order, hidden ones, supports, what tables say, and what beliefs rest on. */
async function stateOf(engine: TestEngine): Promise<string> {
  const state: unknown[] = [await engine.ask({ op: "checkpoint", head: 1_000 })];
  state.push(await engine.ask({ op: "schema" }));
  for (const goal of goals.slice(0, 6)) state.push(await outcome(engine, { op: "query", goal }));
  for (const goal of ["p(X), p(Y)", "q(X, Y), cost(Z, N)"]) {
    state.push(await outcome(engine, { op: "query", goal }));
  }
  for (const fact of ["p(a)", "r(b)", "only(b)", "path(a, a)"]) {
    const own: number[][] = [];
    state.push(await engine.ask({ ...limits, op: "belief", fact, own }));
  }
  return JSON.stringify(state);
}

async function rebuilt(journal: Operation[][]): Promise<TestEngine> {
  const engine = await testEngine();
  await engine.load("kb.pl", kb);
  await engine.ask({ op: "apply", commits: journal.map((ops, index) => [index + 1, ops]) });
  return engine;
}

async function randomJournal(random: (below: number) => number): Promise<Operation[][]> {
  const engine = await rebuilt([]);
  const journal: Operation[][] = [];
  try {
    for (let step = 0; step < 12; step++) {
      const fact = randomFact(random);
      const requests = [
        { op: "remember", fact },
        { op: "assume", fact, assumption: `h${random(2)}` },
        { op: "forget", fact: randomPattern(random) },
      ];
      const ops = await planned(engine, journal.length + 1, requests[random(3)]);
      if (ops && ops.length > 0) journal.push(ops);
    }
    return journal;
  } finally {
    engine.stop();
  }
}

/** The operations, or nothing when there was nothing to change. */
async function planned(
  engine: TestEngine,
  seq: number,
  request: Record<string, unknown>,
  op = "plan",
): Promise<Operation[] | undefined> {
  try {
    const { ops } = await engine.ask({ op, seq, request });
    return op === "preview" ? [] : ops as Operation[];
  } catch (error) {
    if (error instanceof ZpmError && error.code === "not_found") return undefined;
    throw error;
  }
}

function some<T>(random: (below: number) => number, most: number, make: () => T): T[] {
  return Array.from({ length: random(most + 1) }, make);
}

function randomFact(random: (below: number) => number): string {
  const one = () => "abcd"[random(4)];
  const facts = [`p(${one()})`, `r(${one()})`, `q(${one()}, ${one()})`, `cost(a, ${random(4)})`];
  return [...facts, `fresh(${one()})`, "path(d, a)"][random(6)];
}

function randomPattern(random: (below: number) => number): string {
  return random(2) === 0
    ? ["p(_)", "q(_, a)", "q(X, X)", "cost(_, _)", "path(_, _)", "r(_)"][random(6)]
    : randomFact(random);
}
