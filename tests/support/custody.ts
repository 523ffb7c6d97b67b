/** Calls of principals under custody: real forks, real tools, authority and audit in memory. */
import type { Principal } from "../../src/authority/principal.ts";
import { Custody, type Receipt } from "../../src/custody/custody.ts";
import type { CallContext, Memories, Memory } from "../../src/memory/memory.ts";
import { invoke, type ToolResult } from "../../src/tools/invoke.ts";
import { findTool } from "../../src/tools/registry.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { FakeAudit, FakeAuthority } from "./fake_authority.ts";
import { type ForkRig, withForks } from "./forks.ts";

export interface When {
  /** Runs between the permit and the tool. */
  before?: () => unknown;
  /** Runs at the moment of the write, under the authority's lock. */
  within?: () => void;
  signal?: AbortSignal;
}

export interface CustodyRig {
  custody: Custody;
  authority: FakeAuthority;
  audit: FakeAudit;
  folder: string;
  principal(name: string): Principal;
  call(
    who: string,
    tool: string,
    args: Record<string, unknown>,
    when?: When,
  ): Promise<{ result: ToolResult; receipt: Receipt }>;
  /** The audit, a line each. */
  records(): string[];
  /** The commits in a fork's journal. */
  journal(fork: string): Promise<Record<string, unknown>[]>;
  /** The values of X, past custody. */
  ask(fork: string, goal: string): Promise<string[]>;
}

/** For ann and bob, each with a fork of that name, and cleo and dan, who share one, over a base with p(1) and p(2). */
export async function withCustody(test: (rig: CustodyRig) => Promise<void>): Promise<void> {
  await withForks({}, async (forks) => {
    await test(rigOf(forks));
  });
}

export function toolNamed(name: string): Tool {
  const tool = findTool(name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
}

export function contextOf(by: string, signal?: AbortSignal): CallContext {
  return { by, client: "test", deadline_ms: 10_000, signal };
}

function rigOf({ forks, ask, folder }: ForkRig): CustodyRig {
  const shared = ["cleo", "dan"].map((name) => principalNamed(name, "team"));
  const authority = new FakeAuthority([principalNamed("ann"), principalNamed("bob"), ...shared]);
  const audit = new FakeAudit();
  let within: When["within"];
  const hooked = (memories: Memories): Memories => ({
    memory: async (name, context) =>
      onCommit(await memories.memory(name, context), () => within?.()),
  });
  const custody = new Custody({
    audit,
    authority,
    forks: { memories: async (fork) => hooked(await forks.memories(fork)) },
  });
  const principal = (name: string) => authority.principals.get(name)!;
  return {
    custody,
    authority,
    audit,
    folder,
    principal,
    async call(who, verb, args, when = {}) {
      within = when.within;
      const work = async (memories: Memories) => {
        await when.before?.();
        return await invoke(toolNamed(verb), args, memories, contextOf(verb, when.signal));
      };
      const judge = ({ isError, structure }: ToolResult) =>
        isError ? { code: codeIn(structure) } : {};
      return await custody.run({ principal: principal(who), verb, args }, work, judge);
    },
    records: () => audit.records.map(lineOf),
    async journal(fork) {
      const text = await Deno.readTextFile(`${folder}/durable/${fork}/data/journal-000001.wal`);
      return text.trim().split("\n").map((line) => JSON.parse(line));
    },
    ask: (fork, goal) => ask({ id: fork, lifecycle: "durable" }, goal),
  };
}

function principalNamed(name: string, fork_id = name): Principal {
  return { name, token_sha256: name, fork_id, lifecycle: "durable" };
}

function codeIn({ error }: Record<string, unknown>): string {
  return (error as { code: string }).code;
}

function lineOf(record: FakeAudit["records"][number]): string {
  switch (record.kind) {
    case "attempt":
      return `attempt ${record.of.verb} by ${record.of.principal}`;
    case "completion": {
      const { outcome, code, commit } = record.of;
      return ["completion", outcome, code, commit].filter((word) => word !== undefined).join(" ");
    }
    case "denial":
      return `denial ${record.of.reason}`;
    case "resolution":
      return `resolution ${record.of.outcome}`;
  }
}

function onCommit(memory: Memory, hook: () => void): Memory {
  return {
    ...memory,
    commit: async (request) => {
      hook();
      return await memory.commit(request);
    },
  };
}
