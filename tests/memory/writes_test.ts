/** Rule W: groups, failing disks, other processes, lost engines. Real engines over a store that obeys. */
import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { notSaved } from "../../src/base/errors.ts";
import { EngineLost } from "../../src/engine/engine.ts";
import { withMemory } from "../support/memory_rig.ts";

const all = "findall(X, p(X), L)";

Deno.test("writes that wait together are one group, in their order", async () => {
  await withMemory(async ({ store, remember, ask }) => {
    const writes = Array.from({ length: 50 }, (_, i) => remember(`p(${i})`));
    deepStrictEqual(await Promise.all(writes), Array.from({ length: 50 }, (_, i) => i + 1));
    deepStrictEqual(store.groups, [50]);
    strictEqual(await ask("aggregate_all(count, p(_), N)"), '[{"N":50}]');
    strictEqual(store.locked, false);
  });
});

Deno.test("a write of a group sees those before it", async () => {
  await withMemory(async ({ store, remember, forget, ask }) => {
    const [first, second] = [remember("p(1)"), forget("p(X)")];
    deepStrictEqual(await Promise.all([first, second]), [1, 2]);
    deepStrictEqual(store.groups, [2]);
    deepStrictEqual(store.log[1].ops, [["-", 1, 0, "p(1)"]]);
    strictEqual(await ask(all), '[{"X":"_A","L":[]}]');
  });
});

