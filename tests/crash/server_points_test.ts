/**
 * kill -9 of a whole server at chosen calls of its store: before, within and after a write, a sync, a rename, a lock.
 * A new process finds what was acknowledged, and at most the call that was under way besides: facts, beliefs,
 * mounted memories and what is in them. Every one of these moments is tried when ZPM_LONG is 1, else a few.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import {
  commitsOf,
  type CrashServer,
  inProject,
  startCrashServer,
} from "../support/crash_server.ts";
import { momentsOf, NOWHERE, type Point, stoppingProgram } from "../support/stopping_program.ts";
import { type ProjectSession, withProjectSession } from "../support/project_session.ts";
import { cacheSource } from "../support/transcript_program.ts";

const LONG = Deno.env.get("ZPM_LONG") === "1";
const FEW = 6;
/** How many servers are killed at the same time. */
const LANES = 2;

const LOOK: [string, Record<string, unknown>] = ["query_logic", { goal: "p(X)" }];

const STORY: [string, Record<string, unknown>][] = [
  ["remember_fact", { fact: "p(1)" }],
  ["assume_fact", { fact: "p(2)", assumption: "h1" }],
  ["create_memory", { name: "team" }],
  ["mount_memory", { name: "team" }],
  ["remember_fact", { fact: "owner(ana)", memory: "team" }],
  ["assume_fact", { fact: "owner(bob)", assumption: "h3", memory: "team" }],
  ["save_snapshot", { name: "middle" }],
  ["assume_fact", { fact: "p(3)", assumption: "h2" }],
  ["retract_assumption", { assumption: "h1" }],
  ["update_fact", { old_fact: "p(1)", new_fact: "p(4)" }],
  ["unmount_memory", { name: "team" }],
];

/** The long version is told in parts. */
const PARTS = LONG ? 12 : 1;

for (let part = 0; part < PARTS; part++) {
  const which = LONG ? ` (part ${part + 1} of ${PARTS})` : "";
  Deno.test(`a server killed at a call of its store leaves what it acknowledged, and at most one call more${which}`, async () => {
    const { states, points } = await plan();
    const chosen = points.filter((_, i) => i % PARTS === part);
    const lanes = Array.from({ length: LANES }, async () => {
      for (let point = chosen.pop(); point; point = chosen.pop()) await killedAt(point, states);
    });
    await Promise.all(lanes);
  });
}

let planned: Promise<{ states: string[]; points: Point[] }> | undefined;

/** The story, told once without an end: what is true after each step, and where it can be ended. */
function plan() {
  return planned ??= (async () => {
    await cacheSource();
    const [states, calls] = await Promise.all([statesOfTheStory(), callsOf(STORY)]);
    ok(calls.length > 100, `${calls.length} calls of the store`);
    const all = calls.flatMap((text, i) =>
      momentsOf(text).map((moment) => ({ call: i + 1, moment }))
    );
    // The first moments, of an empty folder, are the least interesting.
    const stride = LONG ? 1 : Math.floor(all.length / FEW);
    return { states, points: all.filter((_, i) => (i + 1) % stride === 0) };
  })();
}

async function killedAt(point: Point, states: string[]): Promise<void> {
  const where = `killed ${point.moment} call ${point.call}`;
  await inProject(async (project) => {
    const server = startCrashServer(project, {
      program: await stoppingProgram(project, "main.ts", point),
    });
    const telling = tellTheStory(server);
    await server.says(/^stands still/m);
    await server.kill();
    const { acknowledged, refused } = await telling;
    strictEqual(refused, "", where);
    const found = await withProjectSession(project, async (session) => {
      const found = await state(session);
      // It goes on: what is written now stays.
      await session.told("remember_fact", { fact: "afterwards(1)" });
      return found;
    });
    const allowed = states.slice(acknowledged, acknowledged + 2);
    ok(allowed.includes(found), `${where}, after ${acknowledged} answers:\n${found}\n${allowed}`);
    const [last] = (await commitsOf(project)).slice(-1);
    deepStrictEqual(last.ops, [["+", "afterwards(1)"]], where);
  });
}

/** Tells it until the server is gone. */
async function tellTheStory(server: CrashServer) {
  let acknowledged = 0;
  try {
    for (const step of STORY) {
      const { isError, texts } = await server.call(...step);
      if (isError) return { acknowledged, refused: texts.join("\n") };
      acknowledged++;
    }
    await server.end();
  } catch {
    return { acknowledged, refused: "" }; // the call under way has no answer
  }
  return { acknowledged, refused: "" };
}

Deno.test("a server that is killed while it holds the lock blocks nobody", async () => {
  await cacheSource();
  const calls = await callsOf(STORY.slice(0, 1), true);
  const write = calls.findIndex((call) => /^write .*\.wal /.test(call));
  await inProject(async (project) => {
    const other = startCrashServer(project);
    strictEqual((await other.call(...LOOK)).text, "[]");
    const point = { call: write + 1, moment: "after" } as const;
    const holder = startCrashServer(project, {
      program: await stoppingProgram(project, "main.ts", point),
    });
    const telling = tellTheStory(holder);
    await holder.says(/^call \d+: write .*\.wal .*\nstands still/m);
    const waiting = other.call("remember_fact", { fact: "p(10)" });
    await holder.kill();
    strictEqual((await telling).acknowledged, 0);
    strictEqual((await waiting).text, "Asserted: p(10)");
    // The line was whole before its writer ended: it counts, whoever made it durable.
    strictEqual((await other.call(...LOOK)).text, '[{"X":1},{"X":10}]');
    strictEqual(await other.end(), 0);
  });
});

/** Everything that the story changes, as text. */
async function state({ call, told }: ProjectSession): Promise<string> {
  const memories = (await call("list_memories")).structure.memories as Record<string, unknown>[];
  const mounted = memories.some(({ name, mounted }) => name === "team" && mounted);
  const of = async (memory: string, goal: string) => [
    await told("query_logic", { goal, memory }),
    await told("list_assumptions", { memory }),
  ];
  return JSON.stringify({
    default: await of("default", "p(X)"),
    memories: memories.map(({ name, mounted }) => [name, mounted]),
    ...(mounted && { team: await of("team", "owner(X)") }),
  });
}

/** What is there before the story and after each of its steps. */
async function statesOfTheStory(): Promise<string[]> {
  const states: string[] = [];
  await inProject((project) =>
    withProjectSession(project, async (session) => {
      states.push(await state(session));
      for (const step of STORY) {
        await session.told(...step);
        states.push(await state(session));
      }
    })
  );
  return states;
}

/** The calls of the store, in order; in a folder that another process has opened before, or in an empty one. */
async function callsOf(steps: typeof STORY, opened = false): Promise<string[]> {
  let said = "";
  await inProject(async (project) => {
    if (opened) await withProjectSession(project, ({ told }) => told(...LOOK));
    const server = startCrashServer(project, {
      program: await stoppingProgram(project, "main.ts", NOWHERE),
    });
    for (const step of steps) await server.call(...step);
    await server.end();
    said = server.stderr();
  });
  return [...said.matchAll(/^call \d+: (.*)$/gm)].map(([, call]) => call);
}
