/** `why_not`, asked about programs that nobody wrote: whatever it says, the engine says the same. */
import assert from "node:assert/strict";
import { limits } from "../../src/base/limits.ts";
import { ZpmError } from "../../src/base/errors.ts";
import { type Failure, failureText } from "../../src/tools/failure_text.ts";
import { type TestEngine, testEngine } from "../support/prolog_engine.ts";
import { generator } from "../support/random.ts";

const options = { sanitizeOps: false, sanitizeResources: false };

const bounds = { inferences: 20_000_000, answer_bytes: limits.answer_bytes };

/** What is told in the tests below of all programs together: were it nothing, they would say nothing. */
const seen = new Map<string, number>();

Deno.test("what is said to hold holds, and what is said to fail fails", options, async () => {
  for (let seed = 1; seed <= 16; seed++) await story(seed);
  for (
    const reason of [
      "rules",
      "parts",
      "no_clause",
      "built_in",
      "negation",
      "cut",
      "repeated",
      "not_followed",
    ]
  ) {
    assert.ok((seen.get(reason) ?? 0) > 0, `no failure for the reason ${reason}`);
  }
});

async function story(seed: number): Promise<void> {
  const random = generator(seed);
  const levels = [0, 0, 0, 1, 1, 1, 1, 2, 2, 2];
  const program = levels.map((level) => randomClause(random, level)).join("\n");
  const engine = await testEngine();
  try {
    await engine.load("kb.pl", `${program}\nq(a). q(b). r(b, c). r(a, b). s("a").\n`);
    for (const X of ["a", "b", "c", "z"]) {
      for (const fact of [`p0(${X})`, `p1(${X})`, `q(${X})`, `r(${X}, c)`, `s(${X})`]) {
        await checked(engine, fact, `seed ${seed}, ${fact} of\n${program}`);
      }
    }
  } finally {
    engine.stop();
  }
}

async function checked(engine: TestEngine, fact: string, place: string): Promise<void> {
  const request = { op: "why_not", fact, max_depth: 3, max_failures: limits.failures };
  const before = await engine.ask({ op: "checkpoint", head: 1 });
  const { holds, failures } = await engine.ask({ ...bounds, ...request }) as {
    holds: boolean;
    failures: Failure[];
  };
  assert.deepEqual(await engine.ask({ op: "checkpoint", head: 1 }), before, place);
  assert.equal(holds, await isTrue(engine, fact), place);
  assert.equal(failures.length === 0, holds, place);
  assert.ok(failures.length <= limits.failures, place);
  for (const [index, failure] of failures.entries()) {
    const { id, parent, goal, reason, held, witness, near = [] } = failure;
    seen.set(reason, (seen.get(reason) ?? 0) + 1);
    const where = `${place}\n${JSON.stringify(failure)}`;
    assert.equal(id, index, where);
    assert.ok(parent === null ? id === 0 : parent < id, where);
    if (held.length > 0) assert.ok(await isTrue(engine, held.join(", ")), where);
    if (goal !== null) assert.ok(!await isTrue(engine, goal), where);
    if (witness) assert.ok(await isTrue(engine, witness.goal), where);
    for (const { fact } of near.filter(({ fact }) => !fact.includes(":-"))) {
      assert.ok(await isStored(engine, fact), where);
    }
  }
  if (!holds) assert.ok(failureText(failures).startsWith(`${fact} does not hold`), place);
}

async function isTrue(engine: TestEngine, goal: string): Promise<boolean> {
  const page = { offset: 0, limit: 1 };
  const { answers } = await engine.ask({ ...bounds, op: "query", goal, ...page });
  return (answers as unknown[]).length > 0;
}

async function isStored(engine: TestEngine, fact: string): Promise<boolean> {
  try {
    await engine.ask({ op: "preview", request: { op: "forget", fact } });
    return true;
  } catch (error) {
    if (error instanceof ZpmError && error.code === "not_found") return false;
    throw error;
  }
}

/** Rules of three levels, so that every goal ends. */
function randomClause(random: (below: number) => number, level: number): string {
  const goals = Array.from({ length: 1 + random(3) }, () => randomGoal(random, level, 2));
  return `p${level}(X) :- ${goals.join(", ")}.`;
}

function randomGoal(random: (below: number) => number, level: number, depth: number): string {
  const inner = () => randomGoal(random, level, depth - 1);
  const variable = "XXY"[random(3)];
  if (depth > 0) {
    switch (random(12)) {
      case 0:
        return `( ${inner()} -> ${inner()} ; ${inner()} )`;
      case 1:
        return `( ${inner()} ; ${inner()} )`;
      case 2:
        return `\\+ ${inner()}`;
      case 3:
        return `once(${inner()})`;
      case 4:
        return `( ${inner()} *-> ${inner()} ; ${inner()} )`;
      case 5:
        return `forall(q(W), r(${variable}, W))`;
    }
  }
  const goals = [
    `q(${variable})`,
    `r(X, ${variable})`,
    `s(${variable})`,
    `${variable} = ${"abc"[random(3)]}`,
    `X \\== ${"abc"[random(3)]}`,
    random(3) === 0 ? "!" : "r(X, Y)",
    `call(q, ${variable})`,
    ...(level < 2 ? [`p${level + 1}(${variable})`, `p${level + 1}(X)`] : []),
  ];
  return goals[random(goals.length)];
}
