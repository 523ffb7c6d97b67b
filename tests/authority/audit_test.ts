/** The audit while it is written: no record that the disk did not take is acknowledged, and no folder has two writers. */
import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { AuditClient } from "../../src/authority/audit_client.ts";
import { AuditLog } from "../../src/authority/audit_log.ts";
import type { Denial } from "../../src/authority/audit.ts";
import { argumentsDigest } from "../../src/authority/audit.ts";
import {
  attempt,
  auditWords,
  completion,
  custodianOn,
  FOLDERS,
  freshDisk,
} from "../support/custodians.ts";
import type { ForgetfulFileSystem } from "../support/forgetful_fs.ts";
import { seenFileSystem } from "../support/seen_fs.ts";

const AUDIT = "/audit/audit.jsonl";
const HEAD = "/state/audit-head";

const call = { principal: "ana", fork: "ana", verb: "assert", digest: "0".repeat(64) };

async function audited(disk: ForgetfulFileSystem) {
  const calls = custodianOn(disk);
  const opened = await calls.open();
  return { calls, opened, audit: new AuditClient(calls, opened) };
}

Deno.test("records are numbered, chained and found again; open attempts are told at the next start", async () => {
  const disk = freshDisk();
  const { audit } = await audited(disk);
  for (const operation of ["1", "2", "3"]) await audit.attempt({ operation, ...call });
  await audit.completion({ operation: "1", outcome: "ok", commit: 7, handles: [3] });
  strictEqual(audit.status().records, 4);
  const [, second] = disk.text(AUDIT).split("\n").map((line) => line && JSON.parse(line));
  const { at, hash, prev, ...rest } = second;
  deepStrictEqual(rest, { kind: "attempt", operation: "2", seq: 2, ...call });
  match(`${hash} ${prev}`, /^[0-9a-f]{64} [0-9a-f]{64}$/);
  ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
  disk.processDies();
  const later = await audited(disk);
  deepStrictEqual(later.audit.unresolved, ["2", "3"].map((operation) => ({ operation, ...call })));
  await later.audit.resolution({ operation: "2", outcome: "committed", commit: 8 });
  await later.audit.resolution({ operation: "3", outcome: "not_committed" });
  disk.processDies();
  deepStrictEqual((await audited(disk)).audit.unresolved, []);
});

Deno.test("records that come together share a sync, and each is on disk when it settles", async () => {
  const disk = freshDisk();
  const { audit } = await audited(disk);
  const before = disk.syncs;
  const all = Array.from({ length: 200 }, (_, i) => audit.attempt({ operation: `${i}`, ...call }));
  await Promise.all(all.map(async (written, i) => {
    await written;
    ok(auditWords(disk.powerFails()).includes(`attempt ${i}`));
  }));
  ok(disk.syncs - before <= 4, `${disk.syncs - before} syncs`);
  strictEqual(auditWords(disk).length, 200);
});

Deno.test("a full disk: nothing is acknowledged, nothing half is left, and it goes on when there is room", async () => {
  const disk = freshDisk();
  const { audit } = await audited(disk);
  await audit.attempt({ operation: "1", ...call });
  for (const space of [0, 1, 100]) {
    disk.space = space;
    const refused = audit.attempt({ operation: "2", ...call });
    await rejects(refused, { reason: "audit_unavailable", message: /No space left/ });
    match(audit.status().problem!, /No space left/);
    strictEqual(await audit.healthy(), false);
    deepStrictEqual(auditWords(disk), ["attempt 1"]);
    deepStrictEqual(auditWords(disk.powerFails(1_000)), ["attempt 1"]);
  }
  disk.space = Infinity;
  await audit.attempt({ operation: "3", ...call });
  strictEqual(audit.status().problem, undefined);
  disk.processDies();
  deepStrictEqual((await audited(disk)).opened.records, 2);
});

