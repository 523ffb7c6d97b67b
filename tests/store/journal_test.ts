import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { Journal, type JournalOptions } from "../../src/store/journal.ts";
import { commit, commits } from "../support/commits.ts";

const first = "journal-000001.wal";

Deno.test("what is appended is there when the memory is opened again", async () => {
  await inFolder(async (folder) => {
    await write(folder, commits(1, 3));
    const opened = await reopened(folder);
    deepStrictEqual(opened.commits, commits(1, 3));
    strictEqual(opened.health.status, "active");
    deepStrictEqual(opened.health.problems, []);
    strictEqual(opened.health.commits, 3);
  });
});

Deno.test("files and folders are the owner's alone", async () => {
  await inFolder(async (folder) => {
    await write(folder, [commit(1)]);
    strictEqual(Deno.statSync(`${folder}/data`).mode! & 0o777, 0o700);
    for (const name of [first, "turn", "lock"]) {
      strictEqual(Deno.statSync(`${folder}/data/${name}`).mode! & 0o777, 0o600, name);
    }
  });
});

Deno.test("a torn tail is reported, and cut off before the next append", async () => {
  await inFolder(async (folder) => {
    await write(folder, commits(1, 3));
    const path = `${folder}/data/${first}`;
    const whole = Deno.statSync(path).size;
    Deno.truncateSync(path, whole - 17);
    const journal = new Journal(folder);
    const opened = await journal.open();
    strictEqual(opened.health.status, "active");
    match(opened.health.problems[0], /journal-000001\.wal: kept 2, dropped torn tail of \d+ bytes/);
    await journal.begin(2, 1000);
    journal.append([commit(3, "other(3)")]);
    journal.close();
    const again = await reopened(folder);
    deepStrictEqual(again.commits, [...commits(1, 2), commit(3, "other(3)")]);
    deepStrictEqual(again.health.problems, []);
  });
});

Deno.test("a last line without its newline counts, and is ended by the next append", async () => {
  await inFolder(async (folder) => {
    await write(folder, commits(1, 2));
    const path = `${folder}/data/${first}`;
    Deno.truncateSync(path, Deno.statSync(path).size - 1);
    const watcher = new Journal(folder);
    strictEqual((await watcher.open()).health.commits, 2);
    await write(folder, [commit(3)]);
    deepStrictEqual(await watcher.since(2), { commits: [commit(3)], replaced: false });
    watcher.close();
    const again = await reopened(folder);
    deepStrictEqual(again.commits, commits(1, 3));
    strictEqual(Deno.readTextFileSync(path).split("\n").length, 4);
  });
});

Deno.test("damage makes the memory read-only and leaves the file alone; repair cuts it back", async () => {
  await inFolder(async (folder) => {
    await write(folder, commits(1, 5));
    const path = `${folder}/data/${first}`;
    const rotten = Deno.readTextFileSync(path).replace("p(3)", "p(8)");
    Deno.writeTextFileSync(path, rotten);
    const journal = new Journal(folder);
    const { commits: good, health } = await journal.open();
    deepStrictEqual(good, commits(1, 2));
    strictEqual(health.status, "damaged");
    strictEqual(health.unread, 2);
    match(health.problems[0], /record 3 is damaged at byte \d+, 2 records behind it are not read/);
    await rejects(journal.begin(2, 1000), { code: "corrupt", message: /^Not saved: .*record 3/ });
    strictEqual(Deno.readTextFileSync(path), rotten);

    const planned = await journal.repairs();
    const [{ cut }] = planned as { cut: number }[];
    const file = { file: first, kept_as: `${first}.damaged-1` };
    deepStrictEqual(planned, [{ kind: "cut", ...file, commits: 2, cut, unread: 2 }]);
    strictEqual(Deno.readTextFileSync(path), rotten);
    deepStrictEqual(await journal.repair(), planned);
    deepStrictEqual(await journal.repairs(), []);
    strictEqual(Deno.readTextFileSync(`${path}.damaged-1`), rotten);
    strictEqual(Deno.readTextFileSync(path), rotten.slice(0, rotten.length - cut));
    strictEqual((await journal.health()).status, "active");
    await journal.begin(2, 1000);
    journal.append([commit(3)]);
    journal.close();
    deepStrictEqual((await reopened(folder)).commits, commits(1, 3));
  });
});

