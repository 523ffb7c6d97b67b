/** Who is let in, and that a revocation comes either before a write or after it. */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { AuthorityError } from "../../src/base/authority_errors.ts";
import { AuthorityLog } from "../../src/authority/authority_log.ts";
import type { FileSystem } from "../../src/store/file_system.ts";
import { authorityRig, sumOf, TOKENS } from "../support/authority_rig.ts";
import { custodianOn, freshDisk } from "../support/custodians.ts";
import type { ForgetfulFileSystem } from "../support/forgetful_fs.ts";
import { seenFileSystem } from "../support/seen_fs.ts";

const REVOKE = { kind: "revoke", principal: "ana" } as const;
const RESTORE = { kind: "restore", principal: "ana" } as const;

Deno.test("a token lets its principal in, and every other answer is the same", async () => {
  const { authority, elsewhere } = await authorityRig();
  strictEqual((await authority.authenticate(TOKENS.ana))?.name, "ana");
  strictEqual((await authority.authenticate(TOKENS.ben))?.name, "ben");
  await elsewhere({ kind: "revoke", principal: "ben" });
  for (
    const token of [undefined, "", "token", TOKENS.ana + " ", await sumOf(TOKENS.ana), TOKENS.ben]
  ) {
    strictEqual(await authority.authenticate(token), undefined);
  }
});

Deno.test("a revocation by another process counts at once, and so does the restoration", async () => {
  const { authority, elsewhere } = await authorityRig();
  const ana = (await authority.authenticate(TOKENS.ana))!;
  const permit = await authority.admit(ana);
  await elsewhere(REVOKE);
  strictEqual(await authority.authenticate(TOKENS.ana), undefined);
  await rejects(authority.admit(ana), { code: "not_allowed", reason: "revoked", retryable: false });
  await rejects(authority.during(permit, neverDone), { reason: "fenced" });
  deepStrictEqual(await authority.standing(permit), { generation: 1, revoked: true });
  await elsewhere(RESTORE);
  strictEqual((await authority.authenticate(TOKENS.ana))?.name, "ana");
  // What was admitted before stays fenced: its rights changed in between.
  await rejects(authority.during(permit, neverDone), { reason: "fenced", retryable: true });
  const again = await authority.admit(ana);
  strictEqual(again.generation, 2);
  strictEqual(await authority.during(again, () => Promise.resolve("done")), "done");
});

Deno.test("a revocation before the write fences it, and others go on", async () => {
  const { authority } = await authorityRig();
  const ana = (await authority.authenticate(TOKENS.ana))!;
  const ben = (await authority.authenticate(TOKENS.ben))!;
  const [permit, other] = [await authority.admit(ana), await authority.admit(ben)];
  const { revoked_since, generation } = await authority.revoke("ana");
  ok(revoked_since);
  strictEqual(generation, 1);
  await rejects(authority.during(permit, neverDone), { reason: "fenced" });
  strictEqual(await authority.during(other, () => Promise.resolve("done")), "done");
  deepStrictEqual(await authority.standing(other), { generation: 1, revoked: false });
});

/** The runtime inside a compiled binary has no way to try a lock. */
const RUNTIMES: [string, (fs: FileSystem) => FileSystem][] = [
  ["this", (fs) => fs],
  ["an older", (fs) => seenFileSystem(fs, () => ({ tryLock: undefined }))],
];