Deno.test("that there is room again shows without a call, and the audit says since when there was none", async () => {
  const disk = freshDisk();
  const { audit } = await audited(disk);
  disk.space = 0;
  await rejects(audit.attempt({ operation: "1", ...call }), { reason: "audit_unavailable" });
  strictEqual(await audit.healthy(), false);
  disk.space = Infinity;
  strictEqual(await audit.healthy(), true);
  strictEqual(await audit.healthy(), true);
  const [record, more] = disk.text(AUDIT).trim().split("\n").map((line) => JSON.parse(line));
  deepStrictEqual([record.kind, more], ["interruption", undefined]);
  ok(record.since <= record.at);
});

Deno.test("a disk that does not sync: what was answered with an error never comes back", async () => {
  const disk = freshDisk();
  const { audit } = await audited(disk);
  disk.failing_syncs = 1;
  await rejects(audit.attempt({ operation: "1", ...call }), { reason: "audit_unavailable" });
  await audit.attempt({ operation: "2", ...call });
  deepStrictEqual(auditWords(disk.powerFails(1_000)), ["attempt 2"]);
  // When it cannot even be cut back, nobody knows what is there: nothing more is written.
  disk.failing_syncs = 1;
  disk.failing_truncates = 1;
  await rejects(audit.attempt({ operation: "3", ...call }), { reason: "audit_unavailable" });
  await rejects(audit.attempt({ operation: "4", ...call }), { reason: "audit_unavailable" });
  strictEqual(await audit.healthy(), false);
});

Deno.test("a head that cannot be written ends the audit for this process, and the next start mends it", async () => {
  const disk = freshDisk();
  let broken = false;
  const fs = seenFileSystem(disk, (path, handle) => ({
    write(offset, bytes) {
      if (broken && path === HEAD) throw new Error("Input/output error");
      return handle.write(offset, bytes);
    },
  }));
  const calls = custodianOn(fs);
  const audit = new AuditClient(calls, await calls.open());
  await audit.attempt({ operation: "1", ...call });
  broken = true;
  await rejects(audit.attempt({ operation: "2", ...call }), { message: /Input\/output error/ });
  broken = false;
  strictEqual(await audit.healthy(), false);
  await rejects(audit.attempt({ operation: "3", ...call }), {
    message: /head could not be written/,
  });
  disk.processDies();
  const later = await audited(disk);
  strictEqual(later.opened.records, 2);
  await later.audit.attempt({ operation: "4", ...call });
});

Deno.test("a file that is gone, exchanged, cut or written by others is not written to", async () => {
  const harms: [string, (disk: ForgetfulFileSystem) => void, RegExp][] = [
    ["gone", (disk) => disk.remove(AUDIT), /is gone/],
    ["exchanged", (disk) => disk.put(AUDIT, disk.text(AUDIT)), /was replaced by another file/],
    ["cut", (disk) => disk.open(AUDIT).truncate(10), /was cut off/],
    [
      "written",
      (disk) => disk.open(AUDIT).write(disk.text(AUDIT).length, new Uint8Array(9)),
      /somebody else wrote/,
    ],
  ];
  for (const [what, harm, words] of harms) {
    const disk = freshDisk();
    const { audit } = await audited(disk);
    await audit.attempt({ operation: "1", ...call });
    strictEqual(await audit.healthy(), true);
    harm(disk);
    strictEqual(await audit.healthy(), false, what);
    match(audit.status().problem!, words);
    await rejects(audit.completion({ operation: "1", outcome: "ok" }), { message: words }, what);
  }
});

