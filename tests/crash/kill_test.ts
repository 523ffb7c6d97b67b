/**
 * kill -9 at any instant: what was acknowledged is there, what was under way is there whole or not at all
 * (DESIGN section 7, invariant 1).
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { commits as allCommits } from "../support/commits.ts";
import { type Call, commitsOf, inProject, startCrashServer } from "../support/crash_server.ts";
import { withProjectSession } from "../support/project_session.ts";
import { cacheSource, ROOT } from "../support/transcript_program.ts";

/** Kills right after an acknowledgement: of the store's own process, and of whole servers. */
const LONG = Deno.env.get("ZPM_LONG") === "1";
const STORE_TRIES = LONG ? 400 : 92;
const SERVER_TRIES = LONG ? 100 : 8;
/** How many projects are worked on at once. */
const LANES = 4;
/** Kills at a random moment, while many writes are under way. */
const PIPELINES = LONG ? 60 : 4;
const PIPELINED = 150;
/** Kills while snapshots are saved, so many in a row. */
const SNAPSHOT_KILLS = LONG ? 60 : 4;
const SNAPSHOTS = 20;
/** A full restart, with an engine, after so many kills. */
const RESTART_EVERY = 2;

Deno.test(`kill -9 of the store after a saved commit loses nothing in ${STORE_TRIES} tries`, async () => {
  await cacheSource();
  const lanes = Array.from({ length: LANES }, () => inProject(killStoreAfterEachCommit));
  await Promise.all(lanes);
});

/** The process never waits to be killed: what it wrote after the number that was read is in flight. */
async function killStoreAfterEachCommit(project: string): Promise<void> {
  let seen = 0;
  for (let round = 1; round <= STORE_TRIES / LANES; round++) {
    const last = await runStore(project, seen + 1 + round % 4);
    const commits = await commitsOf(project);
    ok(commits.length >= last, `commit ${last} was acknowledged, ${commits.length} are there`);
    deepStrictEqual(commits, allCommits(1, commits.length));
    seen = commits.length;
  }
}

/** Lets the store work until it has said a number, kills it, and returns the last number that it said. */
async function runStore(project: string, until: number): Promise<number> {
  const script = join(ROOT, "tests/support/store_acks.ts");
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", script, join(project, ".zpm")],
    stdout: "piped",
  }).spawn();
  let said = "";
  let killed = false;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += text;
    // Once: what it said before it ended may still come in.
    if (!killed && lastNumber(said) >= until) {
      Deno.kill(child.pid, "SIGKILL");
      killed = true;
    }
  }
  await child.status;
  return lastNumber(said);
}

function lastNumber(said: string): number {
  return Number(said.split("\n").at(-2) ?? 0);
}

Deno.test(`kill -9 of a server after a reply loses nothing in ${SERVER_TRIES} tries`, async () => {
  await cacheSource();
  const lanes = Array.from({ length: LANES }, () => inProject(killAfterEachReply));
  await Promise.all(lanes);
});

async function killAfterEachReply(project: string): Promise<void> {
  const expected: string[] = [];
  for (let round = 1; round <= SERVER_TRIES / LANES; round++) {
    const server = startCrashServer(project);
    const writes = 1 + round % 3;
    for (let n = 1; n <= writes; n++) {
      const fact = `k(${round}, ${n})`;
      await server.send(remember(fact));
      await server.answered(n);
      strictEqual(server.texts.get(n), `Asserted: ${fact}`);
      expected.push(`k(${round},${n})`);
    }
    await server.kill();
    deepStrictEqual((await commitsOf(project)).map(({ ops }) => ops[0][1]), expected);
    if (round % RESTART_EVERY === 0) await asksAgain(project, expected.length);
  }
}

/** A new server, with its engine, says the same as the journal. */
async function asksAgain(project: string, count: number): Promise<void> {
  const server = startCrashServer(project);
  await server.send({
    name: "query_logic",
    arguments: { goal: "aggregate_all(count, k(_, _), N)" },
  });
  await server.answered(1);
  strictEqual(server.texts.get(1), `[{"N":${count}}]`);
  await server.kill();
}