for (const [runtime, see] of RUNTIMES) {
  for (const where of ["this process", "another process"]) {
    Deno.test(`a revocation in ${where} waits for the write that is at the boundary (${runtime} runtime)`, async () => {
      const { authority, disk, elsewhere } = await authorityRig(freshDisk(), see);
      const ana = (await authority.authenticate(TOKENS.ana))!;
      const permit = await authority.admit(ana);
      const boundary = Promise.withResolvers<void>();
      const entered = Promise.withResolvers<void>();
      const order: string[] = [];
      const write = authority.during(permit, async () => {
        entered.resolve();
        await boundary.promise;
        order.push("committed");
      });
      await entered.promise;
      const revoking = (where === "this process" ? authority.revoke("ana") : elsewhere(REVOKE))
        .then(() => order.push("revoked"));
      await isQueued(disk);
      // A write that comes while somebody waits to revoke does not go past him.
      const late = rejects(authority.during(permit, neverDone), { reason: "fenced" });
      await new Promise((resolve) => setTimeout(resolve, 20));
      deepStrictEqual(order, []);
      boundary.resolve();
      await Promise.all([write, revoking, late]);
      deepStrictEqual(order, ["committed", "revoked"]);
      deepStrictEqual(await authority.standing(permit), { generation: 1, revoked: true });
    });
  }

  Deno.test(`writes that come and go are never alone with a revocation (${runtime} runtime)`, async () => {
    const { authority, elsewhere } = await authorityRig(freshDisk(), see);
    const ana = (await authority.authenticate(TOKENS.ana))!;
    let inside = 0;
    let [done, fenced] = [0, 0];
    let over = false;
    const writers = Array.from({ length: 8 }, async (_, lane) => {
      for (let n = 0; !over; n++) {
        try {
          const permit = await authority.admit(ana);
          await authority.during(permit, async () => {
            inside++;
            if ((lane + n) % 3 > 0) await turn();
            inside--;
          });
          done++;
        } catch (error) {
          ok(error instanceof AuthorityError, String(error));
          fenced++;
        }
        // On a disk in memory nothing else would ever have its turn.
        await turn();
      }
    });
    for (let n = 0; n < 20; n++) {
      await elsewhere(REVOKE);
      strictEqual(inside, 0);
      const before = done;
      await elsewhere(RESTORE);
      while (done === before) await turn();
    }
    over = true;
    await Promise.all(writers);
    ok(fenced > 0);
    strictEqual(authority.generation, 40);
  });
}

Deno.test("a write of one principal holds up no revocation of another", async () => {
  const { authority, elsewhere } = await authorityRig();
  const ben = (await authority.authenticate(TOKENS.ben))!;
  const permit = await authority.admit(ben);
  await authority.during(permit, async () => {
    await elsewhere(REVOKE);
    strictEqual((await authority.list())[0].name, "ana");
    ok((await authority.list())[0].revoked_since);
  });
});

Deno.test("a hundred writes at once are under one lock, which is let go with the last", async () => {
  const { authority, elsewhere } = await authorityRig();
  const permit = await authority.admit((await authority.authenticate(TOKENS.ana))!);
  let inside = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  await Promise.all(Array.from({ length: 100 }, () =>
    authority.during(permit, async () => {
      most = Math.max(most, ++inside);
      if (inside === 100) gate.resolve();
      await gate.promise;
      inside--;
    })));
  strictEqual(most, 100);
  await elsewhere(REVOKE);
  strictEqual(await authority.authenticate(TOKENS.ana), undefined);
});

Deno.test("a write does not wait for ever for a revocation that does not end, and is told whose it is", async () => {
  const disk = freshDisk();
  const [server, command] = [new AuthorityLog(disk, "/state"), new AuthorityLog(disk, "/state")];
  await command.alone("ana", async () => {
    await rejects(server.enter("ana", 5), {
      code: "limit",
      message: new RegExp(`rights of "ana" are held by process ${Deno.pid} since `),
    });
    await server.enter("ben", 5);
    server.leave("ben");
  });
  await server.enter("ana", 1_000);
  server.leave("ana");
  await command.alone("ana", () => Promise.resolve());
});

Deno.test("a write that fails lets the lock go", async () => {
  const { authority, elsewhere } = await authorityRig();
  const permit = await authority.admit((await authority.authenticate(TOKENS.ana))!);
  await rejects(authority.during(permit, () => Promise.reject(new Error("disk"))), /disk/);
  await elsewhere(REVOKE);
});

Deno.test("a token that was exchanged is the only one at once, and fences what the old one began", async () => {
  const { authority, config, elsewhere } = await authorityRig();
  const ana = (await authority.authenticate(TOKENS.ana))!;
  const permit = await authority.admit(ana);
  config.set("ana", { ...ana, token_sha256: await sumOf("a new token") });
  await elsewhere({ kind: "rotate", principal: "ana" });
  const [old, fresh] = await Promise.all([
    authority.authenticate(TOKENS.ana),
    authority.authenticate("a new token"),
  ]);
  strictEqual(old, undefined);
  strictEqual(fresh?.name, "ana");
  await rejects(authority.during(permit, neverDone), { reason: "fenced" });
  await rejects(authority.admit(ana), { reason: "revoked" });
});

Deno.test("a principal that is added is known, a config that does not read changes nothing", async () => {
  const { authority, config, elsewhere, warnings } = await authorityRig();
  const token_sha256 = await sumOf("eve's");
  config.set("eve", { name: "eve", token_sha256, fork_id: "eve", lifecycle: "durable" });
  strictEqual(await authority.authenticate("eve's"), undefined);
  await elsewhere({ kind: "add", principal: "eve" });
  strictEqual((await authority.authenticate("eve's"))?.name, "eve");
  deepStrictEqual(warnings, []);
  config.delete("eve");
  await authority.reload();
  strictEqual(await authority.authenticate("eve's"), undefined);
});

