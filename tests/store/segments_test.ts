/** Logs of several segments: how they are written, followed, and started from (ENGINE-NOTES 2.6). */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { Journal } from "../../src/store/journal.ts";
import { commit, commits } from "../support/commits.ts";
import { ForgetfulFileSystem } from "../support/forgetful_fs.ts";

const first = "/zpm/data/journal-000001.wal";
const second = "/zpm/data/journal-000002.wal";

Deno.test("after rotation the log is the checkpoint and what follows", async () => {
  const { fs, journal } = await rotated();
  await add(journal, 5);
  const opened = await opening(fs);
  deepStrictEqual(opened.commits, [commit(2), commit(4), commit(5)]);
  strictEqual(opened.health.commits, 5);
  deepStrictEqual(opened.health.problems, []);
});

Deno.test("rotation is durable at every step", async () => {
  const { fs } = await rotated();
  deepStrictEqual((await opening(fs.powerFails())).commits, [commit(2), commit(4)]);
});

Deno.test("a process that is behind follows the pointer", async () => {
  const { fs, journal, behind } = await rotated();
  await add(journal, 5);
  deepStrictEqual(await behind.since(3), { commits: commits(4, 5), replaced: false });
  await behind.begin(5, 1000);
  behind.append([commit(6)]);
  strictEqual(fs.text(second).includes("p(6)"), true);
  deepStrictEqual(await journal.since(5), { commits: [commit(6)], replaced: false });
});

Deno.test("a process that asks for what lies before the checkpoint opens again", async () => {
  const { fs } = await rotated();
  const late = new Journal("/zpm", { fs });
  await late.open();
  deepStrictEqual(await late.since(1), { commits: [], replaced: true });
  deepStrictEqual((await late.open()).commits, [commit(2), commit(4)]);
});

Deno.test("a segment cut at any byte of its checkpoint is not started from", async () => {
  const { fs } = await rotated();
  const [whole_first, whole_second] = [fs.text(first), fs.text(second)];
  const without_pointer = whole_first.slice(0, whole_first.lastIndexOf('{"v":1,"next"'));
  for (let end = 0; end < whole_second.length - 1; end++) {
    const cut = new ForgetfulFileSystem();
    cut.put(first, without_pointer);
    cut.put(second, whole_second.slice(0, end));
    const journal = new Journal("/zpm", { fs: cut });
    deepStrictEqual((await journal.open()).commits, commits(1, 4));
    await add(journal, 5);
    strictEqual(cut.identify(second), undefined);
    journal.close();
  }
});

Deno.test("a crash before the pointer is finished by the next writer", async () => {
  const { fs } = await rotated();
  const whole = fs.text(first);
  const behind = new ForgetfulFileSystem();
  behind.put(first, whole.slice(0, whole.lastIndexOf('{"v":1,"next"')));
  const journal = new Journal("/zpm", { fs: behind });
  deepStrictEqual((await journal.open()).commits, commits(1, 4));
  behind.put(second, fs.text(second));
  await add(journal, 5);
  strictEqual(behind.text(first), whole);
  deepStrictEqual((await opening(behind)).commits, [commit(2), commit(4), commit(5)]);
});

Deno.test("a damaged checkpoint is read-only from the segment before, until repaired", async () => {
  const { fs } = await rotated();
  fs.put(second, fs.text(second).replace("p(2)", "p(9)"));
  const journal = new Journal("/zpm", { fs });
  const opened = await journal.open();
  deepStrictEqual(opened.commits, commits(1, 4));
  strictEqual(opened.health.status, "damaged");
  match(opened.health.problems[0], /journal-000002\.wal is damaged at its beginning/);
  const file = { file: "journal-000002.wal", kept_as: "journal-000002.wal.damaged-1" };
  deepStrictEqual(await journal.repair(), [{ kind: "set aside", ...file }]);
  await add(journal, 5);
  deepStrictEqual((await opening(fs)).commits, commits(1, 5));
});

Deno.test("the past is read back through older segments, as far as asked", async () => {
  const { journal } = await rotated();
  await add(journal, 5);
  const near = { base: [commit(2), commit(4)], base_seq: 4, commits: [commit(5)] };
  const whole = { base: [], base_seq: 0, commits: commits(1, 5) };
  deepStrictEqual(await journal.past(5), near);
  deepStrictEqual(await journal.past(4), whole);
  deepStrictEqual(await journal.past(1), whole);
  await journal.begin(5, 1000);
  deepStrictEqual(await journal.past(5), near);
  deepStrictEqual(await journal.past(1), whole);
  journal.abandon();
});

Deno.test("the past ends where a segment is gone or another one", async () => {
  const { fs, journal } = await rotated();
  const kept = { base: [commit(2), commit(4)], base_seq: 4, commits: [] };
  const text = fs.text(first);
  fs.put(first, text.replace("p(3)", "p(8)"));
  deepStrictEqual(await journal.past(1), kept);
  fs.remove(first);
  deepStrictEqual(await journal.past(1), kept);
});

Deno.test("the last ten segments stay", async () => {
  const { fs, journal } = await rotated();
  for (let seq = 5; seq < 17; seq++) {
    await journal.begin(seq - 1, 1000);
    journal.rotate([commit(2)]);
    journal.append([commit(seq)]);
  }
  const segments = fs.list("/zpm/data").filter((name) => name.endsWith(".wal")).sort();
  strictEqual(segments.length, 10);
  strictEqual(segments.at(-1), "journal-000014.wal");
  deepStrictEqual((await opening(fs)).commits, [commit(2), commit(16)]);
});

/**
 * Four commits, of which the second and the fourth say all there is to know, and a second segment. `behind` has seen
 * three of them.
 */
async function rotated() {
  const fs = new ForgetfulFileSystem();
  fs.makeDirectory("/zpm");
  const journal = new Journal("/zpm", { fs });
  await journal.open();
  for (let seq = 1; seq <= 3; seq++) await add(journal, seq);
  const behind = new Journal("/zpm", { fs });
  await behind.open();
  await add(journal, 4);
  await journal.begin(4, 1000);
  journal.rotate([commit(2), commit(4)]);
  journal.abandon();
  return { fs, journal, behind };
}

async function add(journal: Journal, seq: number): Promise<void> {
  await journal.begin(seq - 1, 1000);
  journal.append([commit(seq)]);
}

async function opening(fs: ForgetfulFileSystem) {
  const journal = new Journal("/zpm", { fs });
  const opened = await journal.open();
  journal.close();
  return opened;
}
