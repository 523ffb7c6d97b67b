/**
 * Terms as nobody types them, made and compared by Prolog (`fixtures/prolog/terms.pl`): what zpm prints, it takes,
 * keeps over restarts and snapshots, and prints again. ZPM_SEED and ZPM_TERMS choose others and more.
 */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "./support/transcript_program.ts";
import { inWorld, type World } from "./support/world.ts";

const SEED = Number(Deno.env.get("ZPM_SEED") ?? 1);
const COUNT = Number(Deno.env.get("ZPM_TERMS") ?? 400);

Deno.test(`${COUNT} terms of seed ${SEED} come back the same from journal and snapshot`, async () => {
  const rules = await Deno.readTextFile(join(ROOT, "fixtures/prolog/terms.pl"));
  await inWorld({ ".zpm/kb/terms.pl": rules }, async (world) => {
    const facts = await printed(world, `wanted(${SEED}, 1, ${COUNT}, Fact)`);
    strictEqual(facts.length, COUNT);
    await keep(world, facts);
    await same(world, facts);
    await world.restart();
    await same(world, facts);
    await succeed(world, "save_snapshot", { name: "all" });
    await succeed(world, "clear_context", { category: "t(_, _)" });
    strictEqual((await printed(world, "t(_, Fact)")).length, 0);
    await succeed(world, "restore_snapshot", { name: "all" });
    await same(world, facts);
    await world.restart();
    await same(world, facts);
  });
});

/** What a goal prints of its variable Fact, as Prolog text. */
async function printed(world: World, goal: string): Promise<string[]> {
  const { structure } = await succeed(world, "query_logic", { goal, limit: 10_000 });
  strictEqual(structure.truncated, false);
  return (structure.exact as { Fact: string }[]).map(({ Fact }) => Fact);
}

/** Stores the facts, a part of them through each tool that takes any. */
async function keep(world: World, facts: string[]): Promise<void> {
  const third = Math.floor(facts.length / 3);
  for (const fact of facts.slice(0, third)) await succeed(world, "remember_fact", { fact });
  await succeed(world, "remember_facts", { facts: facts.slice(third, 2 * third) });
  const text = facts.slice(2 * third).map((fact) => `${fact} .\n`).join("");
  await succeed(world, "load_knowledge", { text });
}

/** Every term is the one that was made, and is printed as it was. */
async function same(world: World, facts: string[]): Promise<void> {
  const wrong = `wrong(${SEED}, ${COUNT}, Number, Stored)`;
  const { structure } = await succeed(world, "query_logic", { goal: wrong });
  deepStrictEqual(structure.exact, []);
  deepStrictEqual(await printed(world, "Fact = t(_, _), Fact"), facts);
}

async function succeed(world: World, tool: string, input: Record<string, unknown>) {
  const result = await world.call(tool, input);
  strictEqual(result.isError, false, `${JSON.stringify(input).slice(0, 2_000)}\n${result.texts}`);
  return result;
}