Deno.test("a principal that nobody knows is neither revoked nor restored", async () => {
  const { authority } = await authorityRig();
  await rejects(authority.revoke("anna"), {
    code: "not_found",
    message: 'There is no principal "anna", perhaps "ana" is meant',
  });
  await rejects(authority.restore("zoe"), { code: "not_found" });
  strictEqual(authority.generation, 0);
});

Deno.test("to revoke twice is to revoke once", async () => {
  const { authority } = await authorityRig();
  const first = await authority.revoke("ana");
  deepStrictEqual(await authority.revoke("ana"), first);
  strictEqual(authority.generation, 1);
  strictEqual((await authority.restore("ana")).generation, 2);
  strictEqual((await authority.restore("ana")).generation, 2);
});

Deno.test("all of it is there after a restart, and after a power failure", async () => {
  const { authority, disk } = await authorityRig();
  await authority.revoke("ana");
  await authority.revoke("ben");
  await authority.restore("ben");
  const list = await authority.list();
  for (const left of [disk.powerFails(), disk]) {
    disk.processDies();
    const later = await authorityRig(left);
    strictEqual(later.authority.generation, 3);
    deepStrictEqual(await later.authority.list(), list);
    strictEqual(await later.authority.authenticate(TOKENS.ana), undefined);
  }
});

Deno.test("a log that is gone, exchanged or changed lets nobody in", async () => {
  const path = "/state/authority.jsonl";
  for (const harm of ["gone", "exchanged", "changed", "cut"]) {
    const { authority, disk, elsewhere } = await authorityRig();
    const ana = (await authority.authenticate(TOKENS.ana))!;
    const permit = await authority.admit(ana);
    await elsewhere(REVOKE);
    await elsewhere(RESTORE);
    if (harm === "cut") await authority.authenticate(TOKENS.ana);
    const text = disk.text(path);
    const handle = disk.open(path, { write: true });
    if (harm === "gone") disk.remove(path);
    if (harm === "exchanged") disk.put(path, text);
    if (harm === "changed") handle.write(0, new TextEncoder().encode(text.replace("ana", "bob")));
    if (harm === "cut") handle.truncate(5);
    await rejects(authority.authenticate(TOKENS.ana), { code: "corrupt" }, harm);
    await rejects(authority.admit(ana), { code: "corrupt" }, harm);
    await rejects(authority.during(permit, neverDone), { code: "corrupt" }, harm);
  }
});

Deno.test("a revocation that the disk refuses is not said to be done", async () => {
  const { authority, disk } = await authorityRig();
  for (const fault of ["failing_syncs", "short_writes"] as const) {
    disk[fault] = 1;
    if (fault === "short_writes") disk.space = 10;
    await rejects(authority.revoke("ana"), { code: "not_saved" }, fault);
    disk.space = Infinity;
  }
  strictEqual((await authority.authenticate(TOKENS.ana))?.name, "ana");
  strictEqual((await authority.revoke("ana")).generation, 1);
  strictEqual(await authority.authenticate(TOKENS.ana), undefined);
});

/** Lets everybody else have a turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Settles when somebody has the turnstile before the lock of `ana`. */
async function isQueued(disk: ForgetfulFileSystem): Promise<void> {
  const turn = disk.open("/state/locks/of/ana/turn");
  while (turn.tryLock!(true)) {
    turn.unlock();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function neverDone(): Promise<never> {
  throw new Error("this write must not begin");
}

Deno.test("an answer without news does not overtake the one that has them", async () => {
  const disk = freshDisk();
  const calls = custodianOn(disk);
  await calls.open();
  const command = new AuthorityLog(disk, "/state");
  await command.open();
  const posted: number[] = [];
  /** Between an answer and its message there may be some steps of promises. */
  const entered = async () => {
    const news = await calls.enter("ana", 1_000);
    for (let step = 0; step < 20 * news.length; step++) await undefined;
    posted.push(news.length);
  };
  let all: Promise<void>[] = [];
  await command.alone("ana", async () => {
    all = [entered(), entered(), entered()];
    await command.write({ kind: "revoke", principal: "ana" });
  });
  await Promise.all(all);
  deepStrictEqual(posted, [1, 0, 0]);
  command.close();
  await calls.close();
});
