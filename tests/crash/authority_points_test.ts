/**
 * kill -9 of a process that has authority, audit and handles open, at chosen calls of its file system. What it
 * acknowledged is there for the next one, the audit is whole up to its head, and a handle has one meaning for ever.
 * Every one of these moments is tried when ZPM_LONG is 1, else a few.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { verifyAudit } from "../../src/authority/audit_verify.ts";
import { denoFileSystem } from "../../src/store/file_system.ts";
import {
  ANA,
  inServerFolder,
  openAuthorityProcess,
  SERVER,
  startAuthorityProcess,
} from "../support/authority_process.ts";
import type { Order } from "../support/authority_server.ts";
import { momentsOf, NOWHERE, type Point, stoppingProgram } from "../support/stopping_program.ts";

const LONG = Deno.env.get("ZPM_LONG") === "1";
const FEW = 12;
const MENDED =
  /^warning: .*audit\.jsonl: (dropped \d+ bytes of a record that was not finished|goes on to record \d+, .*)$/;

const STORY: Order[] = [
  { do: "attempt", operation: "1" },
  { do: "handles", sentences: ["p(1)", "p(2)"] },
  { do: "completion", operation: "1" },
  { do: "revoke", name: "ana" },
  { do: "attempt", operation: "2" },
  { do: "restore", name: "ana" },
  { do: "handles", sentences: ["p(2)", "p(3)"] },
  { do: "completion", operation: "2" },
  { do: "revoke", name: "ana" },
];

/** After so many orders: handles, records of the audit, whether `ana` is let in. */
function after(done: number) {
  const orders = STORY.slice(0, done);
  const sentences = orders.flatMap((order) => order.do === "handles" ? order.sentences : []);
  const records = orders.filter((order) => order.do === "attempt" || order.do === "completion");
  const last = orders.findLast((order) => order.do === "revoke" || order.do === "restore");
  return {
    sentences: [...new Set(sentences)],
    records: records.length,
    ana: last?.do === "revoke" ? null : "ana",
  };
}

Deno.test("a server killed at a call on its state or audit leaves what it acknowledged, and at most one order more", async () => {
  const calls = await callsOfTheStory();
  ok(calls.length > 60, `${calls.length} calls`);
  const all = calls.flatMap((text, i) =>
    momentsOf(text).map((moment) => ({ call: i + 1, moment }))
  );
  const stride = LONG ? 1 : Math.floor(all.length / FEW);
  for (const point of all.filter((_, i) => (i + 1) % stride === 0)) await killedAt(point);
});

async function callsOfTheStory(): Promise<string[]> {
  let said = "";
  await inServerFolder(async (folder) => {
    const server = await startAuthorityProcess(
      folder,
      await stoppingProgram(folder, SERVER, NOWHERE),
    );
    for (const order of STORY) await server.ask(order);
    await server.end();
    said = await server.errors;
  });
  return [...said.matchAll(/^call \d+: (.*)$/gm)].map(([, call]) => call);
}

async function killedAt(point: Point): Promise<void> {
  const where = `killed ${point.moment} call ${point.call}`;
  await inServerFolder(async (folder) => {
    const program = await stoppingProgram(folder, SERVER, point);
    const done = await toldUntilItStands(folder, program);
    const folders = { state_dir: join(folder, "state"), audit_dir: join(folder, "audit") };
    const promised = after(done);
    const more = after(done + 1);
    const next = await openAuthorityProcess(folder);
    strictEqual(next.first, "open", where);
    const sentences: unknown[] = [];
    for (let handle = 1;; handle++) {
      const key = await next.ask({ do: "key", handle }) as { sentence: string } | null;
      if (!key) break;
      sentences.push(key.sentence);
    }
    ok(sentences.length >= promised.sentences.length, where);
    deepStrictEqual(sentences, more.sentences.slice(0, sentences.length), where);
    ok(
      [promised.ana, more.ana].includes(await next.ask({ do: "who", token: ANA }) as string),
      where,
    );
    const { records, fault } = verifyAudit(denoFileSystem, folders);
    strictEqual(fault, undefined, where);
    ok(records === promised.records || records === more.records, `${where}: ${records} records`);
    strictEqual(await next.ask({ do: "attempt", operation: "later" }), "done", where);
    await next.end();
    // What was under way may be cut off, or be there without the head, and nothing else has to be mended.
    const warnings = (await next.errors).split("\n").filter((line) => line !== "");
    ok(warnings.every((line) => MENDED.test(line)), `${where}: ${warnings}`);
    strictEqual(verifyAudit(denoFileSystem, folders).records, records + 1, where);
  });
}

/**
 * Tells the story until the process stands still, and kills it there; how many orders it acknowledged. The audit's
 * head is synced by the clock, so a run may make a call less than the one that was counted, and come to its end.
 */
async function toldUntilItStands(folder: string, program: string[]): Promise<number> {
  const server = startAuthorityProcess(folder, program);
  let done = 0;
  const telling = (async () => {
    if (await server.first !== "open") return;
    for (const order of STORY) {
      await server.ask(order);
      done++;
    }
    await server.end();
  })().catch(() => {}); // the order under way has no answer
  const stood = await server.stands;
  if (stood) await server.kill();
  await telling;
  if (!stood) strictEqual(done, STORY.length, await server.errors);
  return done;
}
