/** Engines without Prolog, for the tests of the pool: a job decides itself how long it runs. */
import { type Engine, EngineLost } from "../../src/engine/engine.ts";
import { type Job, Pool, type PoolOptions } from "../../src/engine/pool.ts";

/** What the pool sees of an engine, and what the test may do to it. */
export class FakeEngine {
  alive = true;
  hasGrown = false;
  readonly #stopped = Promise.withResolvers<never>();

  constructor(readonly number: number) {
    this.#stopped.promise.catch(() => {});
  }

  get grown(): boolean {
    return this.hasGrown;
  }

  stop(): void {
    this.alive = false;
    this.#stopped.reject(new EngineLost("stopped", "stopped"));
  }

  /** Works for a while, or until it is stopped. */
  async work(ms: number): Promise<void> {
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
          await (engine as unknown as FakeEngine).work(ms);
          done.push(name);
          return name;
        },
        ...job,
      });
    },
  };
}
