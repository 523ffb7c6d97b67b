/** An engine without store and service, for tests of what Prolog does with journal operations. */
import { loadAssets } from "../../src/engine/assets.ts";
import { Engine } from "../../src/engine/engine.ts";
import { readReply } from "../../src/engine/reply.ts";
import type { Operation } from "../../src/store/protocol.ts";

/** The default memory of one engine. */
export interface TestEngine {
  /** Loads a text as a file of `kb`. */
  load(name: string, text: string): Promise<void>;
  apply(seq: number, ops: Operation[]): Promise<void>;
  /** Asks any operation; throws what Prolog reports as a fault. */
  ask(request: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The clauses of a predicate in order, as canonical text without variables' names. */
  column(goal: string): Promise<string[]>;
  stop(): void;
}

/** Boots an engine with an empty default memory. */
export async function testEngine(): Promise<TestEngine> {
  const assets = await loadAssets();
  const engine = new Engine(assets, assets.image);
  const ask = async (request: Record<string, unknown>) =>
    readReply(await engine.ask({ memory: "default", ...request }), "query");
  await ask({ op: "create", mode: "rw" });
  return {
    ask,
    async load(name, text) {
      const path = `/${name}`;
      const bytes = new TextEncoder().encode(text);
      const request = { op: "load", memory: "default", name: `kb/${name}`, path };
      const more = { names: [name], skip: [], announce: false, bad_line: 0 };
      readReply(await engine.ask({ ...request, ...more }, [{ path, bytes }]), "rule");
    },
    async apply(seq, ops) {
      await ask({ op: "apply", commits: [[seq, ops]] });
    },
    async column(goal) {
      const limits = { offset: 0, limit: 10_000, inferences: 10_000_000, answer_bytes: 1e6 };
      const { exact } = await ask({ op: "query", goal, ...limits });
      return (exact as Record<string, string>[]).map((row) => row.X);
    },
    stop: () => engine.stop(),
  };
}
