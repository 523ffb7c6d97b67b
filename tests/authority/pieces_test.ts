/** Small parts that much rests on: one spelling for each value, names that stand twice, writes in groups. */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { canonicalJson } from "../../src/authority/canonical_json.ts";
import { Groups } from "../../src/authority/groups.ts";
import { SharedLock } from "../../src/authority/shared_lock.ts";
import { doubledName } from "../../src/base/json.ts";

Deno.test("a value has one canonical JSON", () => {
  const values: [unknown, string][] = [
    [{ b: 1, a: [true, null, 'ü\u2028"\\\n'] }, '{"a":[true,null,"ü\u2028\\"\\\\\\n"],"b":1}'],
    [{ a: undefined, b: { d: 1e21, c: -0 } }, '{"b":{"c":0,"d":1e+21}}'],
    [[undefined, 1.5], "[null,1.5]"],
    [undefined, "null"],
    ["text", '"text"'],
    [{ "é": 1, z: 2, "10": 3, "9": 4 }, '{"10":3,"9":4,"z":2,"é":1}'],
  ];
  for (const [value, text] of values) strictEqual(canonicalJson(value), text);
  const deep = `${'[{"a":'.repeat(100_000)}1${"}]".repeat(100_000)}`;
  ok(canonicalJson(JSON.parse(deep)) === deep);
});

Deno.test("a name that stands twice in one object is found, and nothing else is taken for one", () => {
  const texts: [string, string | undefined][] = [
    ['{"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": 4}]}', undefined],
    ['{"a": 1, "b": 2, "a": 3}', "a"],
    ['{"a": {"b": 1, "c": [], "b": 2}}', "b"],
    ['[{"x": 1}, {"x": 1, "x": 2}]', "x"],
    [String.raw`{"a": "\"a\": 1, {", "b": "}", "c": "a"}`, undefined],
    [String.raw`{"a": 1, "\u0061": 2}`, "a"],
    ['{"a" : ["a", "a"], "b"\n: "a"}', undefined],
    ["[]", undefined],
    ['"a"', undefined],
  ];
  for (const [text, name] of texts) strictEqual(doubledName(text), name, text);
});

Deno.test("what comes while a group is written goes into the next one, and a fault is that of its group", async () => {
  const groups: number[][] = [];
  const gates: (() => void)[] = [];
  const queue = new Groups<number, number>(async (items) => {
    groups.push(items);
    await new Promise<void>((resolve) => gates.push(resolve));
    if (items.includes(3)) throw new Error("disk");
    return items.map((item) => item * 10);
  });
  const first = queue.add(1);
  const [second, third] = [queue.add(2), queue.add(3)];
  strictEqual(queue.waiting, 2);
  gates[0]();
  strictEqual(await first, 10);
  const refused = Promise.all([rejects(second, /disk/), rejects(third, /disk/)]);
  const last = queue.add(4);
  gates[1]();
  await refused;
  while (gates.length < 3) await Promise.resolve();
  gates[2]();
  strictEqual(await last, 40);
  deepStrictEqual(groups, [[1], [2, 3], [4]]);
});

Deno.test("who comes while the last one leaves has the lock when it enters", async () => {
  let held = false;
  let asked = 0;
  const gates: PromiseWithResolvers<void>[] = [];
  const lock = new SharedLock({
    async acquire() {
      held = true;
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      asked++;
      await gate.promise;
      return true;
    },
    release: () => void (held = false),
    holder: () => undefined,
    close: () => {},
  });
  const first = lock.enter(Infinity);
  await isAsked(1);
  gates[0].resolve();
  strictEqual(await first, true);
  const second = lock.enter(Infinity);
  await isAsked(2);
  // The second has been given the lock and does not know it yet; the first lets it go.
  lock.leave();
  strictEqual(held, false);
  gates[1].resolve();
  await isAsked(3);
  gates[2].resolve();
  strictEqual(await second, true);
  strictEqual(held, true);
  lock.leave();
  strictEqual(held, false);
  strictEqual(lock.isIdle, true);

  async function isAsked(count: number): Promise<void> {
    for (let turns = 0; asked < count && turns < 100; turns++) await Promise.resolve();
    strictEqual(asked, count);
  }
});

Deno.test("who gives up waiting leaves nothing behind", async () => {
  const answers = [true, false, true];
  let releases = 0;
  const lock = new SharedLock({
    acquire: () => Promise.resolve(answers.shift()!),
    release: () => void releases++,
    holder: () => undefined,
    close: () => {},
  });
  deepStrictEqual(await Promise.all([1, 2, 3].map(() => lock.enter(0))), [true, false, true]);
  lock.leave();
  strictEqual(releases, 0);
  lock.leave();
  deepStrictEqual([releases, lock.isIdle], [1, true]);
});
