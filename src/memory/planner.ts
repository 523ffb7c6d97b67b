/**
 * Plans the writes of one group on one engine, each so that it sees those before it; on another engine when one is
 * lost on the way. Nothing is told to anybody here: whether a plan stands is known only under the lock.
 */
import { cancelled, engineLost, type ErrorCode, stoppedWriting, ZpmError } from "../base/errors.ts";
import { type Engine, EngineLost } from "../engine/engine.ts";
import { readAttached, readReply } from "../engine/reply.ts";
import type { Commit, Operation, StoreCalls } from "../store/protocol.ts";
import type { MemoryLog } from "./log.ts";
import type { CallContext, Request } from "./memory.ts";
import { undoRequest } from "./past.ts";
import { inferencesOf, watched } from "./reads.ts";
import type { Replicas } from "./replicas.ts";

/** What a writer is answered when its commit is durable, or kept in memory only; `saved` also when nothing changed. */
export interface Committed {
  reply: Record<string, unknown>;
  saved: boolean;
}

export interface Write {
  request: Request;
  context: CallContext;
  /** Point in time, as `performance.now()` counts. */
  deadline: number;
  resolve(committed: Committed): void;
  reject(error: unknown): void;
}

/** What became of a write: a change, nothing to change, or an error. */
export interface Planned {
  write: Write;
  /** Absent when nothing is to change: what leaves no trace in the log takes no number either. */
  commit?: Commit;
  reply: Record<string, unknown>;
  error?: unknown;
}

export interface PlannerOptions {
  log: MemoryLog;
  store: StoreCalls;
  replicas: Replicas;
}

/** Errors that are found before anything is touched; after any other one the engine is not used again. */
const LEAVES_NOTHING: ErrorCode[] = [
  "input",
  "syntax",
  "not_allowed",
  "not_found",
  "memory_missing",
];

export class Planner {
  readonly #options: PlannerOptions;
  readonly #given: Engine;
  #engine: Engine;
  /** An error left something behind that is harmless but not in the log. */
  #retire = false;

  constructor(options: PlannerOptions, engine: Engine) {
    this.#options = options;
    this.#given = this.#engine = engine;
  }

  async planAll(writes: Write[]): Promise<Planned[]> {
    await this.#options.replicas.bring(this.#engine);
    const planned: Planned[] = [];
    for (const write of writes) {
      if (!stillWanted(write)) continue;
      try {
        planned.push(await this.#planWithRetry(write, planned));
      } catch (error) {
        planned.push({ write, reply: {}, error });
      }
    }
    return planned;
  }

  /** Throws the engine away: what it holds is not in the log. */
  discard(): void {
    this.#engine.stop();
    this.#given.stop();
  }

  /** The pool keeps the engine that it lent, when that is still good. */
  done(): void {
    if (this.#engine !== this.#given || this.#retire) this.discard();
  }

  /**
   * A killed engine is replaced and the request planned once more, since another one may be the cause; this
   * time the engine announces the clauses of a long text, so that the last one can be named.
   */
  async #planWithRetry(write: Write, planned: Planned[]): Promise<Planned> {
    try {
      return await this.#plan(write, planned);
    } catch (error) {
      if (!(error instanceof EngineLost)) throw error;
      await this.#replace(planned);
      if (error.why === "stopped") throw stoppedWriting(`time ${write.context.deadline_ms} ms`);
    }
    try {
      return await this.#plan(write, planned, true);
    } catch (error) {
      if (!(error instanceof EngineLost)) throw error;
      await this.#replace(planned);
      throw error.why === "stopped"
        ? stoppedWriting(`time ${write.context.deadline_ms} ms`)
        : engineLost(error.announced);
    }
  }

  async #replace(planned: Planned[]): Promise<void> {
    const { replicas, log } = this.#options;
    this.#engine = await replicas.build();
    await replicas.apply(this.#engine, log, commitsOf(planned));
  }

  async #plan(write: Write, planned: Planned[], announce = false): Promise<Planned> {
    const { replicas, log } = this.#options;
    const seq = (commitsOf(planned).at(-1)?.seq ?? log.head) + 1;
    const engine = this.#engine;
    const timer = setTimeout(() => engine.stop(), write.deadline - performance.now());
    try {
      const { request, said } = await this.#prepared(write, planned);
      const plan = { op: "plan", memory: log.name, seq, request, announce };
      const answer = await watched(engine, write.context, () => engine.ask(plan));
      const { ops, reply: told } = readReply(answer, "rule") as {
        ops: Operation[];
        reply: Record<string, unknown>;
      };
      const reply = { ...said, ...told };
      if (ops.length === 0) return { write, reply };
      replicas.applied(engine, log, seq);
      const { by, who, call } = write.context;
      const caller = { ...(who !== undefined && { who }), ...(call !== undefined && { call }) };
      const commit = { seq, at: new Date().toISOString(), by, ...caller, ops };
      return { write, commit, reply };
    } catch (error) {
      // The transaction took everything back but perhaps an empty predicate, which only this engine has.
      this.#retire ||= !(error instanceof ZpmError && LEAVES_NOTHING.includes(error.code));
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** What is planned, and what is said already, for writes that take a step before their plan. */
  async #prepared(write: Write, planned: Planned[]): Promise<Prepared> {
    const { log, store } = this.#options;
    const { request, context } = write;
    switch (request.op) {
      case "undo":
        return {
          request: await undoRequest(request, {
            log,
            store,
            planned: commitsOf(planned),
            who: write.context.who,
          }),
        };
      case "documented_change": {
        // The goal of a user is tried and taken back; the engine keeps what it would have changed.
        const engine = this.#engine;
        const trial = { memory: log.name, inferences: inferencesOf(context), ...request };
        const reply = await watched(engine, context, () => engine.ask(trial));
        const { keys, attached } = readAttached(reply, "query");
        return { request: { op: "kept_effects" }, said: { ...keys, attached } };
      }
      default:
        return { request };
    }
  }
}

interface Prepared {
  request: Request;
  said?: Record<string, unknown>;
}

export function commitsOf(planned: Planned[]): Commit[] {
  return planned.flatMap(({ commit }) => commit ?? []);
}

/** Looked at again before anything is written: nobody is told "failed" and then finds the write done. */
export function stillWanted(write: Write): boolean {
  if (write.context.signal?.aborted) write.reject(cancelled());
  else if (performance.now() > write.deadline) {
    write.reject(stoppedWriting(`time ${write.context.deadline_ms} ms`));
  } else return true;
  return false;
}
