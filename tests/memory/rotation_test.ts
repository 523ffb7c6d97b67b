/** Rotation: what a checkpoint keeps, seen by this process, by another one, and after a restart. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { openMemories, type ProjectMemories } from "../../src/memory/service.ts";
import { initProject } from "../../src/store/project.ts";

const context = { by: "test", client: "test", deadline_ms: 50_000 };

async function withProject(test: (folder: string) => Promise<void>): Promise<void> {
  const directory = await Deno.realPath(await Deno.makeTempDir());
  try {
    initProject(directory);
    await Deno.writeTextFile(`${directory}/.zpm/kb/f.pl`, "f(7).\nf(8).\nf(9).\n");
    await test(`${directory}/.zpm`);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

async function using<T>(
  folder: string,
  use: (memories: ProjectMemories) => Promise<T>,
): Promise<T> {
  const memories = await openMemories({ folder, longLived: true });
  try {
    return await use(memories);
  } finally {
    await memories.close();
  }
}

/** All that a memory shows: clauses with their origins, in order. */
async function state(memories: ProjectMemories): Promise<string> {
  const memory = await memories.memory("default", context);
  const { predicates } = await memory.ask<{ predicates: unknown[] }>({ op: "schema" });
  const goal = "p(X), q(Y), r(Z)";
  const { answers } = await memory.ask<{ answers: unknown[] }>({
    op: "query",
    goal,
    offset: 0,
    limit: 100,
  });
  const why = await memory.ask<{ nodes: unknown[] }>({ op: "explain", fact: "r(9)", max_depth: 9 });
  return JSON.stringify([predicates, answers, why.nodes]);
}

async function story(memories: ProjectMemories): Promise<void> {
  const memory = await memories.memory("default", context);
  const remember = (fact: string) => memory.commit({ op: "remember", fact });
  for (const fact of ["p(1)", "p(2)", "p(1)", "gone(1)", "q(a)", 'q("a")']) await remember(fact);
  await memory.commit({ op: "define_rule", head: "r(N)", body: "f(N)", tabled: true });
  await memory.commit({ op: "forget", fact: "p(1)" });
  await memory.commit({ op: "forget", fact: "gone(1)" });
  await memory.commit({ op: "forget", fact: "f(8)" });
}

Deno.test("a checkpoint keeps clauses, order, ids, what is hidden, tabled and known", async () => {
  await withProject(async (folder) => {
    const before = await using(folder, async (memories) => {
      await story(memories);
      const seen = await state(memories);
      await (await memories.memory("default", context)).snapshots.save("point");
      strictEqual(await state(memories), seen);
      return seen;
    });
    deepStrictEqual(
      [...Deno.readDirSync(`${folder}/data`)].map(({ name }) => name).filter((name) =>
        name.endsWith(".wal")
      ).sort(),
      ["journal-000001.wal", "journal-000002.wal"],
    );
    strictEqual(await using(folder, state), before);
  });
});

Deno.test("a process that did not rotate goes on in the new segment", async () => {
  await withProject(async (folder) => {
    await using(folder, (first) =>
      using(folder, async (second) => {
        await story(first);
        await state(second);
        await (await first.memory("default", context)).snapshots.save("point");
        const other = await second.memory("default", context);
        await other.commit({ op: "remember", fact: "p(3)" });
        strictEqual(await state(first), await state(second));
        const health = await (await first.memory("default", context)).health();
        deepStrictEqual([health.commits, health.checkpoint], [11, 10]);
      }));
  });
});
