/** The memory layer as service.ts puts it together, with real engines, over a store that a test controls. */
import { limits } from "../../src/base/limits.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { Pool } from "../../src/engine/pool.ts";
import { MemoryLog } from "../../src/memory/log.ts";
import type { CallContext } from "../../src/memory/memory.ts";
import { read } from "../../src/memory/reads.ts";
import { Replicas } from "../../src/memory/replicas.ts";
import { Writer } from "../../src/memory/writes.ts";
import type { Commit } from "../../src/store/protocol.ts";
import { assets, query } from "./engines.ts";
import { FakeStore } from "./fake_store.ts";

export interface Rig {
  store: FakeStore;
  /** Engines in the order in which they were built. */
  engines: Engine[];
  /** Remembers a fact; resolves with its commit's number. */
  remember(fact: string, context?: Partial<CallContext>): Promise<number>;
  define(head: string, body: string): Promise<number>;
  forget(fact: string): Promise<number>;
  /** The answers of a goal, at the head, as JSON text. */
  ask(goal: string): Promise<string>;
  /** The memory is not mounted any more. */
  unmount(): void;
  /** What another process writes: into the log, past this one. */
  elsewhere(...texts: string[]): void;
}

/** Runs a test with a memory of its own. `onBuild` may change an engine before it is used. */
export async function withMemory(
  test: (rig: Rig) => Promise<void>,
  onBuild: (engine: Engine, number: number) => void = () => {},
): Promise<void> {
  const store = new FakeStore();
  const engines: Engine[] = [];
  const log = new MemoryLog("default", { scope: "project", mode: "rw" }, await store.open());
  const replicas = new Replicas({ assets: await assets(), keepImage: true }, [log]);
  const pool = new Pool({
    engines: 2,
    async boot() {
      const engine = await replicas.build();
      engines.push(engine);
      onBuild(engine, engines.length);
      return engine;
    },
  });
  const reopen = async () => {
    log.reset(await store.open());
    replicas.reset([log]);
    pool.discard();
  };
  const writer = new Writer({ log, store, pool, replicas, reopen });
  const commit = async (request: Record<string, string | boolean> & { op: string }, context = {}) =>
    (await writer.commit(request, { ...usual, ...context })).reply.commit as number;
  try {
    await test({
      store,
      engines,
      remember: (fact, context) => commit({ op: "remember", fact }, context),
      define: (head, body) => commit({ op: "define_rule", head, body, tabled: false }),
      forget: (fact) => commit({ op: "forget", fact }),
      async ask(goal) {
        const caught = await store.since("default", log.head);
        if (caught.replaced) await reopen();
        else log.absorb(caught.commits);
        const { inferences: _, answer_bytes: __, ...request } = query(goal);
        const options = { memory: "default", pool, replicas };
        const reply = await read(options, request as never, usual, performance.now());
        return JSON.stringify(reply.answers);
      },
      unmount: () => writer.close(),
      elsewhere(...texts) {
        store.log.push(...texts.map((text, index): Commit => ({
          seq: store.log.length + index + 1,
          at: "2026-01-01T00:00:00.000Z",
          by: "remember_fact",
          ops: [["+", text]],
        })));
      },
    });
  } finally {
    await writer.idle();
    pool.close();
  }
}

const usual: CallContext = {
  by: "remember_fact",
  client: "test",
  deadline_ms: limits.deadline_ms,
};
