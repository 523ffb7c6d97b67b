/** An engine that is stopped uses no time any more, whatever it was doing. */
import assert from "node:assert/strict";
import { EngineLost } from "../../src/engine/engine.ts";
import { answers, bootEngine, withEngine } from "../support/engines.ts";

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
