/** Engines without Prolog, for the tests of the pool: a job decides itself how long it runs. */
import { type Engine, EngineLost } from "../../src/engine/engine.ts";
import { type Job, Pool, type PoolOptions } from "../../src/engine/pool.ts";

/** What the pool sees of an engine, and what the test may do to it. */
export class FakeEngine {
  alive = true;
  grown = false;
  readonly #stopped = Promise.withResolvers<never>();

  constructor(readonly number: number) {
    this.#stopped.promise.catch(() => {});
  }

  stop(): void {
    this.alive = false;
    this.#stopped.reject(new EngineLost("stopped", "stopped"));
  }

  /** What was asked of it by light jobs, the first of which it is at. */
  readonly #asked: { ms: number; done: PromiseWithResolvers<void> }[] = [];

  /** Works after what it was asked before, as an engine does that has several requests. */
  async ask(ms: number): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#asked.push({ ms, done });
    if (this.#asked.length === 1) this.#work();
    await Promise.race([done.promise, this.#stopped.promise]);
  }

  /** With how many of those it has begun: more than one while answers are on their way. */
  begun = 1;

  takeBack(): number {
    for (const { done } of this.#asked.splice(this.begun).reverse()) {
      done.reject(new EngineLost("unasked", "unasked"));
    }
    return this.#asked.length;
  }

  async #work(): Promise<void> {
    for (let first; (first = this.#asked[0]);) {
      const stopped = await this.work(first.ms).then(() => false, () => true);
      if (stopped) return;
      this.#asked.shift();
      first.done.resolve();
    }
  }

  /** Works for a while, or until it is stopped. */
  async work(ms: number): Promise<void> {
    if (ms === 0) return await Promise.race([undefined, this.#stopped.promise]);
    const done = Promise.withResolvers<void>();
    const timer = setTimeout(done.resolve, ms);
    try {
      await Promise.race([done.promise, this.#stopped.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

export interface FakePool {
  pool: Pool;
  engines: FakeEngine[];
  /** The engines that are still there. */
  alive(): number;
  /** Runs a job that works so long; resolves with its name. */
  run(name: string, ms: number, options?: Partial<Job<string>> & { ms?: number }): Promise<string>;
  /** Names of the jobs in the order in which they were begun, those that began again included. */
  begun: string[];
  /** Names in the order in which they were done. */
  done: string[];
}

export function fakePool(options: Partial<PoolOptions> & { boot_ms?: number } = {}): FakePool {
  const engines: FakeEngine[] = [];
  const begun: string[] = [];
  const done: string[] = [];
  const pool = new Pool({
    engines: 2,
    async boot() {
      await new Promise((resolve) => setTimeout(resolve, options.boot_ms ?? 1));
      const engine = new FakeEngine(engines.length + 1);
      engines.push(engine);
      return engine as unknown as Engine;
    },
    ...options,
  });
  return {
    pool,
    engines,
    begun,
    done,
    alive: () => engines.filter((engine) => engine.alive).length,
    async run(name, ms, job = {}) {
      const deadline_ms = job.deadline_ms ?? 10_000;
      return await pool.run({
        client: "client",
        deadline: performance.now() + deadline_ms,
        deadline_ms,
        async run(engine) {
          begun.push(name);
          const fake = engine as unknown as FakeEngine;
          await (job.light ? fake.ask(ms) : fake.work(ms));
          done.push(name);
          return name;
        },
        ...job,
      });
    },
  };
}
