/**
 * Every example that a tool is declared with says what it promises, and the same over lines, over HTTP and on the command
 * line; after every tool that writes, a restart gives an equal memory. Both come from the registry: a new tool is in, and
 * one that writes must show here that it does.
 */
import assert from "node:assert/strict";
import { limits } from "../src/base/limits.ts";
import type { Memories } from "../src/memory/memory.ts";
import { invoke } from "../src/tools/invoke.ts";
import { findTool, tools } from "../src/tools/registry.ts";
import { inputSchema } from "../src/tools/schema.ts";
import type { Tool } from "../src/tools/tool.ts";
import {
  type Call,
  inProject,
  onTheCommandLine,
  onTheCommandLineAsJson,
  overHttp,
  overStdio,
  type Project,
  type Way,
} from "./support/faces.ts";
import type { Result } from "./support/world.ts";

const human = remember("human(socrates)");
const mortal: Call = { name: "define_rule", input: { head: "mortal(X)", body: "human(X)" } };
const server = remember('server(alpha, "1.0")');
const assumed: Call = {
  name: "assume_fact",
  input: { fact: "available(server_a)", assumption: "infra_healthy" },
};
const created: Call = { name: "create_memory", input: { name: "feature_auth" } };
const mounted: Call = { name: "mount_memory", input: { name: "feature_auth" } };
const saved: Call = { name: "save_snapshot", input: { name: "before_refactor" } };

/** What the examples find; of the tools that are not named, this. */
const usual = [human, server, mortal];

const before: Record<string, Call[]> = {
  remember_fact: [],
  define_rule: [human],
  trace_dependency: [
    load("edge(a, b). edge(b, c). path(X, Y) :- edge(X, Y)."),
    load(
      "path(X, Z) :- edge(X, Y), path(Y, Z).",
    ),
  ],
  verify_consistency: [load("risky(deploy_v3). integrity_violation(X) :- risky(X).")],
  clear_context: [load("project(alpha, 1). project(beta, 1). project(beta, 2).")],
  upsert_fact: [remember("deploy(prod, v1)")],
  get_belief_status: [assumed],
  get_justification: [assumed],
  list_assumptions: [assumed],
  retract_assumption: [assumed],
  retract_assumptions: [assumed],
  restore_snapshot: [human, saved, mortal],
  list_snapshots: [human, saved],
  mount_memory: [created],
  unmount_memory: [created, mounted],
  list_memories: [created],
};

/** Where the examples of a tool that writes only show what it would do. */
const forReal: Record<string, Call> = {
  rename_predicate: {
    name: "rename_predicate",
    input: { old_functor: "human", new_functor: "person" },
  },
  undo: { name: "undo", input: { count: 2 } },
};

/** The first is what the others are held against. */
const ways: Way[] = [overStdio, overHttp, onTheCommandLine, onTheCommandLineAsJson];

for (const tool of tools) {
  Deno.test(`${tool.name}: its examples, on every face`, async () => {
    const calls = [
      ...tool.examples.map(({ input }) => ({ name: tool.name, input })),
      ...further(tool),
    ];
    const found = await onEveryFace(tool, calls);
    const [expected] = found.values();
    for (const [index, { says }] of tool.examples.entries()) {
      assert.equal(expected[index].isError, false, says);
      assert.equal(expected[index].texts[0], says);
    }
    for (const [way, shown] of found) {
      for (const [index, result] of shown.entries()) {
        assert.deepEqual(seenBy(way, result), seenBy(way, expected[index]), way.name);
      }
    }
  });
}

/** Calls beyond the examples: for real, and without what is required. */
function further(tool: Tool): Call[] {
  const refused = inputSchema(tool).required?.length ? [{ name: tool.name, input: {} }] : [];
  return [...refused, ...(forReal[tool.name] ? [forReal[tool.name]] : [])];
}

/** One project serves all faces of a tool that reads; whoever writes has one for each. */
async function onEveryFace(tool: Tool, calls: Call[]): Promise<Map<Way, Result[]>> {
  const found = new Map<Way, Result[]>();
  const groups = tool.effect === "read" ? [ways] : ways.map((way) => [way]);
  for (const group of groups) {
    await inProject(async (project) => {
      await prepare(tool, project);
      for (const way of group) found.set(way, await results(way, project, calls));
    });
  }
  return found;
}

async function prepare(tool: Tool, { memories }: Project): Promise<void> {
  for (const one of before[tool.name] ?? usual) await done(memories, one);
}

async function results(way: Way, project: Project, calls: Call[]): Promise<Result[]> {
  const found: Result[] = [];
  await way(project, async ({ call }) => {
    for (const one of calls) found.push(await call(one));
  });
  return found;
}

/** The command line shows the texts or the structure. */
function seenBy(way: Way, { texts, structure, isError }: Result) {
  if (way === onTheCommandLine) return { text: texts.join("\n"), isError };
  if (way === onTheCommandLineAsJson) return { structure, isError };
  return { texts, structure, isError };
}

for (const tool of tools.filter(({ effect }) => effect === "write")) {
  Deno.test(`${tool.name}: a restart gives an equal memory`, async () => {
    let written = "";
    await inProject(async (project) => {
      await prepare(tool, project);
      const unwritten = await state(project.memories);
      const example = { name: tool.name, input: tool.examples[0].input };
      await done(project.memories, forReal[tool.name] ?? example);
      written = await state(project.memories);
      assert.notEqual(written, unwritten, "it wrote nothing");
    }, async ({ memories }) => assert.equal(await state(memories), written));
  });
}

const context = { by: "test", client: "test", deadline_ms: limits.deadline_ms };

async function done(memories: Memories, { name, input }: Call): Promise<Record<string, unknown>> {
  const by = { ...context, by: name };
  const { isError, texts, structure } = await invoke(findTool(name)!, input, memories, by);
  assert.equal(isError, false, `${name}: ${texts.join("\n")}`);
  return structure;
}

/** All that there is to see: of every mounted memory its clauses in order, its beliefs, its past, its snapshots. */
async function state(memories: Memories): Promise<string> {
  const listed = await done(memories, { name: "list_memories", input: {} });
  const shown: unknown[] = [listed, await done(memories, { name: "get_kb_overview", input: {} })];
  for (const { name, mounted } of listed.memories as { name: string; mounted: boolean }[]) {
    if (!mounted) continue;
    const memory = await memories.memory(name, context);
    const { text } = await memory.ask<{ text: string }>({ op: "source" });
    shown.push(name, text);
    for (const tool of ["get_knowledge_schema", "list_assumptions", "history", "list_snapshots"]) {
      shown.push(await done(memories, { name: tool, input: { memory: name } }));
    }
  }
  return JSON.stringify(shown, null, 1);
}

function remember(fact: string): Call {
  return { name: "remember_fact", input: { fact } };
}

function load(text: string): Call {
  return { name: "load_knowledge", input: { text } };
}
