/**
 * The process ends before, within and after every single call that the store makes: every write, sync, rename, cut,
 * lock. What was acknowledged is there afterwards, what was under way is there whole or not at all, and the store
 * goes on: after kill -9, where all that was written is left, and after a power failure, where only that is
 * left which was synced, and perhaps some of the rest.
 */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Journal } from "../../src/store/journal.ts";
import type { Commit } from "../../src/store/protocol.ts";
import { commit, commits } from "../support/commits.ts";
import { ForgetfulFileSystem } from "../support/forgetful_fs.ts";
import { crashingFileSystem, type Moment } from "../support/hooked_fs.ts";

/** What a step asks for; `commits` and `file` are what its acknowledgement promises. */
interface Step {
  commits?: Commit[];
  /** `kb/snapshot.pl` after it; `null` when it is gone. */
  file?: string | null;
  run(journal: Journal, head: number): Promise<void>;
}

const long_commit = commit(4, ...Array.from({ length: 12 }, (_, i) => `long(${i}, 'some text')`));

const STORY: Step[] = [
  write([commit(1)]),
  write(commits(2, 3)),
  write([long_commit]),
  rotation(),
  write([commit(5)]),
  snapshot("% the first version\n"),
  rotation(),
  write(commits(6, 8)),
  snapshot("% the second version, which is longer\n"),
  write([commit(9)]),
  { file: null, run: (journal) => Promise.resolve(journal.kb.remove("snapshot.pl")) },
];

for (const moment of ["before", "within", "after"] as const) {
  Deno.test(`an end ${moment} any call loses nothing that was acknowledged`, async () => {
    for (let call = 1; await endsAt(call, moment); call++);
  });
}

/** Tells the story up to that call and looks at what is left; false when the story is over before it. */
async function endsAt(call: number, moment: Moment): Promise<boolean> {
  const disk = new ForgetfulFileSystem();
  disk.makeDirectory("/zpm");
  const { fs, state } = crashingFileSystem(disk, "/zpm", { call, moment });
  const journal = new Journal("/zpm", { fs, line_bytes: 200 });
  let done = 0;
  try {
    for (const step of STORY) {
      await step.run(journal, acknowledged(done).length);
      if (state.crashed !== undefined) break;
      done++;
    }
  } catch (fault) {
    if (state.crashed === undefined) throw fault;
  }
  if (state.crashed === undefined) {
    // The story and its fault points, counted once: fewer would mean that calls go past the hooks.
    ok(call > 70, `the whole story makes ${call - 1} calls`);
    return false;
  }
  for (const kept of [0, 7, 1_000_000]) await holds(disk.powerFails(kept), done, state.crashed);
  disk.processDies();
  await holds(disk, done, state.crashed);
  return true;
}

/** Everything that was promised is on this disk, and the store goes on from there. */
async function holds(disk: ForgetfulFileSystem, done: number, where: string): Promise<void> {
  const there = await everything(disk, where);
  const promised = acknowledged(done);
  const under_way = STORY[done].commits ?? [];
  ok(there.length >= promised.length, `${where}: ${promised.length} commits, left ${there.length}`);
  ok(there.length <= promised.length + under_way.length, `${where}: left ${there.length}`);
  deepStrictEqual(there, [...promised, ...under_way].slice(0, there.length), where);
  const files = [fileAfter(done), fileAfter(done + 1)];
  ok(files.includes(fileOn(disk)), `${where}: the file is ${fileOn(disk)}`);
  const next = commit(there.length + 1, "afterwards(1)");
  const journal = new Journal("/zpm", { fs: disk });
  await journal.begin(there.length, 1000);
  journal.append([next]);
  journal.kb.write("snapshot.pl", new TextEncoder().encode("% afterwards\n"));
  journal.close();
  const later = disk.powerFails();
  deepStrictEqual(await everything(later, where), [...there, next], where);
  strictEqual(fileOn(later), "% afterwards\n", where);
}

/** All commits, read from the newest segment and again through all of them. */
async function everything(disk: ForgetfulFileSystem, where: string): Promise<Commit[]> {
  const journal = new Journal("/zpm", { fs: disk });
  const { commits, health } = await journal.open();
  const past = await journal.past(1);
  journal.close();
  strictEqual(health.status, "active", where);
  for (const problem of health.problems) match(problem, /dropped torn tail/, where);
  deepStrictEqual([...past.base, ...past.commits], commits, where);
  return commits;
}