Deno.test("a kill while many writes are under way leaves whole commits, none of them unasked", async () => {
  await cacheSource();
  const random = generator(20_250_807);
  for (let round = 0; round < PIPELINES; round += LANES) {
    const moments = Array.from({ length: LANES }, () => random());
    await Promise.all(moments.map((moment) => inProject((project) => killWithin(project, moment))));
  }
});

/** Sends everything at once and kills at a moment between the first and the last answer. */
async function killWithin(project: string, moment: number): Promise<void> {
  const server = startCrashServer(project);
  const calls = Array.from({ length: PIPELINED }, (_, i) => pipelined(i + 1));
  await server.send(...calls);
  await server.answered(1 + Math.floor(moment * (PIPELINED - 1)));
  await new Promise((resolve) => setTimeout(resolve, moment * 3));
  await server.kill();
  const commits = await commitsOf(project);
  // One client's writes keep their order: what is there is a beginning of what was sent.
  commits.forEach(({ seq, ops }, index) => {
    strictEqual(seq, index + 1);
    deepStrictEqual(ops.map(([kind]) => kind), isRule(seq) ? ["+", "t"] : ["+"]);
    ok(String(ops[0][1]).startsWith(isRule(seq) ? `r${seq}(` : `p(${seq})`), `commit ${seq}`);
  });
  for (const number of server.acknowledged) {
    ok(number <= commits.length, `write ${number} was acknowledged and is gone`);
  }
}

Deno.test("a kill while snapshots are saved leaves all facts, once, and snapshots that can be restored", async () => {
  await cacheSource();
  const random = generator(20_260_915);
  for (let round = 0; round < SNAPSHOT_KILLS; round += LANES) {
    const moments = Array.from({ length: LANES }, () => random());
    await Promise.all(
      moments.map((moment) => inProject((project) => killWhileSaving(project, moment))),
    );
  }
});

/** Each snapshot makes the journal go on in a new segment, so both are under way at most moments. */
async function killWhileSaving(project: string, moment: number): Promise<void> {
  const server = startCrashServer(project);
  const calls = Array.from({ length: SNAPSHOTS }, (_, i) => [
    remember(`p(${i + 1})`),
    { name: "save_snapshot", arguments: { name: `s${i % 2}` } },
  ]).flat();
  await server.send(...calls);
  await server.answered(1 + Math.floor(moment * (calls.length - 1)));
  await new Promise((resolve) => setTimeout(resolve, moment * 20));
  await server.kill();
  const facts = calls.flatMap(({ name }, i) =>
    name === "remember_fact" && server.acknowledged.has(i + 1) ? [i] : []
  );
  await withProjectSession(project, async ({ call, told }) => {
    const all = await call("query_logic", { goal: "p(X)", limit: SNAPSHOTS });
    const there = (all.structure.answers as { X: number }[]).map(({ X }) => X);
    ok(
      there.length >= facts.length,
      `${facts.length} were acknowledged, ${there.length} are there`,
    );
    deepStrictEqual(there, Array.from({ length: there.length }, (_, i) => i + 1));
    const { snapshots } = (await call("list_snapshots")).structure;
    for (const { name } of snapshots as { name: string }[]) {
      await told("restore_snapshot", { name });
    }
  });
}

/** Every third write is one of two operations, so that half of it would show. */
function isRule(number: number): boolean {
  return number % 3 === 0;
}

function pipelined(number: number): Call {
  if (!isRule(number)) return remember(`p(${number})`);
  return {
    name: "define_rule",
    arguments: { head: `r${number}(X)`, body: "p(X)", tabled: true },
  };
}

function remember(fact: string): Call {
  return { name: "remember_fact", arguments: { fact } };
}

/** Numbers from 0 up to 1, the same in every run (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
