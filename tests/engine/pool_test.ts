/** The supervisor: turns, the clock, slices, and what becomes of engines. All with engines that only wait. */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { limits } from "../../src/base/limits.ts";
import { fakePool } from "../support/fake_engines.ts";

/** Far longer than anything here takes, far shorter than the test may. */
const LONG = 60_000;

Deno.test("jobs of one client keep their order", async () => {
  const { pool, run, done } = fakePool({ engines: 1 });
  await Promise.all(["a", "b", "c", "d"].map((name) => run(name, 1)));
  deepStrictEqual(done, ["a", "b", "c", "d"]);
  pool.close();
});

Deno.test("clients take turns", async () => {
  const { pool, run, begun } = fakePool({ engines: 1 });
  const jobs = ["a1", "a2", "a3"].map((name) => run(name, 1, { client: "a" }));
  jobs.push(...["b1", "b2"].map((name) => run(name, 1, { client: "b" })));
  await Promise.all(jobs);
  deepStrictEqual(begun, ["a1", "b1", "a2", "b2", "a3"]);
  pool.close();
});

Deno.test("writes go before reads that wait", async () => {
  const { pool, run, begun } = fakePool({ engines: 1 });
  const jobs = ["r1", "r2", "r3"].map((name) => run(name, 1));
  jobs.push(run("w", 1, { urgent: true }));
  await Promise.all(jobs);
  strictEqual(begun.indexOf("w") <= 1, true, begun.join());
  pool.close();
});

Deno.test("one long job holds nobody up", async () => {
  const { pool, run, engines, alive } = fakePool();
  const stop = new AbortController();
  const long = rejects(
    run("long", LONG, { client: "a", deadline_ms: LONG, signal: stop.signal }),
    { code: "cancelled" },
  );
  const shorts = Array.from({ length: 20 }, (_, i) => run(`s${i}`, 1, { client: "b" }));
  const [, others] = await Promise.all([
    run("same client", 1, { client: "a" }),
    Promise.all(shorts),
  ]);
  strictEqual(others.length, 20);
  strictEqual(engines.length, 2);
  stop.abort();
  await long;
  strictEqual(alive(), 1);
  pool.close();
});

Deno.test("an eager pool boots its engines for short jobs, too", async () => {
  for (const [eager, engines] of [[true, 3], [false, 1]] as const) {
    const fake = fakePool({ engines: 3, eager });
    const jobs = Array.from({ length: 30 }, (_, i) => fake.run(`${i}`, 2, { client: `${i}` }));
    await Promise.all(jobs);
    strictEqual(fake.engines.length, engines);
    fake.pool.close();
  }
});

Deno.test("with both engines in long jobs, short ones still get through", async () => {
  const { pool, run, begun } = fakePool();
  const stop = new AbortController();
  const hold = { deadline_ms: LONG, signal: stop.signal };
  const first = run("long 1", LONG, { client: "a", ...hold });
  const second = run("long 2", LONG, { client: "b", ...hold });
  await run("wait for both", 0, { client: "c" });
  const shorts = Array.from({ length: 10 }, (_, i) => run(`s${i}`, 1, { client: "d" }));
  strictEqual((await Promise.all(shorts)).length, 10);
  // One of the long ones was taken off its engine for that, and will be run again.
  strictEqual(begun.filter((name) => name === "long 1").length, 1);
  stop.abort();
  await rejects(first, { code: "cancelled" });
  await rejects(second, { code: "cancelled" });
  pool.close();
});

Deno.test("a job that was taken off its engine is finished later", async () => {
  const { pool, run, done, begun } = fakePool();
  const ms = limits.slice_ms * 4;
  const longs = ["a", "b", "c"].map((name) => run(name, ms, { client: name, deadline_ms: LONG }));
  const shorts = Array.from({ length: 5 }, (_, i) => run(`s${i}`, 1, { client: "d" }));
  await Promise.all([...longs, ...shorts]);
  deepStrictEqual(done.filter((name) => "abc".includes(name)).sort(), ["a", "b", "c"]);
  ok(begun.length >= done.length);
  ok(done.indexOf("s4") < done.lastIndexOf("c"), done.join());
  pool.close();
});

