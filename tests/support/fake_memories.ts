/**
 * A memory without an engine, for the tests of the faces: facts are texts in a list, and a few goals stand
 * for what an engine can do to a caller (take long, throw, answer much).
 */
import { memoryNotMounted, ZpmError } from "../../src/base/errors.ts";
import type {
  CallContext,
  Change,
  Memories,
  Memory,
  MemoryEntry,
  Plain,
  Reply,
  Request,
} from "../../src/memory/memory.ts";
import type { Health } from "../../src/store/protocol.ts";

export interface FakeMemories extends Memories {
  /** Everything that was asked or committed, with its context. */
  calls: { request: Request; context: CallContext }[];
  facts: string[];
  /** Tells whoever watches of a change. */
  tell(change: Change): void;
}

export function fakeMemories(options: { delay_ms?: number } = {}): FakeMemories {
  const calls: FakeMemories["calls"] = [];
  const facts: string[] = [];
  const listeners = new Set<(change: Change) => void>();
  const tell = (change: Change) => listeners.forEach((listener) => listener(change));
  return {
    calls,
    facts,
    tell,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async memory(name, context) {
      await sleep(options.delay_ms ?? 0);
      if (name !== "default") throw memoryNotMounted(name);
      const changed = () => tell({ memory: name });
      const seen = (request: Request) => calls.push({ request, context });
      return fakeMemory({ name, facts, context, seen, changed });
    },
  };
}

interface Fake {
  name: string;
  facts: string[];
  context: CallContext;
  seen(request: Request): void;
  changed(): void;
}

function fakeMemory({ name, facts, context, seen, changed }: Fake): Memory {
  return {
    name,
    async ask<Body>(request: Request): Promise<Reply<Body>> {
      seen(request);
      return await answer(request, facts, context) as Reply<Body>;
    },
    async commit<Body>(request: Request): Promise<Reply<Body & { commit: number }>> {
      seen(request);
      const reply = await change(request, facts) as Reply<Body & { commit: number }>;
      changed();
      return reply;
    },
    health: () => Promise.resolve(health),
    list: () => Promise.resolve(entries),
    snapshots: {
      list: () => Promise.resolve([{ name: "before", at: "", clauses: 1, file: "before.pl" }]),
      save: (snapshot) => Promise.resolve({ file: `kb/${snapshot}.pl`, clauses: 1 }),
      read: () => Promise.resolve(""),
      remove: () => Promise.resolve(),
    },
    other: () => Promise.reject(memoryNotMounted("other")),
    create: () => Promise.resolve(),
    delete: () => Promise.resolve(),
  };
}

const entries: MemoryEntry[] = [
  { name: "default", scope: "project", mounted: true, mode: "rw" },
  { name: "feature_auth", scope: "project", mounted: false, mode: null },
];

const health: Health = {
  status: "active",
  dir: "/srv/zpm",
  journal_bytes: 1024,
  commits: 3,
  unread: 0,
  problems: [],
};

/** No answers. */
const nothing = { answers: [], exact: [], truncated: false };

/** Nobody uses the predicate. */
const nowhere = {
  memory: "default",
  rules: [],
  direct_facts_count: 0,
  facts_referenced_in_assumptions: [],
  cross_memory_refs: [],
  defined_by: [],
  truncated: false,
};

function previewed({ op }: Request) {
  if (op === "undo") return { undone: [1], changes: ["- human(socrates)"], count: 1 };
  return {
    renamed_facts: 1,
    rewritten_rule_bodies: 0,
    affected_rule_ids: [],
    cross_memory_impact: { rewritten: [], warnings: [], skipped_readonly: [] },
    is_error: false,
    elsewhere: [],
  };
}

