/** A server under pressure: many calls at once, large texts, slow goals. Nothing is lost, mixed up or answered twice. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { type Call, commitsOf, inProject, startCrashServer } from "./support/crash_server.ts";
import { cacheSource } from "./support/transcript_program.ts";

type Server = ReturnType<typeof startCrashServer>;

/** Runs a test with a server of its own, which is killed at the end. */
async function withServer(test: (server: Server, project: string) => Promise<void>): Promise<void> {
  await cacheSource();
  await inProject(async (project) => {
    const server = startCrashServer(project);
    try {
      await test(server, project);
    } finally {
      await server.kill();
    }
  });
}

const remember = (fact: string): Call => ({ name: "remember_fact", arguments: { fact } });
const ask = (goal: string, more = {}): Call => ({
  name: "query_logic",
  arguments: { goal, ...more },
});

Deno.test("questions and writes sent at once are all answered, each right for some order", async () => {
  await withServer(async (server, project) => {
    const calls = Array.from(
      { length: 40 },
      (_, i) => i % 2 === 0 ? remember(`n(${i})`) : ask("aggregate_all(count, n(_), N)"),
    );
    await server.send(...calls);
    await server.answered(calls.length);
    strictEqual(server.acknowledged.size, 40);
    const counts = calls.flatMap(({ name }, i) =>
      name === "query_logic" ? [JSON.parse(server.texts.get(i + 1)!)[0].N] : []
    );
    for (const count of counts) ok(count >= 0 && count <= 20, String(count));
    strictEqual((await commitsOf(project)).length, 20);
  });
});

Deno.test("a goal that runs into its limit is answered once, and holds nobody up", async () => {
  await withServer(async (server) => {
    await server.send(remember("keep(1)"));
    await server.answered(1);
    await server.send(
      ask("repeat, fail", { timeout_ms: 2_000 }),
      ask("repeat, fail", { timeout_ms: 2_000 }),
      ask("repeat, fail", { timeout_ms: 2_000 }),
      ...Array.from({ length: 10 }, () => ask("keep(X)")),
      remember("keep(2)"),
    );
    await server.answered(15);
    for (const id of [2, 3, 4]) match(server.texts.get(id)!, /^Stopped: time 2000 ms/);
    for (let id = 5; id <= 14; id++) match(server.texts.get(id)!, /^\[\{"X":1\}/);
    strictEqual(server.texts.get(15), "Asserted: keep(2)");
    await server.send(ask("keep(X)"));
    await server.answered(16);
    strictEqual(server.texts.get(16), '[{"X":1},{"X":2}]');
  });
});

Deno.test("large facts, many facts and large answers come back whole", async () => {
  await withServer(async (server) => {
    const long = "x".repeat(300_000);
    await server.send(remember(`long('${long}')`));
    const many = Array.from({ length: 2_000 }, (_, i) => remember(`many(${i}, 'number ${i}')`));
    await server.send(...many);
    await server.answered(many.length + 1);
    strictEqual(server.acknowledged.size, many.length + 1);
    await server.send(
      ask("long(X), atom_length(X, N)", { limit: 1 }),
      ask("many(X, Y)", { limit: 10_000 }),
      { name: "get_knowledge_schema", arguments: {} },
    );
    const first = many.length + 2;
    await server.answered(first + 2);
    deepStrictEqual(JSON.parse(server.texts.get(first)!), [{ X: long, N: 300_000 }]);
    strictEqual(JSON.parse(server.texts.get(first + 1)!).length, 2_000);
    deepStrictEqual(
      JSON.parse(server.texts.get(first + 2)!).predicates.map(({ count }: { count: number }) =>
        count
      ),
      [1, 2_000],
    );
  });
});

/** Texts that are long or dull, each with what may be said about it. */
const EXPENSIVE: [string, string, RegExp][] = [
  ["a long list", `X = [${"a,".repeat(50_000)}a]`, /^(\[|Stopped)/],
  ["a long conjunction", `true${", true".repeat(20_000)}`, /^(Stopped: depth|The engine stopped)/],
  ["minus signs", "X = " + "- ".repeat(100_000) + "1", /^(Stopped|The engine stopped|Cannot read)/],
  ["backslashes", `X = '${"\\\\".repeat(50_000)}'`, /^\[\{"X":"\\\\/],
  ["odd backslashes", `X = '${"\\".repeat(50_001)}'`, /^Cannot read the goal/],
  ["opening brackets", "(".repeat(200_000), /^(Cannot read|Stopped|The engine stopped)/],
  ["an open quote", `X = '${"a".repeat(500_000)}`, /^Cannot read the goal/],
  ["blanks", " ".repeat(1_000_000), /^InvalidArguments/],
  ["too much", `X = '${"a".repeat(5_000_000)}'`, /^Stopped: size/],
  ["a large number", `X = ${"9".repeat(5_000)}`, /^(\[\{"X":"9+|Stopped)/],
];

Deno.test("expensive texts are answered in bounded time, and the next question as well", async () => {
  await withServer(async (server) => {
    let id = 0;
    for (const [name, goal, expected] of EXPENSIVE) {
      const start = performance.now();
      await server.send(ask(goal), ask("X = alive"));
      id += 2;
      await server.answered(id);
      const text = server.texts.get(id - 1) ?? "no answer";
      match(text.slice(0, 200), expected, name);
      strictEqual(server.texts.get(id), '[{"X":"alive"}]', name);
      ok(performance.now() - start < 25_000, name);
    }
  });
});
