/**
 * The process ends before, within and after every single call that authority, audit and handles make on the disk.
 * What was acknowledged is there afterwards, what was under way is there whole or not at all, the audit reads up to
 * its head, and all goes on: after kill -9, where all that was written is left, and after a power failure, where only
 * that is left which was synced, and perhaps some of the rest.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { readChain } from "../../src/authority/audit_reading.ts";
import type { Order } from "../../src/authority/authority_state.ts";
import type { AuthorityCalls } from "../../src/authority/protocol.ts";
import { attempt, auditWords, completion, custodianOn, freshDisk } from "../support/custodians.ts";
import type { ForgetfulFileSystem } from "../support/forgetful_fs.ts";
import { crashingFileSystem, type Moment } from "../support/hooked_fs.ts";

/** What is promised when a step is done: records of the audit, entries of the log, sentences with handles. */
interface Promised {
  audit?: string[];
  log?: string[];
  handles?: string[];
}

interface Step extends Promised {
  run(custodian: AuthorityCalls): Promise<unknown>;
}

const STORY: Step[] = [
  { run: (custodian) => custodian.open() },
  record("1"),
  handles("p(1)", "p(2)"),
  order({ kind: "revoke", principal: "ana" }),
  record("2"),
  handles("p(2)", "p(3)"),
  order({ kind: "lease", fork: "ben", until_ms: 1 }),
  order({ kind: "restore", principal: "ana" }),
  order({ kind: "lease_end", fork: "ben", lease: 1 }),
  handles("p(4)"),
  record("3"),
];

for (const moment of ["before", "within", "after"] as const) {
  Deno.test(`an end ${moment} any call loses no record, no revocation and no handle`, async () => {
    let call = 1;
    while (await endsAt(call, moment)) call++;
    // Fewer would mean that calls go past the hooks.
    ok(call > 80, `the whole story makes ${call - 1} calls`);
  });
}

/** Tells the story up to that call and looks at what is left; false when the story is over before it. */
async function endsAt(call: number, moment: Moment): Promise<boolean> {
  const disk = freshDisk();
  const { fs, state } = crashingFileSystem(disk, "/", { call, moment });
  let done = 0;
  try {
    const custodian = custodianOn(fs);
    for (const step of STORY) {
      await step.run(custodian);
      if (state.crashed !== undefined) break;
      done++;
    }
  } catch (fault) {
    if (state.crashed === undefined) throw fault;
  }
  if (state.crashed === undefined) return false;
  for (const kept of [0, 7, 1_000_000]) await holds(disk.powerFails(kept), done, state.crashed);
  disk.processDies();
  await holds(disk, done, state.crashed);
  return true;
}

/** Everything that was promised is on this disk, and it goes on from there. */
async function holds(disk: ForgetfulFileSystem, done: number, where: string): Promise<void> {
  const custodian = custodianOn(disk);
  const { written, unresolved } = await custodian.open();
  const promised = after(done);
  const more = after(done + 1);
  between(auditWords(disk), promised.audit, more.audit, where);
  between(written.map(({ entry }) => entry.kind), promised.log, more.log, where);
  const sentences: string[] = [];
  for (let n = 1;; n++) {
    const key = await custodian.keyOf(n);
    if (!key) break;
    sentences.push(key.sentence);
  }
  between(sentences, promised.handles, more.handles, where);
  // What was found and told is on disk, even when nothing is written to it.
  for (const file of ["/state/handles.jsonl", "/state/authority.jsonl", "/audit/audit.jsonl"]) {
    strictEqual(disk.powerFails().text(file), disk.text(file), where);
  }
  // Each record is written after the attempt it completes, so at most one attempt is open.
  ok(unresolved.length <= 1, where);
  await custodian.record([attempt("later")]);
  await custodian.write({ kind: "revoke", principal: "eve" });
  const number = sentences.length + 1;
  deepStrictEqual(await custodian.handlesOf([{ context: "Cx", sentence: "later" }]), [number]);
  await custodian.close();
  const reading = readChain(linesOf(disk));
  strictEqual(reading.fault, undefined, where);
  const again = custodianOn(disk.powerFails());
  strictEqual((await again.open()).records, reading.place.seq, where);
  strictEqual((await again.keyOf(number))?.sentence, "later", where);
}

function between(there: string[], least: string[], most: string[], where: string): void {
  ok(there.length >= least.length, `${where}: promised ${least}, left ${there}`);
  deepStrictEqual(there, most.slice(0, there.length), where);
}

function after(done: number): Required<Promised> {
  const steps = STORY.slice(0, done);
  return {
    audit: steps.flatMap((step) => step.audit ?? []),
    log: steps.flatMap((step) => step.log ?? []),
    handles: [...new Set(steps.flatMap((step) => step.handles ?? []))],
  };
}

function linesOf(disk: ForgetfulFileSystem): Uint8Array[] {
  const lines = disk.text("/audit/audit.jsonl").split("\n").slice(0, -1);
  return lines.map((line) => new TextEncoder().encode(line));
}

function record(operation: string): Step {
  return {
    audit: [`attempt ${operation}`, `completion ${operation}`],
    async run(custodian) {
      await custodian.record([attempt(operation)]);
      await custodian.record([completion(operation)]);
    },
  };
}

function handles(...sentences: string[]): Step {
  const keys = sentences.map((sentence) => ({ context: "Cx", sentence }));
  return { handles: sentences, run: (custodian) => custodian.handlesOf(keys) };
}

function order(order: Order): Step {
  return { log: [order.kind], run: (custodian) => custodian.write(order) };
}
