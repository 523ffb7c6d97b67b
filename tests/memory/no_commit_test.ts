/** Rule W with a real engine and a real journal: what is a commit and what is none. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { CallContext, Memories, Memory } from "../../src/memory/memory.ts";
import { openMemories } from "../../src/memory/service.ts";
import { initProject } from "../../src/store/project.ts";
import { commitsOf } from "../support/crash_server.ts";

const context: CallContext = { by: "test", client: "test", deadline_ms: 10_000 };

type Use = (memory: Memory, project: string, memories: Memories) => Promise<void>;

async function inMemory(use: Use): Promise<void> {
  const project = await Deno.makeTempDir({ prefix: "zpm-writes-" });
  initProject(project);
  const memories = await openMemories({ folder: join(project, ".zpm") });
  try {
    await use(await memories.memory("default", context), project, memories);
  } finally {
    await memories.close();
    await Deno.remove(project, { recursive: true });
  }
}

const remember = (fact: string) => ({ op: "remember", fact });
const clear = (category: string) => ({ op: "clear", category });

Deno.test("a change of nothing is no commit: it takes no number and writes no line", async () => {
  await inMemory(async (memory, project) => {
    assert.equal((await memory.commit(remember("p(1)"))).commit, 1);
    const nothing = await memory.commit<{ count: number }>(clear("ghost(_)"));
    assert.deepEqual([nothing.count, "commit" in nothing], [0, false]);
    assert.equal((await memory.commit(clear("p(2)"))).commit, undefined);
    assert.equal((await memory.commit(remember("p(2)"))).commit, 2);
    assert.deepEqual((await commitsOf(project)).map(({ seq, ops }) => [seq, ops.length]), [
      [1, 1],
      [2, 1],
    ]);
  });
});

Deno.test("in a group, those that change nothing do not disturb the numbers of the others", async () => {
  await inMemory(async (memory, project) => {
    const requests = [
      clear("q(_)"),
      remember("q(1)"),
      clear("r(_)"),
      remember("r(1)"),
      clear("q(_)"),
      clear("q(_)"),
    ];
    const replies = await Promise.all(requests.map((request) => memory.commit(request)));
    assert.deepEqual(replies.map(({ commit }) => commit), [
      undefined,
      1,
      undefined,
      2,
      3,
      undefined,
    ]);
    assert.deepEqual((await commitsOf(project)).map(({ ops }) => ops), [
      [["+", "q(1)"]],
      [["+", "r(1)"]],
      [["-", 1, 0, "q(1)"]],
    ]);
  });
});

Deno.test("a preview, and a plan that fails, leave no predicate behind", async () => {
  await inMemory(async (memory) => {
    const asked = async (goal: string) => {
      const request = { op: "query", goal, offset: 0, limit: 10, explicit_limit: false };
      return await memory.ask<{ answers: unknown[]; unknown?: string[] }>(request);
    };
    await memory.ask({ op: "preview", request: { op: "upsert", fact: "append(a, b, c)" } });
    await memory.ask({ op: "preview", request: { op: "upsert", fact: "fresh(a)" } });
    assert.deepEqual((await asked("append([1], [2], L)")).answers, [{ L: [1, 2] }]);
    assert.deepEqual((await asked("fresh(X)")).unknown, ["fresh/1"]);
    await memory.commit({ op: "upsert", fact: "append(a, b, c)" });
    assert.deepEqual((await asked("append(a, b, L)")).answers, [{ L: "c" }]);
  });
});

Deno.test("a supposition keeps nothing, also when it is stopped", async () => {
  await inMemory(async (memory, project, memories) => {
    await memory.commit(remember("p(1)"));
    const page = { offset: 0, limit: 10, explicit_limit: false };
    const asked = async (goal: string) =>
      (await memory.ask<{ answers: unknown[] }>({ op: "query", goal, ...page })).answers;
    const suppose = async (goal: string, more: Partial<CallContext> = {}) => {
      const request = { op: "what_if", goal, facts: ["p(2)", "q(2)"], without: ["p(1)"], shown: 9 };
      const stopped = await memories.memory("default", { ...context, ...more });
      return (await stopped.ask<{ answers: unknown[] }>({ ...request, ...page })).answers;
    };
    const untouched = async () => {
      assert.deepEqual(await asked("p(X)"), [{ X: 1 }]);
      assert.deepEqual(await asked("q(X)"), []);
    };
    assert.deepEqual(await suppose("p(X), q(X)"), [{ X: 2 }]);
    await untouched();
    await assert.rejects(suppose("p(X), throw(oops)"), /oops/);
    await untouched();
    await assert.rejects(suppose("p(X), repeat, fail", { deadline_ms: 300 }), /Stopped: time/);
    await untouched();
    const controller = new AbortController();
    const cancelled = suppose("p(X), repeat, fail", { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await assert.rejects(cancelled, /Stopped: cancelled/);
    await untouched();
    assert.equal((await commitsOf(project)).length, 1);
  });
});
