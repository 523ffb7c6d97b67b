/**
 * Engines that many projects share, bounded in number (SPEC 3.3: one server, many forks).
 *
 * Each project has a pool of its own, so nobody waits behind another one's call; a pool starts an engine when somebody
 * asks, and gets it when there is room. There is room when the engine that nobody has used for longest ends, or, when
 * all are busy, when one that was lent for long comes back. Who waits is served in order.
 */
import { limits } from "../base/limits.ts";
import type { Engine } from "./engine.ts";
import { Pool, type PoolOptions } from "./pool.ts";

interface Held {
  pool: Pool;
  /** When it was started, as `performance.now()` counts. */
  since: number;
}

export interface EngineCounts {
  running: number;
  started: number;
  /** Ended while they were wanted: killed, past a deadline, damaged, or grown too big. */
  lost: number;
  /** Starts that wait for room. */
  waiting: number;
}

/** Why an engine ends that is only not needed any more. */
const UNUSED = ["idle", "discarded"];

export class EngineBudget {
  readonly #engines: number;
  /** The one that was used longest ago first. */
  readonly #held = new Map<Engine, Held>();
  readonly #waiting: (() => void)[] = [];
  #taken = 0;
  #started = 0;
  #lost = 0;

  constructor(engines: number) {
    this.#engines = engines;
  }

  get counts(): EngineCounts {
    const waiting = this.#waiting.length;
    return { running: this.#held.size, started: this.#started, lost: this.#lost, waiting };
  }

  /** A pool whose engines count. */
  pool({ boot, engines }: Pick<PoolOptions, "boot" | "engines">): Pool {
    const pool: Pool = new Pool({
      engines,
      boot: () => this.#start(pool, boot),
      idle_ms: limits.fork_idle_ms,
      shared: {
        onidle: (engine) => this.#idle(engine),
        wanted: (engine) => this.#wanted(engine),
      },
    });
    return pool;
  }

  async #start(pool: Pool, boot: () => Promise<Engine>): Promise<Engine> {
    await this.#room();
    try {
      const engine = await boot();
      this.#started++;
      this.#held.set(engine, { pool, since: performance.now() });
      engine.ended.then(({ message }) => {
        this.#held.delete(engine);
        if (!UNUSED.includes(message)) this.#lost++;
        this.#giveRoom();
      });
      return engine;
    } catch (error) {
      this.#giveRoom();
      throw error;
    }
  }

  async #room(): Promise<void> {
    if (this.#taken < this.#engines) {
      this.#taken++;
      return;
    }
    const turn = Promise.withResolvers<void>();
    this.#waiting.push(turn.resolve);
    this.#makeRoom();
    await turn.promise;
  }

  /** The room goes to whoever waits; it is never free in between. */
  #giveRoom(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken--;
  }

  #makeRoom(): void {
    for (const [engine, { pool }] of this.#held) {
      if (pool.retire(engine)) return;
    }
  }

  #idle(engine: Engine): void {
    const held = this.#held.get(engine);
    if (!held) return;
    this.#held.delete(engine);
    this.#held.set(engine, held);
    if (this.#waiting.length > 0) this.#makeRoom();
  }

  /** Its project has had it for long, and others wait for room. */
  #wanted(engine: Engine): boolean {
    const held = this.#held.get(engine);
    const long = held !== undefined && performance.now() - held.since > limits.engine_turn_ms;
    return long && this.#waiting.length > 0;
  }
}