Deno.test("an audit that was tampered with does not start", async () => {
  const harms: [string, (disk: ForgetfulFileSystem) => void, RegExp][] = [
    ["gone", (disk) => disk.remove(AUDIT), /it is gone/],
    ["empty", (disk) => disk.put(AUDIT, ""), /line 1: cut off, it ends with record 0/],
    ["cut", edited((lines) => lines.slice(0, -1)), /line 3: cut off, .* up to record 3/],
    ["cut in a line", (disk) => disk.put(AUDIT, disk.text(AUDIT).slice(0, -9)), /line 3: cut off/],
    ["removed", edited((lines) => lines.toSpliced(1, 1)), /line 2: removed, record 2 is missing/],
    ["inserted", edited((lines) => lines.toSpliced(1, 0, "{}")), /line 2: inserted/],
    ["changed", edited((lines) => lines.map((l) => l.replace("ana", "eve"))), /line 1: changed/],
    ["without a head", (disk) => disk.remove(HEAD), /audit-head, which tells its end, is not/],
    ["with a broken head", (disk) => disk.put(HEAD, "x".repeat(240)), /audit-head, which tells/],
  ];
  for (const [what, harm, words] of harms) {
    const disk = freshDisk();
    const { calls } = await audited(disk);
    await calls.record([attempt("1"), completion("1"), attempt("2")]);
    await calls.close();
    harm(disk);
    await rejects(audited(disk), { code: "corrupt", message: words }, what);
    // Nothing was mended behind anybody's back: it is refused again.
    await rejects(audited(disk), { code: "corrupt", message: words }, what);
  }
});

Deno.test("an unfinished line is dropped and said, a head that is behind is mended", async () => {
  const disk = freshDisk();
  const { calls } = await audited(disk);
  await calls.record([attempt("1")]);
  const head = disk.text(HEAD);
  await calls.record([attempt("2"), attempt("3")]);
  await calls.close();
  disk.put(HEAD, head);
  disk.put(AUDIT, disk.text(AUDIT) + '{"at":"2026');
  const { opened, calls: later } = await audited(disk);
  deepStrictEqual(opened.notes, [
    `${AUDIT}: dropped 11 bytes of a record that was not finished`,
    `${AUDIT}: goes on to record 3, the last one known was record 1`,
  ]);
  strictEqual(opened.records, 3);
  await later.close();
  disk.put(AUDIT, disk.text(AUDIT).split("\n").slice(0, 2).join("\n") + "\n");
  await rejects(audited(disk), { message: /cut off/ });
});

Deno.test("a second server is refused, and told who has the folder", async () => {
  const disk = freshDisk();
  const { calls } = await audited(disk);
  await rejects(AuditLog.open(disk, FOLDERS), {
    code: "conflict",
    message: new RegExp(`audit_dir "/audit": it is used by process ${Deno.pid} since`),
  });
  await rejects(custodianOn(disk).open(), {
    message: /state_dir "\/state".* process \d+ since/,
  });
  await calls.close();
  await audited(disk);
});

Deno.test("denials of strangers are counted, those of principals are each written", async () => {
  const disk = freshDisk();
  const { audit } = await audited(disk);
  const deny = (denial: Denial) =>
    Promise.all(Array.from({ length: 50 }, () => audit.denied(denial)));
  await deny({ reason: "token" });
  await deny({ reason: "origin" });
  await deny({ reason: "revoked", principal: "ana", verb: "assert" });
  await audit.close();
  const denials = disk.text(AUDIT).trim().split("\n").map((line) => JSON.parse(line));
  const strangers = denials.filter((denial) => denial.principal === undefined);
  strictEqual(denials.length - strangers.length, 50);
  deepStrictEqual(strangers.map(({ reason, count }) => [reason, count]), [
    ["token", undefined],
    ["origin", undefined],
    ["token", 49],
    ["origin", 49],
  ]);
  // The next one is written at once again.
  await audit.denied({ reason: "token" });
  match(disk.text(AUDIT).trim().split("\n").at(-1)!, /"reason":"token"/);
});

Deno.test("arguments have one digest, however they were written", async () => {
  const one = await argumentsDigest({
    sentence: "(dog fido)",
    context: "CxPets",
    strength: undefined,
  });
  strictEqual(await argumentsDigest({ context: "CxPets", sentence: "(dog fido)" }), one);
  match(one, /^[0-9a-f]{64}$/);
  ok(one !== await argumentsDigest({ context: "CxPets", sentence: "(dog rex)" }));
});

function edited(change: (lines: string[]) => string[]) {
  return (disk: ForgetfulFileSystem) => {
    const lines = disk.text(AUDIT).split("\n").slice(0, -1);
    disk.put(AUDIT, change(lines).map((line) => `${line}\n`).join(""));
  };
}
