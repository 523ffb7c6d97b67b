/** Light jobs that wait at an engine: how many, at which, and what becomes of them behind a slow one. */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { limits } from "../../src/base/limits.ts";
import { Alarm } from "../../src/engine/alarm.ts";
import { Lanes } from "../../src/engine/lanes.ts";
import { Queues } from "../../src/engine/queues.ts";
import { readReply } from "../../src/engine/reply.ts";
import { answers, query, withEngine } from "../support/engines.ts";
import { fakePool } from "../support/fake_engines.ts";

const LONG = 60_000;
const light = { light: true };

Deno.test("a client whose job is taken back leaves no queue behind", () => {
  const queues = new Queues<{ client: string; urgent: boolean; name: string }>();
  const items = ["a", "b", "c"].map((name) => ({ client: name, urgent: name === "c", name }));
  for (const item of items) queues.add(item);
  strictEqual(queues.remove(items[0]), true);
  strictEqual(queues.remove(items[0]), false);
  queues.add(items[0]);
  // Were its empty queue still there, its turn would come before b's.
  const order = Array.from({ length: 4 }, () => queues.next(() => true)?.name);
  deepStrictEqual(order, ["c", "b", "a", undefined]);
  strictEqual(queues.size, 0);
});

Deno.test("what is put back comes before what its client waits for, and others have their turn", () => {
  const queues = new Queues<{ client: string; urgent: boolean; name: string }>();
  const item = (client: string, name: string) => ({ client, urgent: false, name });
  for (const name of ["a2", "a3"]) queues.add(item("a", name));
  queues.add(item("b", "b1"));
  queues.putBack(item("a", "a1"));
  const order = Array.from({ length: 4 }, () => queues.next(() => true)?.name);
  deepStrictEqual(order, ["a1", "b1", "a2", "a3"]);
});

Deno.test("the engine with the fewest jobs gets the next, and slow jobs wait at none", () => {
  let now = 0;
  const lanes = new Lanes<string, { light: boolean; since: number }>(() => now);
  const job = () => ({ light: true, since: now });
  const free = () => lanes.least(() => true);
  const done = (ms: number) => {
    const one = job();
    lanes.add("a", one);
    now += ms;
    lanes.remove("a", one);
  };
  lanes.add("b", job());
  strictEqual(free(), undefined);
  for (let n = 0; n < 50; n++) done(0.1);
  // One is at the engine b already.
  for (const engine of ["a", "a", "b", "b"]) lanes.add(engine, job());
  strictEqual(free(), "a");
  strictEqual(lanes.least((engine) => engine !== "a"), "b");
  for (let engine; (engine = free());) lanes.add(engine, job());
  const { lane_jobs } = limits;
  deepStrictEqual([...lanes].map(([, lane]) => lane.length), [lane_jobs, lane_jobs]);
  const slow = new Lanes<string, { light: boolean; since: number }>(() => now);
  const one = job();
  slow.add("a", one);
  now += limits.deadline_ms;
  slow.remove("a", one);
  slow.add("a", job());
  strictEqual(slow.least(() => true), undefined);
});

/** A pool whose jobs have been so short that its engine takes three at once. */
async function quickPool() {
  const fake = fakePool({ engines: 1 });
  for (let together = false; !together;) {
    const jobs = [1, 2, 3].map(() => fake.run("quick", 0, light));
    together = fake.begun.length === 3;
    await Promise.all(jobs);
    fake.begun.length = 0;
    fake.done.length = 0;
  }
  return fake;
}

Deno.test("several light jobs wait at one engine, in their order", async () => {
  const { pool, run, begun, done } = await quickPool();
  const jobs = ["a", "b", "c"].map((name) => run(name, 1, { ...light, client: name }));
  deepStrictEqual(begun, ["a", "b", "c"]);
  deepStrictEqual(done, []);
  await Promise.all(jobs);
  deepStrictEqual(done, ["a", "b", "c"]);
  pool.close();
});

Deno.test("a job that needs an engine for itself has its turn among light ones", async () => {
  const { pool, run, begun } = await quickPool();
  const jobs = ["a", "b"].map((name) => run(name, 1, { ...light, client: name }));
  jobs.push(run("change", 1, { client: "c" }));
  jobs.push(...["d", "e"].map((name) => run(name, 1, { ...light, client: name })));
  deepStrictEqual(begun, ["a", "b"]);
  await Promise.all(jobs);
  deepStrictEqual(begun, ["a", "b", "change", "d", "e"]);
  pool.close();
});

