/** The store as the main thread uses it: through the worker, with the worker's permissions. */
import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { ZpmError } from "../../src/base/errors.ts";
import { startStore, startStores, type Store } from "../../src/store/client.ts";
import { commit, commits } from "../support/commits.ts";

Deno.test("commits go through the worker and come back", async () => {
  await inStore(async (store) => {
    strictEqual((await store.open("default")).health.status, "active");
    deepStrictEqual(await store.begin("default", 0, 1000), { commits: [], replaced: false });
    deepStrictEqual(await store.append("default", commits(1, 3)), { saved: true });
    deepStrictEqual(await store.since("default", 1), { commits: commits(2, 3), replaced: false });
    await store.begin("default", 3, 1000);
    await store.abandon("default");
    await store.abandon("default");
    const health = await store.health("default");
    strictEqual(health.commits, 3);
    deepStrictEqual(await store.repair("default"), []);
  });
});

Deno.test("calls that are sent together are answered each", async () => {
  await inStore(async (store) => {
    await store.open("default");
    let seq = 0;
    for (let n = 0; n < 50; n++) {
      const begun = store.begin("default", seq, 1000);
      const seen = store.since("default", seq);
      await begun;
      const [appended, during] = await Promise.all([
        store.append("default", [commit(++seq)]),
        seen,
      ]);
      strictEqual(appended.saved, true);
      deepStrictEqual(during, { commits: [], replaced: false });
    }
    strictEqual((await store.open("default")).commits.length, 50);
  });
});

Deno.test("one worker serves several projects, each with its own memories", async () => {
  const home = await Deno.realPath(await Deno.makeTempDir());
  const stores = startStores([home]);
  const [one, two] = ["one", "two"].map((name) => `${home}/${name}`);
  try {
    await Promise.all([one, two].map((folder) => stores.makeFolder(folder)));
    const [first, second] = [one, two].map((folder) =>
      stores.project({ directories: { default: folder } })
    );
    for (const store of [first, second]) await store.begin("default", 0, 1000);
    await second.append("default", commits(1, 2));
    await first.append("default", commits(1, 1));
    await first.close();
    await rejects(first.open("default"), { code: "bug" });
    await stores.removeFolder(one);
    deepStrictEqual([...Deno.readDirSync(home)].map(({ name }) => name), ["two"]);
    deepStrictEqual((await second.open("default")).commits, commits(1, 2));
  } finally {
    await stores.close();
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("errors cross as what they are", async () => {
  await inStore(async (store) => {
    await rejects(store.open("nosuch"), (error) => {
      strictEqual(error instanceof ZpmError && error.code, "memory_missing");
      strictEqual((error as ZpmError).message, "Memory not mounted: nosuch");
      return true;
    });
    await store.open("default");
    await rejects(store.append("default", [commit(1)]), { code: "bug", message: /without begin/ });
  });
});

Deno.test("files come in byte order, what cannot be read is said", async () => {
  await inStore(async (store, folder) => {
    const kb = `${folder}/kb`;
    Deno.mkdirSync(`${kb}/folder.pl`, { recursive: true });
    const outside = await Deno.makeTempFile();
    const names = ["b.pl", "a.pl", "B.pl", "é.pl", "\u{ff5e}.pl", "\u{1f600}.pl"];
    for (const name of names) Deno.writeTextFileSync(`${kb}/${name}`, `in('${name}').\n`);
    Deno.writeTextFileSync(`${kb}/notes.txt`, "no source");
    Deno.writeTextFileSync(`${kb}/.hidden.pl`, "left by an editor");
    Deno.writeFileSync(`${folder}/shared`, Uint8Array.of(0xff, 0xfe, 0x00));
    Deno.symlinkSync(`${folder}/shared`, `${kb}/c.pl`);
    Deno.symlinkSync(outside, `${kb}/e.pl`);
    Deno.symlinkSync(`${folder}/nowhere`, `${kb}/d.pl`);
    const { files, health } = await store.open("default");
    const expected = ["B.pl", "a.pl", "b.pl", "c.pl", "é.pl", "\u{ff5e}.pl", "\u{1f600}.pl"];
    deepStrictEqual(files.map((file) => file.name), expected);
    strictEqual(new TextDecoder().decode(files[1].bytes), "in('a.pl').\n");
    deepStrictEqual([...files[3].bytes], [0xff, 0xfe, 0x00]);
    deepStrictEqual(health.problems, [
      "kb/d.pl is not read: the link leads nowhere",
      "kb/e.pl is not read: a link leads out of the memory's folder",
      "kb/folder.pl is not read: it is not a file",
    ]);
    Deno.removeSync(outside);
  });
});

Deno.test("what was under way is finished before the store closes, later calls are refused", async () => {
  const folder = await Deno.makeTempDir();
  const store = startStore({ directories: { default: folder } });
  const opened = store.open("default");
  const closed = store.close();
  strictEqual((await opened).health.commits, 0);
  await closed;
  await rejects(store.health("default"), /the store is closed/);
  await store.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the worker writes inside when the main thread may write nothing any more", async () => {
  const folder = await Deno.makeTempDir();
  const script = new URL("../support/store_revoked.ts", import.meta.url).pathname;
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-lock", "--allow-read", "--allow-write", script, folder],
    stderr: "inherit",
  }).output();
  strictEqual(code, 0);
  match(new TextDecoder().decode(stdout), /^main thread: NotCapable\nstore: \{"saved":true\}\n$/);
  await Deno.remove(folder, { recursive: true });
});

async function inStore(body: (store: Store, folder: string) => Promise<void>): Promise<void> {
  const folder = Deno.realPathSync(await Deno.makeTempDir());
  const store = startStore({ directories: { default: folder } });
  try {
    await body(store, folder);
  } finally {
    await store.close();
    await Deno.remove(folder, { recursive: true });
  }
}