async function answer(request: Request, facts: string[], context: CallContext): Promise<unknown> {
  if (request.op === "schema") return { predicates: [], total: 0 };
  if (request.op === "source") return { text: facts.map((fact) => `${fact}.\n`).join("") };
  if (request.op === "source_size") return { bytes: 0 };
  if (request.op === "history") return { commits: [], truncated: false };
  if (request.op === "preview") return previewed(request.request as Request);
  if (request.op === "references") return { ...nowhere, target: request.functor };
  if (request.op === "why_not") {
    return { fact: request.fact, holds: true, failures: [], truncated: false };
  }
  if (request.op === "what_if") return { ...nothing, added: 1, removed: [], removed_count: 0 };
  if (request.op === "overview") {
    return { predicates: [], total: 0, assumptions: [], assumptions_total: 0, truncated: false };
  }
  if (request.op === "trace") return { nodes: ["b", "c"], truncated: false };
  if (request.op === "consistency") return { violations: [], faults: [], truncated: false };
  if (request.op === "belief") return believed;
  if (request.op === "justification") return { facts };
  if (request.op === "assumptions") return { assumptions: ["infra_healthy"] };
  if (request.op === "explain") return explained(String(request.fact), facts);
  const [word, argument] = String(request.goal).split(" ");
  switch (word) {
    case "slow":
      await sleep(Number(argument), context.signal);
      return rows(["slept"]);
    case "deaf":
      await sleep(Number(argument));
      return rows(["slept"]);
    case "crash":
      throw new TypeError("something in zpm is wrong");
    case "stopped":
      throw new ZpmError("limit", "Stopped: inferences", "Ask for less", {
        partial: { answers: [{ X: 1 }] },
      });
    case "unreadable":
      throw new ZpmError("syntax", "Cannot read the goal: odd", "Mend it", {
        at: { line: 2, column: 7 },
      });
    case "float":
      return rows([rawJson("1.0")]);
    case "many":
      return rows(Array.from({ length: Number(argument) }, (_, index) => `row number ${index}`));
    case "cut":
      return { ...rows([1]), truncated: true, next_offset: 1, output: "hello" };
    case "unknown":
      return { ...rows([]), unknown: ["parnet/2"], warnings: ["Unknown predicate: parnet/2"] };
    default:
      return rows(facts);
  }
}

const believed = {
  status: "in",
  justifications: ["infra_healthy"],
  environments: [["infra_healthy"]],
  falls_with: ["infra_healthy"],
  depends_on_absence: false,
  source: "interactive",
};

function rows(values: unknown[]) {
  return {
    answers: values.map((X) => ({ X })),
    exact: values.map((X) => ({ X: String(JSON.stringify(X)) })),
    truncated: false,
  };
}

function explained(fact: string, facts: string[]) {
  if (!facts.includes(fact)) return { fact, proven: false, nodes: [] };
  const node = { goal: fact, rule_applied: "fact" };
  return {
    fact,
    proven: true,
    nodes: [{ id: 0, parent: null, ...node, source: "commit 1" }],
  };
}

async function change(request: Request, facts: string[]): Promise<unknown> {
  const fact = String(request.fact ?? "");
  if (fact.startsWith("slow ")) await sleep(Number(fact.slice(5)));
  if (request.op === "define_rule") {
    return { rule: `${request.head} :- ${request.body}`, commit: facts.length };
  }
  if (request.op === "forget") return { fact, removed: [fact], commit: facts.length };
  if (request.op === "remember_all") {
    return { stored: 2, duplicates: 0, facts: request.facts, commit: facts.length };
  }
  if (request.op === "load_text") {
    return { clauses: 2, facts: 1, rules: 1, duplicates: 0, commit: facts.length };
  }
  if (request.op === "clear") return { pattern: request.category, count: 0, removed: [] };
  if (request.op === "update") {
    const { old_fact, new_fact } = request;
    return { old_fact, new_fact, removed: [old_fact], commit: facts.length };
  }
  if (request.op === "upsert") return { fact, replaced: 0, removed: [], commit: facts.length };
  if (request.op === "assume") {
    return { fact, assumption: request.assumption, commit: facts.length };
  }
  if (request.op === "retract_assumption") {
    return { assumptions: [request.assumption], count: 0, removed: [], commit: facts.length };
  }
  if (request.op === "retract_assumptions") {
    return { pattern: request.pattern, assumptions: [], count: 0, removed: [] };
  }
  const duplicate = facts.includes(fact);
  facts.push(fact);
  return { fact, commit: facts.length, duplicate };
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const done = Promise.withResolvers<void>();
  const timer = setTimeout(done.resolve, ms);
  signal?.addEventListener("abort", () => done.reject(signal.reason), { once: true });
  try {
    await done.promise;
  } finally {
    clearTimeout(timer);
  }
}

/** A number that keeps its text, as the engine hands it over. */
export function rawJson(text: string): Plain {
  return (JSON as unknown as { rawJSON(text: string): Plain }).rawJSON(text);
}
