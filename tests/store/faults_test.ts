/** Disks that are full, forget, or refuse: what was acknowledged stays, what was refused never comes back. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { ZpmError } from "../../src/base/errors.ts";
import { Journal } from "../../src/store/journal.ts";
import type { Commit } from "../../src/store/protocol.ts";
import { commit, commits } from "../support/commits.ts";
import { ForgetfulFileSystem } from "../support/forgetful_fs.ts";

const path = "/zpm/data/journal-000001.wal";

Deno.test("an acknowledged commit survives a power failure, however much else does", async () => {
  const { fs, journal } = await started();
  for (let seq = 1; seq <= 5; seq++) {
    await journal.begin(seq - 1, 1000);
    journal.append([commit(seq)]);
    for (const kept of [0, 10, 1000]) {
      deepStrictEqual(await surviving(fs.powerFails(kept)), commits(1, seq));
    }
  }
});

Deno.test("a group of commits costs one sync", async () => {
  const { fs, journal } = await started();
  await journal.begin(0, 1000);
  const before = fs.syncs;
  journal.append(commits(1, 100));
  strictEqual(fs.syncs, before + 1);
});

Deno.test("a write that the power cut short is there whole or not at all", async () => {
  const { fs, journal } = await started();
  await add(journal, commits(1, 2));
  fs.failing_truncates = 1;
  fs.failing_syncs = 1;
  await refused(journal, [commit(3)]);
  const length = fs.text(path).length;
  for (let kept = 0; kept <= length; kept++) {
    const all = await surviving(fs.powerFails(kept));
    deepStrictEqual(all.slice(0, 2), commits(1, 2));
    strictEqual(all.length <= 3, true);
  }
});

Deno.test("short writes are finished", async () => {
  const { fs, journal } = await started();
  fs.short_writes = 5;
  await add(journal, commits(1, 3));
  deepStrictEqual(await surviving(fs.powerFails()), commits(1, 3));
});

Deno.test("a full disk refuses the commit, keeps the file whole, and may have room again", async () => {
  const { fs, journal } = await started();
  await add(journal, commits(1, 2));
  const whole = fs.text(path);
  fs.space = 150;
  const error = await refused(journal, [commit(3, `long('${"x".repeat(300)}')`)]);
  match(error.message, /^Not saved: .*No space left on device/);
  strictEqual(fs.text(path), whole);
  strictEqual((await journal.health()).status, "active");
  fs.space = Infinity;
  await add(journal, [commit(3)]);
  deepStrictEqual(await surviving(fs.powerFails()), commits(1, 3));
});

Deno.test("what a failed sync refused does not come back", async () => {
  const { fs, journal } = await started();
  await add(journal, commits(1, 2));
  fs.failing_syncs = 1;
  const error = await refused(journal, commits(3, 4));
  match(error.message, /^Not saved: .*sync/);
  deepStrictEqual(await journal.since(2), { commits: [], replaced: false });
  for (const kept of [0, 1000]) {
    deepStrictEqual(await surviving(fs.powerFails(kept)), commits(1, 2));
  }
  deepStrictEqual(await surviving(fs), commits(1, 2));
  await add(journal, [commit(3, "other(3)")]);
  deepStrictEqual(await surviving(fs.powerFails(1000)), [...commits(1, 2), commit(3, "other(3)")]);
});

Deno.test("when the failed write cannot be undone nothing more is written or read back", async () => {
  for (const faults of [{ failing_syncs: 1, failing_truncates: 1 }, { failing_syncs: 2 }]) {
    const { fs, journal } = await started();
    await add(journal, commits(1, 2));
    Object.assign(fs, faults);
    const error = await refused(journal, [commit(3)]);
    match(error.message, /^Not saved: outcome unknown, /);
    match(error.hint, /check with a query/);
    const { health, ...nothing } = await journal.since(2);
    deepStrictEqual(nothing, { commits: [], replaced: false });
    strictEqual(health?.status, "damaged");
    // It is told once.
    deepStrictEqual(await journal.since(2), nothing);
    const { status, problems } = await journal.health();
    strictEqual(status, "damaged");
    match(problems[0], /could not be undone/);
    match((await refused(journal, [commit(3)])).message, /^Not saved: a failed write/);
    deepStrictEqual((await journal.open()).commits, commits(1, 2));
    match((await refused(journal, [commit(3)])).message, /^Not saved: a failed write/);
  }
});

Deno.test("what another process wrote is not handed over before it is durable", async () => {
  const { fs, journal } = await started();
  const other = new Journal("/zpm", { fs });
  await other.open();
  await add(journal, [commit(1)]);
  // A writer that died between write and sync: its line is in the file and not on the disk.
  const dying = fs.open(path, { write: true });
  const line = await lineAfter(commits(1, 1), commit(2));
  dying.write(dying.identify().size, line);
  deepStrictEqual(await surviving(fs.powerFails()), [commit(1)]);
  deepStrictEqual(await other.since(1), { commits: [commit(2)], replaced: false });
  deepStrictEqual(await surviving(fs.powerFails()), commits(1, 2));
});

Deno.test("a line that cannot be synced is not handed over", async () => {
  const { fs, journal } = await started();
  await add(journal, [commit(1)]);
  const dying = fs.open(path, { write: true });
  dying.write(dying.identify().size, await lineAfter(commits(1, 1), commit(2)));
  fs.failing_syncs = 1;
  match((await thrown(() => journal.since(1))).message, /^Cannot read the memory: .*sync/);
  const { health, ...nothing } = await journal.since(1);
  deepStrictEqual(nothing, { commits: [], replaced: false });
  strictEqual(health?.status, "damaged");
  deepStrictEqual((await journal.open()).commits, [commit(1)]);
});

Deno.test("a folder written again from the open file is durable before the next acknowledgement", async () => {
  const { fs, journal } = await started();
  await add(journal, commits(1, 3));
  fs.removeTree("/zpm/data");
  await add(journal, [commit(4)]);
  deepStrictEqual(await surviving(fs.powerFails()), commits(1, 4));
});

Deno.test("a commit that could not be written again elsewhere is refused", async () => {
  const { fs, journal } = await started();
  await add(journal, commits(1, 3));
  await journal.begin(3, 1000);
  fs.removeTree("/zpm/data");
  fs.space = 250;
  match((await thrown(() => journal.append([commit(4)]))).message, /^Not saved: .*No space/);
  fs.space = Infinity;
  deepStrictEqual(await journal.since(3), { commits: [], replaced: false });
  await add(journal, [commit(4, "other(4)")]);
  deepStrictEqual(await surviving(fs.powerFails()), [...commits(1, 3), commit(4, "other(4)")]);
});

Deno.test("the damaged journal is durable beside the journal before that is cut", async () => {
  const { fs, journal } = await started();
  await add(journal, commits(1, 4));
  const rotten = fs.text(path).replace("p(3)", "p(7)");
  fs.put(path, rotten);
  const doctor = new Journal("/zpm", { fs });
  await doctor.repair();
  const after = fs.powerFails();
  strictEqual(after.text(`${path}.damaged-1`), rotten);
});

Deno.test("a damaged log is kept when its bad bytes cannot be kept elsewhere", async () => {
  const { fs, journal } = await started();
  await add(journal, commits(1, 4));
  const rotten = fs.text(path).replace("p(3)", "p(7)");
  fs.put(path, rotten);
  const doctor = new Journal("/zpm", { fs });
  await doctor.open();
  fs.space = 10;
  match((await thrown(() => doctor.repair())).message, /^Cannot repair: .*No space/);
  strictEqual(fs.text(path), rotten);
});

async function started(): Promise<{ fs: ForgetfulFileSystem; journal: Journal }> {
  const fs = new ForgetfulFileSystem();
  fs.makeDirectory("/zpm");
  const journal = new Journal("/zpm", { fs });
  await journal.open();
  return { fs, journal };
}

async function add(journal: Journal, all: Commit[]): Promise<void> {
  await journal.begin(all[0].seq - 1, 1000);
  deepStrictEqual(journal.append(all), { saved: true });
}

/** The error that a write is answered with, in whichever half. */
function refused(journal: Journal, all: Commit[]): Promise<ZpmError> {
  return thrown(() => add(journal, all));
}

async function thrown(work: () => unknown): Promise<ZpmError> {
  try {
    await work();
  } catch (fault) {
    if (fault instanceof ZpmError) return fault;
    throw fault;
  }
  throw new Error("no error came");
}

async function surviving(fs: ForgetfulFileSystem): Promise<Commit[]> {
  const journal = new Journal("/zpm", { fs });
  const { commits } = await journal.open();
  journal.close();
  return commits;
}

/** The bytes of a commit's line as they follow `before` in a journal. */
async function lineAfter(before: Commit[], next: Commit): Promise<Uint8Array> {
  const { fs, journal } = await started();
  await add(journal, before);
  const start = fs.text(path).length;
  await add(journal, [next]);
  return new TextEncoder().encode(fs.text(path).slice(start));
}