Deno.test("the clock stops a job, its engine goes, and the next has another", async () => {
  const { pool, run, engines } = fakePool({ engines: 1 });
  await rejects(run("endless", LONG, { deadline_ms: 30 }), {
    code: "limit",
    message: "Stopped: time 30 ms",
  });
  strictEqual(await run("next", 1), "next");
  deepStrictEqual(engines.map(({ alive }) => alive), [false, true]);
  pool.close();
});

Deno.test("the clock runs for a job that waits, but not while the first engine boots", async () => {
  const { pool, run, begun } = fakePool({ engines: 1, boot_ms: 120 });
  strictEqual(await run("patient", 1, { deadline_ms: 50 }), "patient");
  const stop = new AbortController();
  const long = run("long", LONG, { deadline_ms: LONG, signal: stop.signal });
  await rejects(run("waits", 1, { deadline_ms: 30 }), { message: "Stopped: time 30 ms" });
  ok(!begun.includes("waits"));
  stop.abort();
  await rejects(long, { code: "cancelled" });
  pool.close();
});

Deno.test("a job may be taken back before it began, while it runs, and before it came", async () => {
  const { pool, run, begun } = fakePool({ engines: 1 });
  const [first, second, third] = [1, 2, 3].map(() => new AbortController());
  third.abort();
  const taken = [
    run("running", LONG, { signal: first.signal }),
    run("waiting", 1, { signal: second.signal }),
    run("late", 1, { signal: third.signal }),
  ].map((job) => rejects(job, { code: "cancelled" }));
  const last = run("last", 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  second.abort();
  first.abort();
  await Promise.all(taken);
  strictEqual(await last, "last");
  deepStrictEqual(begun, ["running", "last"]);
  pool.close();
});

Deno.test("an engine that has grown is replaced after its job", async () => {
  const { pool, run, engines } = fakePool({ engines: 1 });
  await run("a", 1);
  engines[0].grown = true;
  await run("b", 1);
  await run("c", 1);
  deepStrictEqual(engines.map(({ alive }) => alive), [false, true]);
  pool.close();
});

Deno.test("a spare engine goes when nobody needs it; one stays", async () => {
  const { pool, run, engines, alive } = fakePool({ idle_ms: 20 });
  const ms = limits.slice_ms + 50;
  await Promise.all([run("a", ms, { client: "a" }), run("b", 1, { client: "b" })]);
  strictEqual(engines.length, 2);
  // The timer does not keep the process alive; this does.
  await new Promise((resolve) => setTimeout(resolve, 200));
  strictEqual(alive(), 1);
  pool.close();
});

Deno.test("thrown away engines take no job with them", async () => {
  const { pool, run, engines, begun } = fakePool();
  const jobs = [run("read", 100, { client: "a" }), run("write", 100, { urgent: true })];
  await new Promise((resolve) => setTimeout(resolve, limits.slice_ms / 2));
  pool.discard();
  deepStrictEqual(await Promise.all(jobs), ["read", "write"]);
  strictEqual(begun.filter((name) => name === "write").length, 1);
  strictEqual(engines[0].alive, false);
  pool.close();
});

Deno.test("a failed boot is told to all who wait, and the next job tries again", async () => {
  let broken = true;
  const working = fakePool();
  const { pool, run } = fakePool({
    boot: () => broken ? Promise.reject(new Error("no memory")) : working_boot(),
  });
  const working_boot = async () => {
    await working.run("boot", 0);
    return working.engines[0] as never;
  };
  await Promise.all(
    [run("a", 1), run("b", 1)].map((job) => rejects(job, { message: "no memory" })),
  );
  broken = false;
  strictEqual(await run("c", 1), "c");
  pool.close();
  working.pool.close();
});

Deno.test("closing answers everybody", async () => {
  const { pool, run } = fakePool({ engines: 1 });
  const jobs = [run("running", LONG), run("waiting", 1)]
    .map((job) => rejects(job, { code: "cancelled" }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  pool.close();
  await Promise.all(jobs);
  await rejects(run("late", 1), { code: "cancelled" });
});