Deno.test("a repair by another process is noticed", async () => {
  await inFolder(async (folder) => {
    await write(folder, commits(1, 3));
    const path = `${folder}/data/${first}`;
    Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace("p(2)", "p(9)"));
    const server = new Journal(folder);
    await server.open();
    const doctor = new Journal(folder);
    await doctor.repair();
    doctor.close();
    strictEqual((await server.begin(1, 1000)).replaced, false);
    server.append([commit(2)]);
    server.close();
    deepStrictEqual((await reopened(folder)).commits, commits(1, 2));
  });
});

Deno.test("repair of a sound memory does nothing", async () => {
  await inFolder(async (folder) => {
    await write(folder, commits(1, 2));
    const journal = new Journal(folder);
    deepStrictEqual(await journal.repair(), []);
    journal.close();
  });
});

Deno.test("records of a newer zpm are neither read nor cut", async () => {
  await inFolder(async (folder) => {
    await write(folder, commits(1, 2));
    const path = `${folder}/data/${first}`;
    Deno.writeTextFileSync(path, '{"v":2,"seq":3}\n{"v":2,"seq":4}\n', { append: true });
    const before = Deno.readTextFileSync(path);
    const journal = new Journal(folder);
    const { commits: good, health } = await journal.open();
    deepStrictEqual(good, commits(1, 2));
    strictEqual(health.status, "damaged");
    match(health.problems[0], /record 3 was written by a newer zpm/);
    await rejects(journal.begin(2, 1000), /Not saved: .*newer zpm/);
    await rejects(journal.repair(), /Cannot repair: .*newer zpm/);
    journal.close();
    strictEqual(Deno.readTextFileSync(path), before);
  });
});

Deno.test("two journals on one folder see each other's commits and lose none", async () => {
  await inFolder(async (folder) => {
    const a = new Journal(folder);
    const b = new Journal(folder);
    await a.open();
    await b.open();
    for (let seq = 1; seq <= 20; seq += 2) {
      deepStrictEqual(await a.begin(seq === 1 ? 0 : seq - 2, 1000), {
        commits: seq === 1 ? [] : commits(seq - 1, seq - 1),
        replaced: false,
      });
      a.append([commit(seq)]);
      deepStrictEqual(await b.since(seq - 1), { commits: [commit(seq)], replaced: false });
      deepStrictEqual(await b.begin(seq, 1000), { commits: [], replaced: false });
      b.append([commit(seq + 1)]);
    }
    deepStrictEqual(await a.since(4), { commits: commits(5, 20), replaced: false });
    a.close();
    b.close();
    deepStrictEqual((await reopened(folder)).commits, commits(1, 20));
  });
});

Deno.test("writers of one journal take turns, readers are answered meanwhile", async () => {
  await inFolder(async (folder) => {
    const journal = new Journal(folder);
    await journal.open();
    await journal.begin(0, 1000);
    const second = journal.begin(0, 10_000);
    deepStrictEqual(await journal.since(0), { commits: [], replaced: false });
    await rejects(journal.begin(0, 20), { code: "not_saved", message: new RegExp(`${Deno.pid}`) });
    journal.append([commit(1)]);
    deepStrictEqual((await second).commits, [commit(1)]);
    journal.abandon();
    journal.close();
  });
});

Deno.test("a reader that waited behind its own writer leaves the writer's lock alone", async () => {
  await inFolder(async (folder) => {
    const other = new Journal(folder);
    const journal = new Journal(folder);
    await journal.open();
    await other.begin(0, 1000);
    other.append([commit(1)]);
    await other.begin(1, 1000);
    const begun = journal.begin(0, 10_000);
    const read = journal.since(0);
    await new Promise((resolve) => setTimeout(resolve, 10));
    other.abandon();
    const expected = { commits: [commit(1)], replaced: false };
    deepStrictEqual(await begun, expected);
    deepStrictEqual(await read, expected);
    await rejects(other.begin(1, 20), { code: "not_saved" });
    journal.append([commit(2)]);
    deepStrictEqual((await other.begin(1, 1000)).commits, [commit(2)]);
    journal.close();
    other.close();
  });
});

Deno.test("a lock file that was removed protects nothing, and is not relied on", async () => {
  await inFolder(async (folder) => {
    const a = new Journal(folder);
    const b = new Journal(folder);
    await a.open();
    Deno.removeSync(`${folder}/data/lock`);
    await b.begin(0, 1000);
    await rejects(a.begin(0, 20), { code: "not_saved" });
    b.append([commit(1)]);
    deepStrictEqual((await a.begin(0, 1000)).commits, [commit(1)]);
    a.close();
    b.close();
  });
});

