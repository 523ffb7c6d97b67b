/**
 * Hostile clients: a server that is told anything answers every call once, in the form it promises, and goes on.
 * ZPM_SEED and ZPM_CALLS choose others and more.
 */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { limits } from "../src/base/limits.ts";
import { builtins } from "./support/builtins.ts";
import { inProject } from "./support/crash_server.ts";
import { Fuzz } from "./support/fuzz_calls.ts";
import { HostileClient } from "./support/hostile_client.ts";
import { generator } from "./support/random.ts";

const SEED = Number(Deno.env.get("ZPM_SEED") ?? 1);
const CALLS = Number(Deno.env.get("ZPM_CALLS") ?? 20_000);
/** Calls that are under way at once. */
const AT_ONCE = 24;
/** After so many calls the server is asked whether it is well. */
const PROBE_EVERY = 200;
/** What the process may take: three engines, one of which is just ending, grown as far as they may, and the rest. */
const MOST_MB = 3 * limits.memory_bytes / 2 ** 20 + 400;
/** What it comes back to: two engines that have grown as far as they may without being retired, and the rest. */
const RESTING_MB = 700;
const DEATHS = 300;

const alive = {
  name: "query_logic",
  arguments: { goal: "X = alive, earlier(fact)", timeout_ms: 50_000 },
};

Deno.test(`${CALLS} hostile calls of seed ${SEED} are answered, and the server goes on`, async () => {
  const fuzz = new Fuzz(generator(SEED), await builtins());
  await inProject(async (project) => {
    await Deno.writeTextFile(join(project, ".zpm/kb/earlier.pl"), "earlier(fact).\n");
    const client = await HostileClient.start(project);
    for (let done = 0; done < CALLS; done += PROBE_EVERY) {
      await inLanes(PROBE_EVERY, async (n) => {
        if (n % 20 === 0) client.line(fuzz.line());
        await client.call(fuzz.call());
      });
      const { texts } = await client.call(alive);
      strictEqual(texts[0], '[{"X":"alive"}]', `after ${done} calls`);
      const megabytes = client.residentMb();
      ok(megabytes < MOST_MB, `${megabytes} MB after ${done} calls`);
      await rested(client, `after ${done} calls`);
    }
    const before = await everything(client);
    strictEqual(await client.end(), 0);
    const again = await HostileClient.start(project);
    deepStrictEqual(await everything(again), before);
    strictEqual(await again.end(), 0);
  });
});

/** An engine that was ended gives its memory back when its thread comes to it. */
async function rested(client: HostileClient, when: string): Promise<void> {
  for (let tries = 1; client.residentMb() > RESTING_MB; tries++) {
    ok(tries <= 60, `still ${client.residentMb()} MB ${when}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await client.call(alive);
  }
}

/** All that the memory holds, in order. */
async function everything(client: HostileClient): Promise<unknown> {
  const answers = [];
  for (const name of ["get_knowledge_schema", "list_assumptions", "list_memories"]) {
    answers.push(await untilDone(client, name));
  }
  return answers;
}

/** The server's deadline is so short that a call may need another try. */
async function untilDone(client: HostileClient, name: string): Promise<string> {
  for (;;) {
    const { texts, isError } = await client.call({ name, arguments: {} });
    if (!isError) return texts[0];
    match(texts[0], /^Stopped: time/);
  }
}

/** Runs so many jobs, some at once. */
async function inLanes(count: number, job: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await job(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

Deno.test(`${DEATHS} engine deaths in a row leak nothing`, async () => {
  // What a goal makes is looked at by nobody before the engine's own writer goes down it.
  const goal = "length(L, 5000), foldl([_, T, f(T)]>>true, L, a, Deep), term_to_atom(Deep, Text)";
  const deadly = { name: "query_logic", arguments: { goal, timeout_ms: 50_000 } };
  await inProject(async (project) => {
    const client = await HostileClient.start(project);
    const sizes: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < DEATHS / 3; n++) {
        const { texts } = await client.call(deadly);
        strictEqual(
          texts[0],
          "The engine stopped on this call and was replaced; nothing was changed",
        );
      }
      sizes.push(client.residentMb());
    }
    ok(sizes[2] < sizes[0] + 100, `${sizes} MB`);
    strictEqual(await client.end(), 0);
  });
});
