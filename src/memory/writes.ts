/**
 * Rule W (DESIGN section 4): the only way in which anything changes.
 *
 * Requests that wait together are one group: the lock is taken and the log caught up with, each request is
 * planned and applied on one engine so that the next sees it, all are written and made durable with one
 * fsync, the lock is given back, and only then anybody is answered. The engine is held until the group is
 * durable; when the group fails it is thrown away, and the truncated log decides.
 */
import {
  cancelled,
  engineLost,
  type ErrorCode,
  memoryNotMounted,
  notSaved,
  stoppedWriting,
  ZpmError,
} from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { type Engine, EngineLost } from "../engine/engine.ts";
import type { Pool } from "../engine/pool.ts";
import { readReply } from "../engine/reply.ts";
import type { Caught, Commit, Operation, StoreCalls } from "../store/protocol.ts";
import type { CallContext, Request } from "./memory.ts";
import type { MemoryLog } from "./log.ts";
import { undoRequest } from "./past.ts";
import { watched } from "./reads.ts";
import type { Replicas } from "./replicas.ts";
import { rotate } from "./rotation.ts";

/** What a writer is answered when its commit is durable, or kept in memory only; `saved` also when nothing changed. */
export interface Committed {
  reply: Record<string, unknown>;
  saved: boolean;
}

interface Write {
  request: Request;
  context: CallContext;
  /** Point in time, as `performance.now()` counts. */
  deadline: number;
  resolve(committed: Committed): void;
  reject(error: unknown): void;
}

interface Planned {
  write: Write;
  /** Absent when nothing is to change: what leaves no trace in the log takes no number either. */
  commit?: Commit;
  reply: Record<string, unknown>;
}

export interface WriterOptions {
  log: MemoryLog;
  store: StoreCalls;
  pool: Pool;
  replicas: Replicas;
  /** The log was exchanged under us, or its files were edited: everything is read again. */
  reopen(why: "log" | "files"): Promise<void>;
  report?: (line: string) => void;
}

export class Writer {
  readonly #options: WriterOptions;
  readonly #waiting: Write[] = [];
  /** The segment has grown long: rotate when the waiting writes are done. */
  #long = false;
  #running: Promise<void> | undefined;
  /** The memory is not mounted any more, or mounted anew with a writer of its own. */
  #closed = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Queues a write; settles when it is durable or has failed. */
  commit(request: Request, context: CallContext): Promise<Committed> {
    if (this.#closed) return Promise.reject(this.#notMounted());
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + context.deadline_ms;
      this.#waiting.push({ request, context, deadline, resolve, reject });
      this.#running ??= this.#work();
    });
  }

  /**
   * Writes nothing from now on. What waits is refused, and so is what is under way but for an append that the store
   * was told of: its lock goes with the journal, and the next journal of that name is none of its business.
   */
  close(): void {
    this.#closed = true;
    for (const write of this.#waiting.splice(0)) write.reject(this.#notMounted());
  }

  #notMounted(): ZpmError {
    return memoryNotMounted(this.#options.log.name);
  }

  /** Rotates the journal between two groups. */
  async rotate(): Promise<void> {
    this.#long = true;
    this.#running ??= this.#work();
    await this.idle();
  }

  /** Resolves when no write is waiting or under way. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #work(): Promise<void> {
    // What arrives in the same turn belongs into the same group.
    await Promise.resolve();
    while (this.#waiting.length > 0 || this.#long) {
      if (this.#long) await this.#rotate();
      const group = this.#waiting.splice(0, limits.group_commits);
      try {
        if (group.length > 0) await this.#commitGroup(group);
      } catch (error) {
        for (const write of group) write.reject(error);
      }
    }
    // In the same step that found nothing waiting: a write that came in between would wait for ever.
    this.#running = undefined;
  }

  /** A journal that is not rotated is only longer than it need be. */
  async #rotate(): Promise<void> {
    this.#long = false;
    try {
      if (!this.#closed) await rotate({ ...this.#options, closed: () => this.#closed });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.report?.(`The journal of ${this.#options.log.name} was not rotated: ${why}`);
    }
  }

  async #commitGroup(group: Write[]): Promise<void> {
    await this.#lock(group);
    let locked = true;
    try {
      if (this.#closed) throw this.#notMounted();
      const alive = group.filter(stillWanted);
      if (alive.length === 0) return;
      const asked = performance.now();
      await this.#options.pool.run({
        client: "writes",
        urgent: true,
        deadline: performance.now() + limits.deadline_max_ms,
        deadline_ms: limits.deadline_max_ms,
        run: async (engine) => {
          // As for reads, the clock does not count what it takes to boot an engine.
          for (const write of alive) write.deadline += performance.now() - asked;
          const planner = new Planner(this.#options, engine);
          const planned = await planner.planAll(alive);
          const commits = commitsOf(planned);
          if (this.#closed) {
            planner.discard();
            throw this.#notMounted();
          }
          if (commits.length === 0) {
            for (const { write, reply } of planned) write.resolve({ reply, saved: true });
          } else {
            locked = false;
            await this.#append(planned, commits, planner);
          }
          planner.done();
        },
      });
    } finally {
      if (locked && !this.#closed) await this.#options.store.abandon(this.#options.log.name);
    }
  }

  /** Turnstile, lock, catch up. The most patient of the group decides how long to wait. */
  async #lock(group: Write[]): Promise<void> {
    const { store, log } = this.#options;
    const patience_ms = Math.max(...group.map((write) => write.deadline)) - performance.now();
    let caught: Caught = await store.begin(log.name, log.head, Math.max(patience_ms, 1));
    if (caught.replaced) {
      await store.abandon(log.name);
      await this.#options.reopen("log");
      caught = await store.begin(log.name, log.head, Math.max(patience_ms, 1));
      if (caught.replaced) {
        await store.abandon(log.name);
        throw notSaved("the journal is exchanged again and again");
      }
    }
    log.catchUp(caught);
    if (caught.files) await this.#options.reopen("files");
  }

  /** Also those that change nothing are answered only now: they may have seen what the others change. */
  async #append(planned: Planned[], commits: Commit[], planner: Planner): Promise<void> {
    const { store, log } = this.#options;
    try {
      const { saved, long } = await store.append(log.name, commits);
      this.#long ||= long ?? false;
      log.append(commits);
      for (const { write, commit, reply } of planned) {
        if (commit) write.resolve({ reply: { ...reply, commit: commit.seq }, saved });
        else write.resolve({ reply, saved: true });
      }
    } catch (error) {
      planner.discard();
      const worded = error instanceof ZpmError ? error : notSaved(String(error));
      for (const { write } of planned) write.reject(worded);
    }
  }
}

