/** An engine that is stopped uses no time any more, whatever it was doing. */
import assert from "node:assert/strict";
import { Engine, EngineLost } from "../../src/engine/engine.ts";
import { readReply } from "../../src/engine/reply.ts";
import { answers, assets, bootEngine, withEngine } from "../support/engines.ts";

/** Each finds answers without end, which can be counted from outside. */
const goals = [
  "between(1, inf, X), X mod 10000 =:= 0",
  "repeat, catch((between(1, 10000, X), X >= 10000), _, true)",
  "repeat, findall(X, (between(1, 10000, X), X > 9990), Xs)",
];

for (const goal of goals) {
  Deno.test(`stopped: ${goal}`, async () => {
    const engine = await bootEngine();
    const asked = engine.ask({
      op: "query",
      memory: "default",
      goal,
      offset: 0,
      limit: 1e6,
      inferences: 1e9,
      answer_bytes: 1e9,
    });
    while (engine.progress.answers < 3) await pause(5);
    engine.stop();
    await assert.rejects(asked, EngineLost);
    await pause(500);
    const { answers } = engine.progress;
    await pause(200);
    assert.equal(engine.progress.answers, answers);
  });
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("a long loop counts right: a heartbeat is no answer", async () => {
  await withEngine(async (engine) => {
    const goal = "aggregate_all(count, (between(1, 2000000, _), atom_length(abc, _)), N)";
    assert.equal(await answers(engine, goal), '[{"N":2000000}]');
  });
});

/** In production heartbeats are a hundred times as rare: what they spoil is seen once in thousands of calls. */
Deno.test("a heartbeat behind whatever goal changes no answer", async () => {
  const files = await assets();
  const dense = files.files["heartbeat.pl"] + "\n:- set_prolog_flag(heartbeat, 4992).\n";
  const engine = new Engine(
    { ...files, files: { ...files.files, "heartbeat.pl": dense } },
    undefined,
  );
  try {
    const ask = async (request: Record<string, unknown>) =>
      readReply(await engine.ask({ memory: "default", ...request }), "rule") as { ops: unknown[] };
    await ask({ op: "create", mode: "rw" });
    const ops = [["+", "p(a)"], ["+", "p(b)"], ["+", "s(A):-p(A)"], ["t", "s/1"]];
    await ask({ op: "apply", commits: [[1, ops]] });
    for (let n = 1; n <= 1_000; n++) {
      // Each call is a little longer than the last, so that the beats come behind other goals.
      const goal = `numlist(0, ${n % 83}, _Ns), setof(_X, p(_X), L), s(b), sum_list(_Ns, N)`;
      const sum = (n % 83) * (n % 83 + 1) / 2;
      assert.equal(await answers(engine, goal), `[{"L":["a","b"],"N":${sum}}]`, `call ${n}`);
      const request = { op: "remember", fact: `q(${n})` };
      assert.equal((await ask({ op: "plan", seq: n + 1, request })).ops.length, 1, `call ${n}`);
    }
  } finally {
    engine.stop();
  }
});
