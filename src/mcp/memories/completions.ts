/**
 * Completion of names: memories, predicates, assumptions and snapshots. A client asks about a variable of a
 * resource's template, an argument of a prompt, or, by the same kind of reference, an argument of a tool.
 */
import type { CompleteResult } from "@modelcontextprotocol/server";
import { limits } from "../../base/limits.ts";
import { completed, NO_CANDIDATES } from "../completed.ts";
import type { CallContext, Memories, ReadMemory } from "../../memory/memory.ts";

export interface Completion {
  /** The name of a prompt or tool; absent for a template. */
  of?: string;
  argument: { name: string; value: string };
  /** What was filled in already. */
  given: Record<string, string>;
}

type Find = (memory: ReadMemory, completion: Completion) => Promise<string[]>;

const mounted: Find = async (memory) =>
  (await memory.list()).filter((entry) => entry.mounted).map(({ name }) => name);

const unmounted: Find = async (memory) =>
  (await memory.list()).filter((entry) => !entry.mounted).map(({ name }) => name);

const snapshots: Find = async (memory) => (await memory.snapshots.list()).map(({ name }) => name);

const functors: Find = async (memory) => (await predicates(memory)).map(({ name }) => name);

const arities: Find = async (memory, { given: { functor } }) =>
  (await predicates(memory)).filter(({ name }) => functor === undefined || name === functor)
    .map(({ arity }) => String(arity));

const assumptions: Find = async (memory) => {
  const request = { op: "overview", sample_size: 0, bytes: limits.prompt_bytes };
  return (await memory.ask<{ assumptions: string[] }>(request)).assumptions;
};

async function predicates(memory: ReadMemory): Promise<{ name: string; arity: number }[]> {
  type Schema = { predicates: { name: string; arity: number }[] };
  return (await memory.ask<Schema>({ op: "schema" })).predicates;
}

/** By the name of the argument, whatever it is an argument of. */
const finders: Record<string, Find> = {
  memory: mounted,
  functor: functors,
  old_functor: functors,
  predicate: functors,
  arity: arities,
  assumption: assumptions,
  snapshot: snapshots,
};

/** `name` means something else for each. */
const nameFinders: Record<string, Find> = {
  template: mounted,
  save_snapshot: snapshots,
  restore_snapshot: snapshots,
  mount_memory: unmounted,
  unmount_memory: mounted,
};

export async function complete(
  completion: Completion,
  memories: Memories,
  context: CallContext,
): Promise<CompleteResult> {
  const { of = "template", argument, given } = completion;
  const find = argument.name === "name" ? nameFinders[of] : finders[argument.name];
  if (!find) return completed(NO_CANDIDATES, argument.value);
  const about = of === "template" ? given.name : given.memory;
  const memory = await memories.memory(about || "default", context);
  const values = (await find(memory, completion)).sort();
  return completed({ values, truncated: false }, argument.value);
}