/** Errors that are found before anything is touched; after any other one the engine is not used again. */
const LEAVES_NOTHING: ErrorCode[] = [
  "input",
  "syntax",
  "not_allowed",
  "not_found",
  "memory_missing",
];

/** Plans the requests of one group, on another engine when one is lost on the way. */
class Planner {
  readonly #options: WriterOptions;
  readonly #given: Engine;
  #engine: Engine;
  /** An error left something behind that is harmless but not in the log. */
  #retire = false;

  constructor(options: WriterOptions, engine: Engine) {
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
        write.reject(error);
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
    const { replicas, log, store } = this.#options;
    const seq = (commitsOf(planned).at(-1)?.seq ?? log.head) + 1;
    const engine = this.#engine;
    const request = write.request.op === "undo"
      ? await undoRequest(write.request, { log, store, planned: commitsOf(planned) })
      : write.request;
    const timer = setTimeout(() => engine.stop(), write.deadline - performance.now());
    try {
      const plan = { op: "plan", memory: log.name, seq, request, announce };
      const answer = await watched(engine, write.context, () => engine.ask(plan));
      const { ops, reply } = readReply(answer, "rule") as {
        ops: Operation[];
        reply: Record<string, unknown>;
      };
      if (ops.length === 0) return { write, reply };
      replicas.applied(engine, log, seq);
      const { by } = write.context;
      return { write, commit: { seq, at: new Date().toISOString(), by, ops }, reply };
    } catch (error) {
      // The transaction took everything back but perhaps an empty predicate, which only this engine has.
      this.#retire ||= !(error instanceof ZpmError && LEAVES_NOTHING.includes(error.code));
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

function commitsOf(planned: Planned[]): Commit[] {
  return planned.flatMap(({ commit }) => commit ?? []);
}

/** Looked at again before anything is written: nobody is told "failed" and then finds the write done. */
function stillWanted(write: Write): boolean {
  if (write.context.signal?.aborted) write.reject(cancelled());
  else if (performance.now() > write.deadline) {
    write.reject(stoppedWriting(`time ${write.context.deadline_ms} ms`));
  } else return true;
  return false;
}
