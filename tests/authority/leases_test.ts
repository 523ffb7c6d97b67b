/** Leased forks end after their last use, by a clock that the test moves. */
import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { type AuthorityRig, authorityRig, TOKENS } from "../support/authority_rig.ts";

async function lea({ authority }: AuthorityRig) {
  return (await authority.authenticate(TOKENS.lea))!;
}

Deno.test("uses keep a lease, and the time after the last one ends it", async () => {
  const rig = await authorityRig();
  const { authority, clock } = rig;
  const ended: [string, number][] = [];
  authority.onLeaseEnd((fork, lease) => {
    ended.push([fork, lease]);
    return Promise.resolve();
  });
  strictEqual(authority.leaseOf("lea"), undefined);
  const permit = await authority.admit(await lea(rig));
  strictEqual(permit.lease, 1);
  for (let use = 0; use < 5; use++) {
    clock.now_ms += 999;
    strictEqual((await authority.admit(await lea(rig))).lease, 1);
  }
  await authority.sweep();
  deepStrictEqual(ended, []);
  clock.now_ms += 1_000;
  await authority.sweep();
  deepStrictEqual(ended, [["lea", 1]]);
  strictEqual(authority.generation, 1);
  await rejects(authority.during(permit, () => Promise.resolve()), { reason: "fenced" });
  const next = await authority.admit(await lea(rig));
  deepStrictEqual([next.lease, next.generation], [2, 1]);
  strictEqual(await authority.during(next, () => Promise.resolve("done")), "done");
});

Deno.test("a lease whose time is over ends at the next use, too, and its state goes first", async () => {
  const rig = await authorityRig();
  const { authority, clock } = rig;
  await authority.admit(await lea(rig));
  clock.now_ms += 1_000;
  const gone = Promise.withResolvers<void>();
  const order: string[] = [];
  authority.onLeaseEnd(async () => {
    await gone.promise;
    order.push("gone");
  });
  const admitted = authority.admit(await lea(rig)).then(({ lease }) =>
    order.push(`lease ${lease}`)
  );
  gone.resolve();
  await admitted;
  deepStrictEqual(order, ["gone", "lease 2"]);
});

Deno.test("an end that nobody listened to, or that could not be carried out, is told again", async () => {
  const rig = await authorityRig();
  const { authority, clock } = rig;
  await authority.admit(await lea(rig));
  clock.now_ms += 1_000;
  await authority.sweep();
  strictEqual(authority.leaseOf("lea"), undefined);
  const told: number[] = [];
  authority.onLeaseEnd((_, lease) => {
    told.push(lease);
    return told.length === 1 ? Promise.reject(new Error("disk")) : Promise.resolve();
  });
  await rejects(authority.sweep(), /disk/);
  // Another lease of the fork has another number, so what is left of the first is not in its way.
  strictEqual((await authority.admit(await lea(rig))).lease, 2);
  await authority.sweep();
  await authority.sweep();
  deepStrictEqual(told, [1, 1]);
});

Deno.test("a write that takes long ends no lease under itself", async () => {
  const rig = await authorityRig();
  const { authority, clock } = rig;
  const permit = await authority.admit(await lea(rig));
  await authority.during(permit, async () => {
    clock.now_ms += 10_000;
    await authority.sweep();
    strictEqual(authority.leaseOf("lea"), 1);
  });
  clock.now_ms += 999;
  await authority.sweep();
  strictEqual(authority.leaseOf("lea"), 1);
  clock.now_ms += 1;
  await authority.sweep();
  strictEqual(authority.leaseOf("lea"), undefined);
});

Deno.test("after a crash a lease is no shorter, and its number is not used again", async () => {
  const rig = await authorityRig();
  await rig.authority.admit(await lea(rig));
  rig.clock.now_ms += 400;
  await rig.authority.admit(await lea(rig));
  rig.disk.processDies();
  const later = await authorityRig(rig.disk);
  later.clock.now_ms = rig.clock.now_ms + 999;
  await later.authority.sweep();
  strictEqual(later.authority.leaseOf("lea"), 1);
  later.clock.now_ms += 1_000;
  await later.authority.sweep();
  strictEqual(later.authority.leaseOf("lea"), undefined);
  later.disk.processDies();
  const last = await authorityRig(later.disk);
  strictEqual((await last.authority.admit(await lea(last))).lease, 2);
});

Deno.test("few renewals are written for many uses", async () => {
  const rig = await authorityRig();
  const principal = await lea(rig);
  for (let use = 0; use < 1_000; use++) {
    rig.clock.now_ms += 10;
    await rig.authority.admit(principal);
  }
  const lines = rig.disk.text("/state/authority.jsonl").split("\n").length - 1;
  // Ten seconds of use, a horizon of half a second more than needed each time.
  strictEqual(lines <= 21, true, `${lines} entries`);
});