Deno.test("a vanished data folder is written again from the open file", async () => {
  await inFolder(async (folder) => {
    const journal = new Journal(folder);
    const other = new Journal(folder);
    await journal.open();
    await other.open();
    await journal.begin(0, 1000);
    journal.append(commits(1, 3));
    Deno.removeSync(`${folder}/data`, { recursive: true });
    deepStrictEqual(await journal.since(3), { commits: [], replaced: false });
    await journal.begin(3, 1000);
    journal.append([commit(4)]);
    match((await journal.health()).problems.join(), /had vanished and was written again/);
    // A process that still has the old file open finds its place in the new one.
    deepStrictEqual(await other.begin(0, 1000), { commits: commits(1, 4), replaced: false });
    other.append([commit(5)]);
    deepStrictEqual(await journal.since(4), { commits: [commit(5)], replaced: false });
    journal.close();
    other.close();
    deepStrictEqual((await reopened(folder)).commits, commits(1, 5));
  });
});

Deno.test("a folder that vanishes while the lock is held costs no acknowledged commit", async () => {
  await inFolder(async (folder) => {
    const journal = new Journal(folder);
    await journal.open();
    await journal.begin(0, 1000);
    Deno.removeSync(`${folder}/data`, { recursive: true });
    deepStrictEqual(journal.append([commit(1)]), { saved: true });
    journal.close();
    deepStrictEqual((await reopened(folder)).commits, [commit(1)]);
  });
});

Deno.test("opening again after the folder vanished loses nothing", async () => {
  await inFolder(async (folder) => {
    const journal = new Journal(folder);
    await journal.open();
    await journal.begin(0, 1000);
    journal.append(commits(1, 2));
    Deno.removeSync(`${folder}/data`, { recursive: true });
    deepStrictEqual((await journal.open()).commits, commits(1, 2));
    journal.close();
  });
});

Deno.test("an exchanged file is reported until the memory is opened again", async () => {
  for (const exchange of [renameOver, writeInPlace]) {
    await inFolder(async (folder) => {
      await write(folder, [commit(1, "backup(1)")]);
      const path = `${folder}/data/${first}`;
      const backup = Deno.readTextFileSync(path);
      Deno.removeSync(path);
      const journal = new Journal(folder);
      await journal.open();
      await journal.begin(0, 1000);
      journal.append(commits(1, 3));
      exchange(path, backup);
      deepStrictEqual(await journal.since(3), { commits: [], replaced: true });
      strictEqual((await journal.begin(3, 1000)).replaced, true);
      journal.abandon();
      deepStrictEqual((await journal.open()).commits, [commit(1, "backup(1)")]);
      await journal.begin(1, 1000);
      journal.append([commit(2)]);
      journal.close();
    });
  }
});

Deno.test("without a usable data folder the memory works and says that nothing is saved", async () => {
  await inFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/data`, "in the way");
    const journal = new Journal(folder);
    const opened = await journal.open();
    strictEqual(opened.health.status, "degraded");
    match(opened.health.problems[0], /data cannot be written, nothing is saved: /);
    deepStrictEqual(await journal.begin(0, 1000), { commits: [], replaced: false });
    deepStrictEqual(journal.append([commit(1)]), { saved: false });
    deepStrictEqual(await journal.since(0), { commits: [commit(1)], replaced: false });
    strictEqual((await journal.health()).commits, 1);
    journal.close();
    strictEqual(Deno.readTextFileSync(`${folder}/data`), "in the way");
  });
});

Deno.test("a commit that does not follow the last one is refused", async () => {
  await inFolder(async (folder) => {
    const journal = new Journal(folder);
    await journal.open();
    await journal.begin(0, 1000);
    let fault: unknown;
    try {
      journal.append([commit(2)]);
    } catch (thrown) {
      fault = thrown;
    }
    match(String(fault), /commit 2 behind commit 0/);
    await journal.begin(0, 1000);
    journal.append([commit(1)]);
    journal.close();
  });
});

function renameOver(path: string, text: string): void {
  Deno.writeTextFileSync(`${path}.other`, text);
  Deno.renameSync(`${path}.other`, path);
}

function writeInPlace(path: string, text: string): void {
  Deno.writeTextFileSync(path, text);
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function write(folder: string, all: ReturnType<typeof commits>, options?: JournalOptions) {
  const journal = new Journal(folder, options);
  const { health } = await journal.open();
  await journal.begin(health.commits, 1000);
  journal.append(all);
  journal.close();
}

async function reopened(folder: string) {
  const journal = new Journal(folder);
  const opened = await journal.open();
  journal.close();
  return opened;
}
