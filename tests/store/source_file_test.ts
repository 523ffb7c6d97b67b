/**
 * A file that is changed (SPEC 2.3, "Persistence"): the process ends before, within and after every call, the power
 * fails, the disk is full or refuses to sync, and there is the old file or the new one, never half of one.
 */
import assert from "node:assert/strict";
import { digestOf } from "../../src/base/digest.ts";
import { denoFileSystem } from "../../src/store/file_system.ts";
import { SourceFile } from "../../src/store/source_file.ts";
import { ForgetfulFileSystem } from "../support/forgetful_fs.ts";
import { crashingFileSystem, type Moment, recordedFileSystem } from "../support/hooked_fs.ts";
import { seenFileSystem } from "../support/seen_fs.ts";

const PATH = "/kb/facts.pl";
const OLD = "p(1).\np(2).\n";
const NEW = "p(1).\np(2).\np(3).\n";

function bytes(text: string) {
  return new TextEncoder().encode(text);
}

function diskWithFile(): ForgetfulFileSystem {
  const disk = new ForgetfulFileSystem();
  disk.put(PATH, OLD);
  return disk;
}

async function replaced(file: SourceFile, { from = OLD, to = NEW } = {}): Promise<boolean> {
  return await file.replace(bytes(to), await digestOf(bytes(from)));
}

for (const moment of ["before", "within", "after"] as const) {
  Deno.test(`an end ${moment} any call leaves the old file or the new one`, async () => {
    let calls = 0;
    while (await endsAt(calls + 1, moment)) calls++;
    assert.ok(calls >= 14, `a change makes ${calls} calls`);
  });
}

/** Opens and replaces up to that call, and looks at what is left; false when that is over before it. */
async function endsAt(call: number, moment: Moment): Promise<boolean> {
  const disk = diskWithFile();
  const { fs, state } = crashingFileSystem(disk, "/kb", { call, moment });
  const file = new SourceFile(fs, PATH);
  let saved = false;
  try {
    await file.open();
    saved = await replaced(file);
    if (state.crashed === undefined) file.close();
  } catch (fault) {
    if (state.crashed === undefined) throw fault;
  }
  if (state.crashed === undefined) return false;
  for (const kept of [0, 3, 1_000]) {
    await goesOn(disk.powerFails(kept), saved, `${state.crashed}, ${kept} bytes more`);
  }
  disk.processDies();
  await goesOn(disk, saved, state.crashed);
  return true;
}

/** What was acknowledged is there, and the next process changes it again, whatever lies beside it. */
async function goesOn(disk: ForgetfulFileSystem, saved: boolean, where: string): Promise<void> {
  const text = disk.text(PATH);
  assert.ok(saved ? text === NEW : [OLD, NEW].includes(text), `${where}: ${text}`);
  const file = new SourceFile(disk, PATH);
  await file.open();
  assert.equal(await replaced(file, { from: text, to: "q(1).\n" }), true, where);
  file.close();
  assert.deepEqual([disk.text(PATH), disk.paths()], ["q(1).\n", [PATH]], where);
}

Deno.test("the calls of a change, in order", async () => {
  const { fs, calls } = recordedFileSystem(diskWithFile(), "/kb");
  const file = new SourceFile(fs, PATH);
  await file.open();
  calls.length = 0;
  await replaced(file);
  assert.deepEqual(calls, [
    "create .facts.pl.tmp",
    "give .facts.pl.tmp the rights of facts.pl",
    "cut .facts.pl.tmp to 0",
    "write .facts.pl.tmp 18 bytes at 0",
    "sync .facts.pl.tmp",
    "rename .facts.pl.tmp to facts.pl",
    "sync folder .",
  ]);
});

Deno.test("a file that is not what was loaded stays as it is", async () => {
  const disk = diskWithFile();
  const file = new SourceFile(disk, PATH);
  await file.open();
  disk.put(PATH, "edited.\n");
  assert.equal(await replaced(file), false);
  assert.equal(disk.text(PATH), "edited.\n");
  assert.equal(await replaced(file, { from: "edited.\n" }), true);
  assert.equal(disk.text(PATH), NEW);
  file.close();
  assert.deepEqual(disk.paths(), [PATH]);
});

Deno.test("a file that is gone is told as such, and one that comes back is changed", async () => {
  const disk = diskWithFile();
  const file = new SourceFile(disk, PATH);
  await file.open();
  disk.remove(PATH);
  assert.throws(() => file.read(), {
    code: "not_saved",
    message: /^Cannot read "facts\.pl" again: /,
  });
  await assert.rejects(replaced(file), { code: "not_saved", message: /cannot be saved/ });
  disk.put(PATH, OLD);
  assert.equal(await replaced(file), true);
  file.close();
});

Deno.test("a full disk and one that does not sync are told, and nothing is changed", async () => {
  const disk = diskWithFile();
  const file = new SourceFile(disk, PATH);
  await file.open();
  const refused = { code: "not_saved", message: /^facts\.pl: the change cannot be saved: / };
  disk.space = 5;
  await assert.rejects(replaced(file), refused);
  disk.space = Infinity;
  disk.failing_syncs = 1;
  await assert.rejects(replaced(file), refused);
  const { syncDirectory } = disk;
  disk.syncDirectory = () => {
    throw new Error("Input/output error");
  };
  await assert.rejects(replaced(file), refused);
  disk.syncDirectory = syncDirectory;
  assert.equal(disk.text(PATH), OLD);
  assert.equal(await replaced(file), true);
  file.close();
});

Deno.test("one process has the file; its name is told to others", async () => {
  const disk = diskWithFile();
  // A runtime that cannot try a lock asks for one and hears later; such a server comes first here.
  const older = seenFileSystem(disk, (_path, handle) => ({
    tryLock: undefined,
    lock: (exclusive) =>
      new Promise((resolve) => setTimeout(resolve, 2)).then(() => handle.lock(exclusive)),
  }));
  const [first, second] = [new SourceFile(older, PATH), new SourceFile(disk, PATH)];
  await first.open();
  await assert.rejects(second.open(), {
    code: "conflict",
    message: new RegExp(`^"facts\\.pl" is already served with --persist, by process ${Deno.pid}, `),
  });
  first.close();
  await second.open();
  second.close();
  const none = new SourceFile(disk, "/kb/none.pl");
  await assert.rejects(none.open(), { code: "read_only", message: /it is not a file/ });
});

Deno.test("mode bits and the owner are kept", async () => {
  const folder = await Deno.makeTempDir({ prefix: "zpm-source-" });
  try {
    const path = `${folder}/facts.pl`;
    await Deno.writeTextFile(path, OLD);
    await Deno.chmod(path, 0o640);
    const before = await Deno.stat(path);
    const file = new SourceFile(denoFileSystem, path);
    await file.open();
    assert.equal(await replaced(file), true);
    file.close();
    const after = await Deno.stat(path);
    assert.deepEqual([after.mode, after.uid, after.gid], [before.mode, before.uid, before.gid]);
    assert.notEqual(after.ino, before.ino);
    assert.equal(await Deno.readTextFile(path), NEW);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
