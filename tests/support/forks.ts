/** Forks over a base in this process: real engines, real files, no protocol. */
import { join } from "node:path";
import { exportOf, freeze } from "../../src/forks/base.ts";
import { type Fork, Forks, type ForksOptions } from "../../src/forks/forks.ts";
import type { CallContext, Memory } from "../../src/memory/memory.ts";
import { openMemories } from "../../src/memory/service.ts";
import { initProject } from "../../src/store/project.ts";
import { assets } from "./engines.ts";

export interface ForkRig {
  forks: Forks;
  /** Holds `durable` and `leased`. */
  folder: string;
  memory(fork: Fork, context?: Partial<CallContext>): Promise<Memory>;
  remember(fork: Fork, fact: string): Promise<void>;
  /** The values of X. */
  ask(fork: Fork, goal: string): Promise<string[]>;
  /** Stops the server and starts it again. */
  restart(leased?: Fork[]): Promise<void>;
  /** The same with another base. */
  rebase(facts: string[]): Promise<void>;
}

export const ann: Fork = { id: "ann", lifecycle: "durable" };
export const bob: Fork = { id: "bob", lifecycle: "durable" };

/** A base with these facts, in a file and in a journal. */
export async function withForks(
  { base = ["p(1)", "p(2)"], engines = 4 }: { base?: string[]; engines?: number },
  test: (rig: ForkRig) => Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "zpm-forks-" }));
  let options = { ...await frozen(join(folder, "first"), base), ...await places(folder), engines };
  const rig: ForkRig = {
    folder,
    forks: await Forks.start(options),
    async memory(fork, context = {}) {
      const usual = { by: "test", client: fork.id, deadline_ms: 10_000 };
      return (await rig.forks.memories(fork)).memory("default", { ...usual, ...context });
    },
    async remember(fork, fact) {
      await (await rig.memory(fork)).commit({ op: "remember", fact });
    },
    async ask(fork, goal) {
      const query = { op: "query", goal, offset: 0, limit: 100 };
      const memory = await rig.memory(fork);
      const { answers } = await memory.ask<{ answers: Record<string, unknown>[] }>(query);
      return answers.map(({ X }) => String(X));
    },
    async restart(leased) {
      await rig.forks.close();
      rig.forks = await Forks.start({ ...options, leased });
    },
    async rebase(facts) {
      options = { ...options, ...await frozen(join(folder, "second"), facts) };
      await rig.restart();
    },
  };
  try {
    await test(rig);
  } finally {
    await rig.forks.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Of a project whose first fact stands in a file, while the others were remembered. */
async function frozen(
  project: string,
  [first, ...others]: string[],
): Promise<Pick<ForksOptions, "assets" | "base">> {
  await Deno.mkdir(project);
  initProject(project);
  await Deno.writeTextFile(join(project, ".zpm", "kb", "first.pl"), `${first}.\n`);
  const memories = await openMemories({ folder: join(project, ".zpm") });
  const context = { by: "test", client: "test", deadline_ms: 10_000 };
  const memory = await memories.memory("default", context);
  for (const fact of others) await memory.commit({ op: "remember", fact });
  const files = [await exportOf(memories)];
  await memories.close();
  return { assets: await assets(), base: await freeze({ assets: await assets(), files }) };
}

async function places(folder: string): Promise<Pick<ForksOptions, "folders">> {
  const folders = { durable: join(folder, "durable"), leased: join(folder, "leased") };
  for (const each of Object.values(folders)) await Deno.mkdir(each);
  return { folders };
}
