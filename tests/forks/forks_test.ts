/** Forks over a base: what is written in one is seen in it alone, and survives. */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { ann, bob, withForks } from "../support/forks.ts";

Deno.test("a fork begins with the base, and what it adds is its own", () =>
  withForks({}, async ({ remember, ask }) => {
    await remember(ann, "p(3)");
    await remember(bob, "p(4)");
    deepStrictEqual(await ask(ann, "p(X)"), ["1", "2", "3"]);
    deepStrictEqual(await ask(bob, "p(X)"), ["1", "2", "4"]);
  }));

Deno.test("what the base says can be hidden in one fork", () =>
  withForks({}, async ({ memory, ask, restart }) => {
    for (const fact of ["p(1)", "p(2)"]) await (await memory(ann)).commit({ op: "forget", fact });
    deepStrictEqual(await ask(ann, "p(X)"), []);
    deepStrictEqual(await ask(bob, "p(X)"), ["1", "2"]);
    await restart();
    deepStrictEqual(await ask(ann, "p(X)"), []);
  }));

Deno.test("forks are there again after a restart, with who wrote what for which call", () =>
  withForks({}, async (rig) => {
    const memory = await rig.memory(ann, { who: "ann", call: "op-1" });
    await memory.commit({ op: "remember", fact: "p(3)" });
    await rig.restart();
    deepStrictEqual(await rig.ask(ann, "p(X)"), ["1", "2", "3"]);
    const journal = await Deno.readTextFile(`${rig.folder}/durable/ann/data/journal-000001.wal`);
    const { who, call } = JSON.parse(journal);
    deepStrictEqual([who, call], ["ann", "op-1"]);
  }));

Deno.test("the memories and snapshots of a fork lie under it, and there is no global one", () =>
  withForks({}, async ({ memory, ask, remember, folder, restart }) => {
    const its = await memory(ann);
    await its.create("notes", "project");
    await its.commit({ op: "mount", name: "notes", scope: "project", mode: "rw" });
    await (await its.other("notes")).commit({ op: "remember", fact: "n(1)" });
    await remember(ann, "p(3)");
    await its.snapshots.save("first");
    ok(await Deno.stat(`${folder}/durable/ann/kb/first.pl`));
    ok(await Deno.stat(`${folder}/durable/ann/memories/notes/data`));
    await restart();
    deepStrictEqual(await ask(ann, "notes:n(X)"), ["1"]);
    deepStrictEqual(await ask(ann, "p(X)"), ["1", "2", "3"]);
    await rejects((await memory(ann)).create("shared", "global"));
    await rejects((await memory(bob)).other("notes"));
  }));

Deno.test("a leased fork that is removed begins anew", () =>
  withForks({}, async ({ forks, remember, ask, folder }) => {
    const guest = { id: "guest", lifecycle: "leased", lease: 1 } as const;
    await remember(guest, "p(3)");
    await forks.remove(guest);
    deepStrictEqual([...Deno.readDirSync(`${folder}/leased`)], []);
    deepStrictEqual(await ask(guest, "p(X)"), ["1", "2"]);
  }));

Deno.test("another lease is another fork, and what is left of the one before goes at the next start", () =>
  withForks({}, async ({ remember, ask, folder, restart }) => {
    const first = { id: "guest", lifecycle: "leased", lease: 1 } as const;
    const second = { ...first, lease: 2 };
    await remember(first, "p(3)");
    await remember(second, "p(4)");
    await restart([second]);
    deepStrictEqual([...Deno.readDirSync(`${folder}/leased`)].map(({ name }) => name), ["guest.2"]);
    deepStrictEqual(await ask(second, "p(X)"), ["1", "2", "4"]);
    deepStrictEqual(await ask(first, "p(X)"), ["1", "2"]);
  }));

Deno.test("a fork whose folder cannot be made is refused, and opens when it can", () =>
  withForks({}, async ({ folder, ask, forks }) => {
    await Deno.writeTextFile(`${folder}/durable/ann`, "in the way");
    await rejects(forks.memories(ann), { code: "not_saved" });
    await Deno.remove(`${folder}/durable/ann`);
    deepStrictEqual(await ask(ann, "p(X)"), ["1", "2"]);
  }));

Deno.test("two who name the same fork share it", () =>
  withForks({}, async ({ forks }) => {
    const both = await Promise.all([forks.memories(ann), forks.memories({ ...ann })]);
    strictEqual(both[0], both[1]);
    strictEqual(forks.counts.open, 1);
  }));

Deno.test("a base that has changed changes what forks do not say themselves", () =>
  withForks({ base: ["p(1)", "p(2)", "q(1)"] }, async ({ memory, remember, ask, rebase }) => {
    await remember(ann, "p(9)");
    for (const fact of ["p(2)", "q(1)"]) await (await memory(ann)).commit({ op: "forget", fact });
    await rebase(["p(0)", "p(1)", "q(1)", "q(2)"]);
    deepStrictEqual(await ask(ann, "p(X)"), ["0", "1", "9"]);
    deepStrictEqual(await ask(ann, "q(X)"), ["2"]);
    await remember(ann, "p(10)");
    deepStrictEqual(await ask(ann, "p(X)"), ["0", "1", "9", "10"]);
    deepStrictEqual(await ask(bob, "q(X)"), ["1", "2"]);
  }));