Deno.test("behind a job that takes long nobody waits, and each keeps its place", async () => {
  const { pool, run, begun, engines } = await quickPool();
  const stop = new AbortController();
  const long = run("long", LONG, { ...light, deadline_ms: LONG, signal: stop.signal });
  const jobs = ["a", "b"].map((name) => run(name, 1, light));
  deepStrictEqual(begun, ["long", "a", "b"]);
  // Longer than they may wait at the engine: they are back in the pool, so ending the long one costs them nothing.
  await new Promise((resolve) => setTimeout(resolve, limits.light_ms * 4));
  stop.abort();
  await rejects(long, { code: "cancelled" });
  deepStrictEqual(await Promise.all(jobs), ["a", "b"]);
  deepStrictEqual(begun, ["long", "a", "b", "a", "b"]);
  deepStrictEqual(engines.map(({ alive }) => alive), [false, true]);
  pool.close();
});

Deno.test("a light job that is taken back before it was begun costs no engine", async () => {
  const { pool, run, engines, done } = await quickPool();
  const stop = new AbortController();
  const first = run("first", 2, light);
  const second = run("second", 2, { ...light, signal: stop.signal });
  const third = run("third", 2, light);
  stop.abort();
  await rejects(second, { code: "cancelled" });
  deepStrictEqual(await Promise.all([first, third]), ["first", "third"]);
  deepStrictEqual(done, ["first", "third"]);
  deepStrictEqual(engines.map(({ alive }) => alive), [true]);
  pool.close();
});

Deno.test("a light job whose answer was on its way when its engine was ended is run again", async () => {
  const { pool, run, engines, begun } = await quickPool();
  engines[0].begun = 2;
  const stop = new AbortController();
  const first = run("first", LONG, { ...light, signal: stop.signal });
  const second = run("second", 1, light);
  stop.abort();
  await rejects(first, { code: "cancelled" });
  strictEqual(await second, "second");
  deepStrictEqual(begun, ["first", "second", "second"]);
  deepStrictEqual(engines.map(({ alive }) => alive), [false, true]);
  pool.close();
});

Deno.test("an alarm rings at the earliest time, and looks once more before it rings late", async () => {
  const rung: number[] = [];
  const rings = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const alarm = new Alarm(() => {
    rung.push(performance.now());
    rings[rung.length - 1].resolve();
  });
  const start = performance.now();
  alarm.by(start + LONG);
  alarm.by(start + 5);
  alarm.by(start + LONG);
  await rings[0].promise;
  ok(rung[0] >= start + 5);
  let heard = false;
  // Held up until after the time: what came meanwhile has its turn before the alarm.
  alarm.by(performance.now() + 1);
  setTimeout(() => heard = true, 2);
  for (const end = performance.now() + limits.alarm_late_ms * 3; performance.now() < end;);
  await rings[1].promise;
  strictEqual(heard, true);
  alarm.off();
});

Deno.test("a signal that must be made is made for a job that lasts, and for no other", async () => {
  const { pool, run, engines } = await quickPool();
  const stop = new AbortController();
  const gone = AbortSignal.abort();
  let made = 0;
  const signal = (signal: AbortSignal) => () => {
    made++;
    return signal;
  };
  await run("quick", 0, { ...light, signal: signal(stop.signal) });
  strictEqual(made, 0);
  await rejects(run("left", LONG, { ...light, signal: signal(gone) }), { code: "cancelled" });
  strictEqual(made, 1);
  const leaving = run("leaving", LONG, { ...light, signal: signal(stop.signal) });
  stop.abort();
  await rejects(leaving, { code: "cancelled" });
  strictEqual(made, 2);
  deepStrictEqual(engines.map(({ alive }) => alive), [false, false]);
  pool.close();
});

Deno.test("an engine has several requests, and what it has not begun with can be taken back", () =>
  withEngine(async (engine) => {
    const version = async () => readReply(await engine.ask({ op: "version" }), "query").prolog;
    const versions = await Promise.all(Array.from({ length: 5 }, version));
    strictEqual(new Set(versions).size, 1);
    const long = answers(engine, "between(1, 1000000, N), N >= 1000000");
    const others = [version(), version()].map((other) => rejects(other, { why: "unasked" }));
    // Whether it has begun with the first by now is its own business.
    const kept = engine.takeBack();
    ok(kept <= 1);
    await Promise.all(others);
    if (kept === 0) await rejects(long, { why: "unasked" });
    else strictEqual(await long, '[{"N":1000000}]');
    strictEqual(await version(), versions[0]);
    strictEqual(engine.alive, true);
  }));

Deno.test("an engine that ends takes only the request with it that it was at", () =>
  withEngine(async (engine) => {
    await engine.ask({ op: "version" });
    const requests = [query("repeat, fail"), { op: "version" }, { op: "version" }];
    const asked = requests.map((request) => engine.ask(request));
    engine.stop();
    const why = await Promise.all(asked.map((each) => each.then(() => "", ({ why }) => why)));
    deepStrictEqual(why, ["stopped", "unasked", "unasked"]);
  }));
