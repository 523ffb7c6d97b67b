/** Several processes on one memory, and one that was stopped while it held the lock. */
import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { denoFileSystem, type FileSystem } from "../../src/store/file_system.ts";
import { Journal } from "../../src/store/journal.ts";
import { LockFile, Turnstile } from "../../src/store/locks.ts";
import { commit } from "../support/commits.ts";

/** The runtime inside a compiled binary: it has no way to try a lock. */
const olderFileSystem: FileSystem = {
  ...denoFileSystem,
  open: (path, options) => ({ ...denoFileSystem.open(path, options), tryLock: undefined }),
};

Deno.test("two processes write at once and no commit is lost", async () => {
  await inFolder(async (folder) => {
    const a = writer(folder, "a", "150");
    const b = writer(folder, "b", "150");
    const watcher = new Journal(folder);
    let seq = (await watcher.open()).health.commits;
    const running = Promise.all([a.status, b.status]);
    let done = false;
    running.then(() => done = true);
    while (!done) {
      for (const each of (await watcher.since(seq)).commits) strictEqual(each.seq, ++seq);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    deepStrictEqual((await running).map((status) => status.code), [0, 0]);
    watcher.close();
    const journal = new Journal(folder);
    const { commits, health } = await journal.open();
    journal.close();
    deepStrictEqual(health.problems, []);
    strictEqual(commits.length, 300);
    const texts = commits.map((each) => each.ops[0][1]);
    for (const name of ["a", "b"]) {
      const expected = Array.from({ length: 150 }, (_, i) => `${name}(${i + 1})`);
      deepStrictEqual(texts.filter((text) => String(text).startsWith(name)), expected);
    }
  });
});

for (const [runtime, fs] of [["this", denoFileSystem], ["an older", olderFileSystem]] as const) {
  Deno.test({
    name:
      `a stopped holder is named in time, and its lock is taken when it ends (${runtime} runtime)`,
    ignore: Deno.build.os === "windows",
    async fn() {
      await inFolder(async (folder) => {
        const journal = new Journal(folder, { fs, wait_ms: 100 });
        await journal.open();
        const holder = writer(folder, "h", "hold");
        await says(holder, "held");
        Deno.kill(holder.pid, "SIGSTOP");
        await rejects(journal.begin(0, 100), {
          code: "not_saved",
          message: new RegExp(`held by process ${holder.pid} since \\d{4}-`),
        });
        // A memory that has nothing new to read is answered all the same; opening needs the lock.
        deepStrictEqual(await journal.since(0), { commits: [], replaced: false });
        const late = new Journal(folder, { fs, wait_ms: 100 });
        await rejects(late.open(), {
          code: "limit",
          message: /^Cannot read the memory: it is held/,
        });
        Deno.kill(holder.pid, "SIGKILL");
        await holder.status;
        // Whoever gave up does not keep what reached it too late.
        const third = new Journal(folder);
        await third.begin(0, 20_000);
        third.append([commit(1)]);
        third.close();
        deepStrictEqual((await journal.begin(0, 20_000)).commits, [commit(1)]);
        journal.abandon();
        journal.close();
        late.close();
      });
    },
  });
}

Deno.test("on an older runtime writers take turns all the same", async () => {
  await inFolder(async (folder) => {
    const a = new Journal(folder, { fs: olderFileSystem });
    const b = new Journal(folder, { fs: olderFileSystem });
    await Promise.all([add(a, 20), add(b, 20)]);
    const { commits } = await a.open();
    strictEqual(commits.length, 40);
    a.close();
    b.close();
  });
});

Deno.test("who had the lock last does not queue, unless somebody waits or was there in between", async () => {
  await inFolder(async (folder) => {
    const directory = `${folder}/data`;
    Deno.mkdirSync(directory);
    const opened: string[] = [];
    const fs: FileSystem = {
      ...denoFileSystem,
      identify: (path) => {
        opened.push(path.slice(directory.length + 1));
        return denoFileSystem.identify(path);
      },
    };
    const moment = (ms: number) => performance.now() + ms;
    const own = new Turnstile(fs, directory);
    /** The lock files that were locked, in order: each is looked at after it was. */
    const locked = async () => {
      opened.length = 0;
      strictEqual(await own.acquire(true, moment(20_000)), true);
      own.release();
      return [...opened];
    };
    const turn = new LockFile(denoFileSystem, directory, "turn");
    const other = new Turnstile(denoFileSystem, directory);
    deepStrictEqual(await locked(), ["turn", "lock"]);
    deepStrictEqual(await locked(), ["lock"]);
    turn.sign({ pid: 1, since: "now" });
    deepStrictEqual(await locked(), ["turn", "lock"]);
    deepStrictEqual(await locked(), ["lock"]);
    // A signature holds milliseconds; two of one process are told apart by them.
    await new Promise((resolve) => setTimeout(resolve, 2));
    strictEqual(await other.acquire(true, moment(20_000)), true);
    other.release();
    deepStrictEqual(await locked(), ["turn", "lock"]);
    for (const each of [own, turn, other]) each.close();
  });
});

Deno.test("a lock that arrives after its deadline is released at once", async () => {
  await inFolder(async (folder) => {
    Deno.mkdirSync(`${folder}/data`);
    const holder = new LockFile(denoFileSystem, `${folder}/data`, "lock");
    const late = new LockFile(olderFileSystem, `${folder}/data`, "lock");
    const next = new LockFile(denoFileSystem, `${folder}/data`, "lock");
    const moment = (ms: number) => performance.now() + ms;
    strictEqual(await holder.acquire(true, moment(1000)), true);
    strictEqual(await late.acquire(true, moment(20)), false);
    holder.release();
    strictEqual(await next.acquire(true, moment(20_000)), true);
    // Asking again while the first question is still open gets the lock that the first one brings.
    const again = late.acquire(true, moment(20_000));
    next.release();
    strictEqual(await again, true);
    for (const each of [holder, late, next]) each.close();
  });
});

Deno.test("a lock that arrives when its file is closed is nobody's", async () => {
  await inFolder(async (folder) => {
    Deno.mkdirSync(`${folder}/data`);
    const holder = new LockFile(denoFileSystem, `${folder}/data`, "lock");
    const late = new LockFile(olderFileSystem, `${folder}/data`, "lock");
    const moment = (ms: number) => performance.now() + ms;
    strictEqual(await holder.acquire(true, moment(1000)), true);
    strictEqual(await late.acquire(true, moment(20)), false);
    late.close();
    // Asked for anew, it is not taken for what the closed file was waiting for.
    const again = late.acquire(true, moment(20_000));
    holder.release();
    strictEqual(await again, true);
    strictEqual(await holder.acquire(true, moment(20)), false);
    late.release();
    strictEqual(await holder.acquire(true, moment(20_000)), true);
    for (const each of [holder, late]) each.close();
  });
});

Deno.test("a killed holder leaves no lock behind", async () => {
  await inFolder(async (folder) => {
    const holder = writer(folder, "h", "hold");
    await says(holder, "held");
    Deno.kill(holder.pid, "SIGKILL");
    await holder.status;
    const journal = new Journal(folder);
    await journal.begin(0, 20_000);
    journal.append([commit(1)]);
    journal.close();
  });
});

async function add(journal: Journal, count: number): Promise<void> {
  let seq = (await journal.open()).health.commits;
  for (let n = 0; n < count; n++) {
    seq += (await journal.begin(seq, 20_000)).commits.length + 1;
    journal.append([commit(seq)]);
  }
}

function writer(folder: string, name: string, count: string): Deno.ChildProcess {
  const script = new URL("../support/store_writer.ts", import.meta.url).pathname;
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-lock", "--allow-read", "--allow-write", script, folder, name, count],
    stdout: count === "hold" ? "piped" : "null",
    stderr: "inherit",
  }).spawn();
}

async function says(process: Deno.ChildProcess, word: string): Promise<void> {
  const reader = process.stdout.getReader();
  const { value } = await reader.read();
  match(new TextDecoder().decode(value), new RegExp(word));
  await reader.cancel();
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
