/** A journal that is cut or changed at any byte: what is read is a beginning of what was written, or nothing is. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Journal } from "../../src/store/journal.ts";
import type { Commit } from "../../src/store/protocol.ts";
import { commit, commits } from "../support/commits.ts";
import { ForgetfulFileSystem } from "../support/forgetful_fs.ts";

const first = "/zpm/data/journal-000001.wal";
const second = "/zpm/data/journal-000002.wal";

/** The last two are a commit of several lines and one of several operations. */
const ALL: Commit[] = [
  ...commits(1, 3),
  commit(4, ...Array.from({ length: 9 }, (_, i) => `long(${i}, 'text that needs several lines')`)),
  commit(5, "moved(1)", "moved(2)", "moved('ä☃')"),
];

Deno.test("a journal cut after any byte of its last two commits goes on from whole ones", async () => {
  const { files } = await written({ rotated: false });
  const bytes = files.get(first)!;
  const start = await lengthOf(ALL.slice(0, 3));
  for (let end = start; end <= bytes.length; end++) {
    const disk = diskWith([[first, bytes.slice(0, end)]]);
    const { commits: there, health } = await opening(disk);
    deepStrictEqual(there, ALL.slice(0, there.length), `cut after ${end} bytes`);
    ok(there.length >= 3 && health.status === "active", `cut after ${end} bytes`);
    const journal = new Journal("/zpm", { fs: disk });
    await journal.begin(there.length, 1000);
    journal.append([commit(there.length + 1, "afterwards(1)")]);
    journal.close();
    const later = await opening(disk.powerFails());
    deepStrictEqual(later.health.problems, []);
    deepStrictEqual(later.commits, [...there, commit(there.length + 1, "afterwards(1)")]);
  }
});

for (const rotated of [false, true]) {
  const where = rotated ? "two segments" : "one segment";
  Deno.test(`a flipped bit in ${where} never shows what was not written, and can be repaired`, async () => {
    const { files } = await written({ rotated });
    const seen = new Set<string>();
    for (const [path, bytes] of files) {
      for (let at = 0; at < bytes.length; at++) {
        const changed = bytes.slice();
        changed[at] ^= 1 << (at % 8);
        const disk = diskWith([...files, [path, changed]]);
        seen.add(await judged(disk, `${path}, byte ${at}`));
        const journal = new Journal("/zpm", { fs: disk });
        await journal.repair();
        journal.close();
        strictEqual((await opening(disk)).health.status, "active", `${path}, byte ${at}: repaired`);
      }
    }
    // Most of it is found as damage; the end of a file looks like a write that was cut off.
    ok(seen.has("damaged") && seen.has("torn"), [...seen].join());
  });
}

Deno.test("a sound journal can be cut back to any commit that is not within a checkpoint", async () => {
  for (const rotated of [false, true]) {
    const { files } = await written({ rotated });
    for (let keep = 0; keep <= ALL.length; keep++) {
      const disk = diskWith(files);
      const journal = new Journal("/zpm", { fs: disk });
      const steps = await journal.repair(keep);
      const left = rotated && keep < 4 ? ALL.length : keep;
      strictEqual(steps.length, left === ALL.length ? 0 : 1, `keep ${keep}`);
      await journal.begin(left, 1000);
      journal.append([commit(left + 1, "afterwards(1)")]);
      journal.close();
      const { commits: there, health } = await opening(disk.powerFails());
      deepStrictEqual(there, [...ALL.slice(0, left), commit(left + 1, "afterwards(1)")]);
      deepStrictEqual(health.problems, []);
    }
  }
});

/** What such a journal shows, and how it calls that. */
async function judged(disk: ForgetfulFileSystem, where: string): Promise<string> {
  const { commits: there, health } = await opening(disk);
  deepStrictEqual(there, ALL.slice(0, there.length), where);
  if (health.status === "damaged") {
    match(health.problems[0], /damaged|newer/, where);
    return "damaged";
  }
  if (there.length === ALL.length) return "whole";
  match(health.problems[0], /dropped torn tail/, where);
  return "torn";
}

/** All commits in a journal; with a second segment its checkpoint says the first four once more. */
async function written({ rotated }: { rotated: boolean }) {
  const disk = new ForgetfulFileSystem();
  disk.makeDirectory("/zpm");
  const journal = new Journal("/zpm", { fs: disk, line_bytes: 200 });
  for (const each of ALL) {
    await journal.begin(each.seq - 1, 1000);
    if (rotated && each.seq === 5) journal.rotate(ALL.slice(0, 4));
    journal.append([each]);
  }
  journal.close();
  const paths = rotated ? [first, second] : [first];
  return { files: new Map(paths.map((path) => [path, encoded(disk.text(path))])) };
}

async function lengthOf(all: Commit[]): Promise<number> {
  const disk = new ForgetfulFileSystem();
  disk.makeDirectory("/zpm");
  const journal = new Journal("/zpm", { fs: disk, line_bytes: 200 });
  await journal.begin(0, 1000);
  journal.append(all);
  return encoded(disk.text(first)).length;
}

function diskWith(files: Iterable<[string, Uint8Array]>): ForgetfulFileSystem {
  const disk = new ForgetfulFileSystem();
  for (const [path, bytes] of files) disk.put(path, bytes);
  return disk;
}

async function opening(disk: ForgetfulFileSystem) {
  const journal = new Journal("/zpm", { fs: disk });
  const opened = await journal.open();
  journal.close();
  return opened;
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
