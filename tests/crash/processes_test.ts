/**
 * Many processes, one project: servers, commands, a snapshot in the middle, one server killed. Nothing is lost,
 * nothing is there twice, each sees the others' facts in its next answer, and the order is the same for all.
 */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { Journal } from "../../src/store/journal.ts";
import {
  type CrashServer,
  inProject,
  runCommand,
  startCrashServer,
} from "../support/crash_server.ts";
import { cacheSource } from "../support/transcript_program.ts";

const LONG = Deno.env.get("ZPM_LONG") === "1";
const SERVERS = 4;
const WRITES = LONG ? 2_500 : 250;
/** A server sends so many at once, then looks what the others wrote. */
const BATCH = 25;

Deno.test(`${SERVERS} servers with ${WRITES} writes each, commands and a snapshot between them`, async () => {
  await cacheSource();
  await inProject(async (project) => {
    const servers = Array.from({ length: SERVERS }, () => startCrashServer(project));
    try {
      await Promise.all(servers.map((server) => server.call("echo", { message: "ready" })));
      await Promise.all([
        ...servers.map((_, number) => writesAndLooks(servers, number)),
        commands(project),
        snapshot(servers[1]),
      ]);
      const expected = SERVERS * WRITES + 3;
      const all = await Promise.all(servers.map(everything));
      for (const each of all) deepStrictEqual(each, all[0]);
      strictEqual(all[0].length, expected);
      inOrderOfEachWriter(all[0]);
      const { out } = await runCommand(project, [
        "query-logic",
        "aggregate_all(count, f(_, _), N)",
      ]);
      strictEqual(out, `[{"N":${expected}}]\n`);
      await journalIsWhole(project, all[0]);
    } finally {
      for (const server of servers) await server.kill();
    }
  });
});

/** Writes in batches; after each, the next server must show all that was acknowledged. */
async function writesAndLooks(servers: CrashServer[], number: number): Promise<void> {
  const own = servers[number];
  const other = servers[(number + 1) % servers.length];
  for (let done = 0; done < WRITES; done += BATCH) {
    const facts = Array.from({ length: BATCH }, (_, i) => `f(${number}, ${done + i + 1})`);
    const told = await Promise.all(facts.map((fact) => own.call("remember_fact", { fact })));
    for (const { isError, text } of told) ok(!isError, text);
    const goal = `aggregate_all(count, f(${number}, _), N)`;
    const { text } = await other.call("query_logic", { goal });
    strictEqual(text, `[{"N":${done + BATCH}}]`);
  }
}

/** Short-lived processes between the servers. */
async function commands(project: string): Promise<void> {
  for (let n = 1; n <= 3; n++) {
    const { code, err } = await runCommand(project, ["remember-fact", `f(command, ${n})`]);
    deepStrictEqual([code, err], [0, ""]);
  }
}

/** The journal goes on in a new segment under everybody's hands. */
async function snapshot(server: CrashServer): Promise<void> {
  for (const name of ["middle", "later"]) {
    const { text, isError } = await server.call("save_snapshot", { name });
    ok(!isError, text);
  }
}

/** All facts as this server tells them, in order. */
async function everything(server: CrashServer): Promise<string[]> {
  const limit = 10_000;
  const found: string[] = [];
  for (let offset = 0;; offset += limit) {
    const { structure } = await server.call("query_logic", { goal: "f(S, N)", limit, offset });
    const answers = structure.answers as { S: unknown; N: number }[];
    found.push(...answers.map(({ S, N }) => `f(${S},${N})`));
    if (answers.length < limit) return found;
  }
}

function inOrderOfEachWriter(facts: string[]): void {
  const writers = [...Array.from({ length: SERVERS }, (_, n) => [String(n), WRITES]), [
    "command",
    3,
  ]];
  for (const [name, count] of writers) {
    const expected = Array.from({ length: Number(count) }, (_, i) => `f(${name},${i + 1})`);
    deepStrictEqual(facts.filter((fact) => fact.startsWith(`f(${name},`)), expected);
  }
}

/** What is on disk, read without an engine: sound, and in the order that everybody tells. */
async function journalIsWhole(project: string, facts: string[]): Promise<void> {
  const journal = new Journal(join(project, ".zpm"));
  const { commits, health } = await journal.open();
  journal.close();
  deepStrictEqual([health.status, health.problems, health.commits], ["active", [], facts.length]);
  match(health.dir, /data$/);
  const added = commits.flatMap(({ ops }) => ops).filter(([kind]) => kind === "+");
  deepStrictEqual(added.map(([, text]) => text), facts);
  ok((health.checkpoint ?? 0) > 0, "the journal went on in a new segment");
}

Deno.test("a server that is killed while it writes blocks nobody, and what it acknowledged stays", async () => {
  await cacheSource();
  await inProject(async (project) => {
    const [victim, other] = [startCrashServer(project), startCrashServer(project)];
    try {
      await other.call("remember_fact", { fact: "other(0)" });
      await victim.send(...Array.from({ length: 400 }, (_, i) => ({
        name: "remember_fact",
        arguments: { fact: `victim(${i + 1})` },
      })));
      await victim.answered(40);
      await victim.kill();
      const { text, isError } = await other.call("remember_fact", { fact: "other(1)" });
      ok(!isError, text);
      const { structure } = await other.call("query_logic", { goal: "victim(N)", limit: 1_000 });
      const there = (structure.answers as { N: number }[]).map(({ N }) => N);
      ok(there.length >= victim.acknowledged.size);
      deepStrictEqual(there, Array.from({ length: there.length }, (_, i) => i + 1));
    } finally {
      await other.kill();
    }
  });
});