function fileOn(disk: ForgetfulFileSystem): string | null {
  const path = "/zpm/kb/snapshot.pl";
  return disk.identify(path) ? disk.text(path) : null;
}

function acknowledged(done: number): Commit[] {
  return STORY.slice(0, done).flatMap((step) => step.commits ?? []);
}

function fileAfter(done: number): string | null {
  return STORY.slice(0, done).findLast((step) => step.file !== undefined)?.file ?? null;
}

function write(all: Commit[]): Step {
  return {
    commits: all,
    async run(journal, head) {
      await journal.begin(head, 1000);
      journal.append(all);
    },
  };
}

/** The checkpoint says all there is, so that what is left can be compared with what was written. */
function rotation(): Step {
  return {
    async run(journal, head) {
      await journal.begin(head, 1000);
      journal.rotate(acknowledged(STORY.length).slice(0, head));
      journal.abandon();
    },
  };
}

function snapshot(text: string): Step {
  return {
    file: text,
    run: (journal) =>
      Promise.resolve(journal.kb.write("snapshot.pl", new TextEncoder().encode(text))),
  };
}

Deno.test("an end within a repair leaves the damaged bytes, and the repair can be done again", async () => {
  for (const moment of ["before", "within", "after"] as const) {
    for (let call = 1; await repairEndsAt(call, moment); call++);
  }
});

async function repairEndsAt(call: number, moment: Moment): Promise<boolean> {
  const disk = await damaged();
  const path = "/zpm/data/journal-000001.wal";
  const rotten = disk.text(path);
  const { fs, state } = crashingFileSystem(disk, "/zpm", { call, moment });
  const doctor = new Journal("/zpm", { fs });
  await doctor.repair().catch(() => {});
  if (state.crashed === undefined) return false;
  for (const left of [disk.powerFails(), disk.powerFails(1_000_000)]) {
    const journal = new Journal("/zpm", { fs: left });
    deepStrictEqual((await journal.open()).commits, commits(1, 2), state.crashed);
    await journal.repair();
    strictEqual((await journal.health()).status, "active", state.crashed);
    await journal.begin(2, 1000);
    journal.append([commit(3)]);
    journal.close();
    const kept = left.paths().filter((name) => name.includes("damaged")).map((name) =>
      left.text(name)
    );
    ok(kept.includes(rotten), `${state.crashed}: the damaged journal is nowhere`);
  }
  return true;
}

Deno.test("a folder that vanished comes back whole or not at all", async () => {
  for (const moment of ["before", "within", "after"] as const) {
    for (let call = 1; await returnEndsAt(call, moment); call++);
  }
});

/** Only the process that has the file open still knows the commits; when it ends, too, they are gone. */
async function returnEndsAt(call: number, moment: Moment): Promise<boolean> {
  const disk = new ForgetfulFileSystem();
  disk.makeDirectory("/zpm");
  const at = { call: 0, moment };
  const { fs, state } = crashingFileSystem(disk, "/zpm", at);
  const journal = new Journal("/zpm", { fs });
  await write(commits(1, 3)).run(journal, 0);
  at.call = state.calls + call;
  disk.removeTree("/zpm/data");
  await write([commit(4)]).run(journal, 3).catch(() => {});
  if (state.crashed === undefined) return false;
  const power = disk.powerFails();
  disk.processDies();
  for (const left of [disk, power]) {
    const there = await everything(left, state.crashed);
    ok([0, 3, 4].includes(there.length), `${state.crashed}: left ${there.length}`);
    deepStrictEqual(there, commits(1, there.length), state.crashed);
  }
  return true;
}

async function damaged(): Promise<ForgetfulFileSystem> {
  const disk = new ForgetfulFileSystem();
  disk.makeDirectory("/zpm");
  const journal = new Journal("/zpm", { fs: disk });
  await write(commits(1, 5)).run(journal, 0);
  journal.close();
  const path = "/zpm/data/journal-000001.wal";
  disk.put(path, disk.text(path).replace("p(3)", "p(7)"));
  return disk;
}