Deno.test("a bad write fails alone", async () => {
  await withMemory(async ({ store, remember, define, ask }) => {
    const results = await Promise.allSettled([
      remember("p(1)"),
      remember("p(2"),
      remember("is(4, even)"),
      define("q(X)", "halt"),
      remember("p(3)"),
    ]);
    deepStrictEqual(results.map(({ status }) => status), [
      "fulfilled",
      "rejected",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    deepStrictEqual(store.log.map(({ seq, ops }) => [seq, ops[0][1]]), [[1, "p(1)"], [2, "p(3)"]]);
    strictEqual(await ask(all), '[{"X":"_A","L":[1,3]}]');
  });
});

Deno.test("when the disk fails, all of the group fails and no engine remembers it", async () => {
  await withMemory(async ({ store, engines, remember, ask }) => {
    await remember("p(1)");
    store.beforeAppend = () => Promise.reject(notSaved("No space left on device"));
    const failed = ["p(2)", "p(3)"].map((fact) =>
      rejects(remember(fact), { code: "not_saved", message: "Not saved: No space left on device" })
    );
    await Promise.all(failed);
    strictEqual(engines[0].alive, false);
    strictEqual(await ask(all), '[{"X":"_A","L":[1]}]');
    store.beforeAppend = () => Promise.resolve();
    strictEqual(await remember("p(4)"), 2);
    strictEqual(await ask(all), '[{"X":"_A","L":[1,4]}]');
    deepStrictEqual(store.log.map(({ ops }) => ops[0][1]), ["p(1)", "p(4)"]);
  });
});

Deno.test("a disk that fails in a way nobody foresaw is still an error in words", async () => {
  await withMemory(async ({ store, remember, ask }) => {
    store.beforeAppend = () => Promise.reject(new Error("EIO"));
    await rejects(remember("p(1)"), { code: "not_saved", message: /^Not saved: .*EIO/ });
    strictEqual(await ask("catch(p(X), _, fail)"), "[]");
  });
});

Deno.test("a read never shows what is not durable", async () => {
  await withMemory(async ({ store, remember, ask }) => {
    await remember("p(1)");
    const disk = Promise.withResolvers<void>();
    const writing = Promise.withResolvers<void>();
    store.beforeAppend = async () => {
      writing.resolve();
      await disk.promise;
    };
    const write = remember("p(2)");
    await writing.promise;
    // The write is planned and applied on its engine; the question goes to another one.
    strictEqual(await ask(all), '[{"X":"_A","L":[1]}]');
    disk.resolve();
    strictEqual(await write, 2);
    strictEqual(await ask(all), '[{"X":"_A","L":[1,2]}]');
  });
});

Deno.test("what another process wrote is seen by questions and by plans", async () => {
  await withMemory(async ({ store, remember, forget, elsewhere, ask }) => {
    await remember("p(1)");
    elsewhere("p(2)", "p(3)");
    strictEqual(await ask(all), '[{"X":"_A","L":[1,2,3]}]');
    elsewhere("p(4)");
    strictEqual(await forget("p(4)"), 5);
    deepStrictEqual(store.log[4].ops, [["-", 4, 0, "p(4)"]]);
    elsewhere("p(5)");
    strictEqual(await remember("p(6)"), 7);
    strictEqual(await ask(all), '[{"X":"_A","L":[1,2,3,5,6]}]');
  });
});

Deno.test("what was planned before the lock was there counts only if nobody has written", async () => {
  let plans = 0;
  await withMemory(async ({ store, remember, forget, elsewhere, ask }) => {
    const lock = Promise.withResolvers<void>();
    store.beforeBegin = () => lock.promise;
    const writes = [remember("p(1)"), forget("p(2)"), forget("p(3)")];
    while (plans < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    deepStrictEqual(store.log, []);
    // With this the second would have something to forget.
    elsewhere("p(2)");
    lock.resolve();
    const [first, second, third] = await Promise.allSettled(writes);
    deepStrictEqual([first, second].map((each) => each.status === "fulfilled" && each.value), [
      2,
      3,
    ]);
    strictEqual(third.status, "rejected");
    strictEqual(await ask(all), '[{"X":"_A","L":[1]}]');
    strictEqual(store.locked, false);
    strictEqual(plans, 6);
    // Whoever has just written may write again: now the lock comes first.
    store.beforeBegin = () => Promise.resolve(strictEqual(plans, 6));
    strictEqual(await remember("p(4)"), 4);
  }, (engine) => {
    const usual = engine.ask.bind(engine);
    engine.ask = (request, files) => {
      if (request.op === "plan") plans++;
      return usual(request, files);
    };
  });
});

Deno.test("a write that waits for the lock keeps no engine from others", async () => {
  await withMemory(async ({ store, remember, ask, engines }) => {
    await remember("p(1)");
    const lock = Promise.withResolvers<void>();
    store.beforeBegin = () => lock.promise;
    const write = remember("p(2)");
    // Long enough for the plan that was made ahead to be given up, and its engine with it.
    while (engines[0].alive) await new Promise((resolve) => setTimeout(resolve, 5));
    for (let n = 0; n < 5; n++) strictEqual(await ask(all), '[{"X":"_A","L":[1]}]');
    lock.resolve();
    strictEqual(await write, 2);
    strictEqual(await ask(all), '[{"X":"_A","L":[1,2]}]');
    deepStrictEqual(store.log.map(({ ops }) => ops[0][1]), ["p(1)", "p(2)"]);
  });
});

Deno.test("a log that was exchanged is read from its start, by questions and by writes", async () => {
  await withMemory(async ({ store, remember, elsewhere, ask }) => {
    await remember("p(1)");
    store.log = [];
    elsewhere("p(10)", "p(11)");
    store.replaced = true;
    strictEqual(await ask(all), '[{"X":"_A","L":[10,11]}]');
    store.log = [];
    elsewhere("p(20)");
    store.replaced = true;
    strictEqual(await remember("p(21)"), 2);
    strictEqual(await ask(all), '[{"X":"_A","L":[20,21]}]');
  });
});

Deno.test("an engine that dies while it plans is replaced, and the write planned once more", async () => {
  let deaths = 0;
  await withMemory(async ({ store, remember, ask }) => {
    const results = await Promise.all([remember("p(1)"), remember("p(2)"), remember("p(3)")]);
    deepStrictEqual(results, [1, 2, 3]);
    strictEqual(deaths, 1);
    deepStrictEqual(store.groups, [3]);
    strictEqual(await ask(all), '[{"X":"_A","L":[1,2,3]}]');
  }, (engine, number) => {
    if (number > 1) return;
    const usual = engine.ask.bind(engine);
    engine.ask = async (request, files) => {
      const { fact } = request.request as { fact?: string } ?? {};
      if (fact !== "p(2)") return await usual(request, files);
      deaths++;
      engine.stop();
      throw new EngineLost("died", "the C stack overflowed");
    };
  });
});

Deno.test("a write that kills every engine is refused, and the others of its group are kept", async () => {
  await withMemory(async ({ store, remember, ask }) => {
    const deep = `deep(${"f(".repeat(3_000)}a${")".repeat(3_000)})`;
    const [first, second, third] = await Promise.allSettled([
      remember("p(1)"),
      remember(deep),
      remember("p(2)"),
    ]);
    strictEqual(first.status, "fulfilled");
    strictEqual(third.status, "fulfilled");
    strictEqual(second.status, "rejected");
    match(
      String((second as PromiseRejectedResult).reason.message),
      /^The engine stopped|^Stopped: depth/,
    );
    strictEqual(store.log.length, 2);
    strictEqual(await ask(all), '[{"X":"_A","L":[1,2]}]');
  });
});

Deno.test("a write that was taken back before its turn is not written", async () => {
  await withMemory(async ({ store, remember, ask }) => {
    const disk = Promise.withResolvers<void>();
    store.beforeAppend = () => disk.promise;
    const first = remember("p(1)");
    await new Promise((resolve) => setTimeout(resolve, 300));
    const cancel = new AbortController();
    const second = rejects(remember("p(2)", { signal: cancel.signal }), { code: "cancelled" });
    const third = rejects(remember("p(3)", { deadline_ms: 1 }), { message: "Stopped: time 1 ms" });
    cancel.abort();
    await new Promise((resolve) => setTimeout(resolve, 20));
    disk.resolve();
    await Promise.all([first, second, third]);
    strictEqual(await ask(all), '[{"X":"_A","L":[1]}]');
    strictEqual(store.log.length, 1);
    ok(!store.locked);
  });
});

Deno.test("of a memory that is not mounted any more nothing is written, and its lock is left alone", async () => {
  await withMemory(async ({ store, remember, unmount }) => {
    await remember("a(1)");
    const begin = store.begin.bind(store);
    const held = Promise.withResolvers<void>();
    store.begin = async (memory, seq) => {
      const caught = await begin(memory, seq);
      await held.promise;
      return caught;
    };
    const refused = { code: "memory_missing" };
    const underWay = rejects(remember("b(1)"), refused);
    await new Promise((resolve) => setTimeout(resolve));
    const waiting = rejects(remember("c(1)"), refused);
    unmount();
    held.resolve();
    await Promise.all([underWay, waiting, rejects(remember("d(1)"), refused)]);
    strictEqual(store.log.length, 1);
    // By now it may be that of another writer, to a journal of the same name.
    strictEqual(store.locked, true);
  });
});
