/**
 * Rule W (DESIGN section 4): the only way in which anything changes.
 *
 * Requests that wait together are one group: the lock is taken and the log caught up with, each request is
 * planned and applied on one engine (`planner.ts`), all are written and made durable with one fsync, the lock is
 * given back, and only then anybody is answered. The engine is held until the group is
 * durable; when the group fails it is thrown away, and the truncated log decides.
 */
import { memoryNotMounted, notSaved, ZpmError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { within } from "../base/waiting.ts";
import type { Engine } from "../engine/engine.ts";
import type { Pool } from "../engine/pool.ts";
import type { Caught, Commit, StoreCalls } from "../store/protocol.ts";
import type { MemoryLog } from "./log.ts";
import type { CallContext, Request } from "./memory.ts";
import {
  commitsOf,
  type Committed,
  type Planned,
  Planner,
  stillWanted,
  type Write,
} from "./planner.ts";
import type { Replicas } from "./replicas.ts";
import { rotate } from "./rotation.ts";

export type { Committed };

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
  /** The lock was asked for, and no append will give it back. */
  #locked = false;
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
    const { store, log } = this.#options;
    const begun = this.#begin(group);
    begun.catch(() => {}); // told where it is waited for
    this.#locked = true;
    try {
      if (this.#mayPlanAhead(group) && await this.#planAhead(group, begun)) return;
      await this.#caughtUp(group, await begun);
      await this.#onEngine(group, async (planner, alive) => {
        await this.#settle(await planner.planAll(alive), planner);
      });
    } finally {
      if (this.#locked && !this.#closed) await begun.then(() => store.abandon(log.name), () => {});
    }
  }

  /** Turnstile, lock, catch up. The most patient of the group decides how long to wait. */
  #begin(group: Write[]): Promise<Caught> {
    const { store, log } = this.#options;
    const patience_ms = Math.max(...group.map((write) => write.deadline)) - performance.now();
    return store.begin(log.name, log.head, Math.max(patience_ms, 1));
  }

  async #caughtUp(group: Write[], caught: Caught): Promise<void> {
    const { store, log } = this.#options;
    if (caught.replaced) {
      await store.abandon(log.name);
      await this.#options.reopen("log");
      caught = await this.#begin(group);
      if (caught.replaced) {
        await store.abandon(log.name);
        throw notSaved("the journal is exchanged again and again");
      }
    }
    log.catchUp(caught);
    if (caught.files) await this.#options.reopen("files");
  }

  /** Taking an undo's commits from the journal is work for the store, which has the lock to get. */
  #mayPlanAhead(group: Write[]): boolean {
    const alone = performance.now() - this.#options.log.foreign_at > limits.alone_ms;
    return alone && !this.#closed && group.every(({ request }) => request.op !== "undo");
  }

  /**
   * Plans while the lock is on its way: a millisecond less for whoever is the only one that writes. When it turns out
   * that somebody else has written, or that files have changed, nothing of it was told or written, and all is done
   * once more; then false. The same when the lock is long in coming: whoever waits for it keeps no engine from others.
   */
  async #planAhead(group: Write[], begun: Promise<Caught>): Promise<boolean> {
    const { log } = this.#options;
    const stood = await this.#onEngine(group, async (planner, alive) => {
      const { resets } = log;
      const planned = await planner.planAll(alive);
      const caught = await within(limits.lock_soon_ms, begun).catch((error) => {
        planner.discard();
        throw error;
      });
      const same = caught && !caught.replaced && !caught.files && caught.commits.length === 0;
      if (same && log.resets === resets && planned.every(({ write }) => stillWanted(write))) {
        log.catchUp(caught);
        await this.#settle(planned, planner);
        return true;
      }
      if (!caught) log.foreign_at = performance.now(); // somebody has the lock
      if (commitsOf(planned).length > 0) planner.discard();
      return false;
    });
    return stood === true;
  }

  async #onEngine<T>(
    group: Write[],
    plan: (planner: Planner, alive: Write[]) => Promise<T>,
  ): Promise<T | undefined> {
    if (this.#closed) throw this.#notMounted();
    const alive = group.filter(stillWanted);
    if (alive.length === 0) return undefined;
    const asked = performance.now();
    return await this.#options.pool.run({
      client: "writes",
      urgent: true,
      deadline: performance.now() + limits.deadline_max_ms,
      deadline_ms: limits.deadline_max_ms,
      run: async (engine: Engine) => {
        // As for reads, the clock does not count what it takes to boot an engine.
        for (const write of alive) write.deadline += performance.now() - asked;
        const planner = new Planner(this.#options, engine);
        const done = await plan(planner, alive);
        planner.done();
        return done;
      },
    });
  }

  /** The lock is held. Also those that change nothing are answered only now: they may have seen what others change. */
  async #settle(planned: Planned[], planner: Planner): Promise<void> {
    if (this.#closed) {
      planner.discard();
      throw this.#notMounted();
    }
    const commits = commitsOf(planned);
    try {
      const saved = commits.length === 0 || await this.#append(commits);
      for (const { write, commit, reply, error } of planned) {
        if (error) write.reject(error);
        else if (commit) write.resolve({ reply: { ...reply, commit: commit.seq }, saved });
        else write.resolve({ reply, saved: true });
      }
    } catch (error) {
      planner.discard();
      const worded = error instanceof ZpmError ? error : notSaved(String(error));
      for (const { write, error } of planned) write.reject(error ?? worded);
    }
  }

  async #append(commits: Commit[]): Promise<boolean> {
    const { store, log } = this.#options;
    this.#locked = false;
    const { saved, long } = await store.append(log.name, commits);
    this.#long ||= long ?? false;
    log.append(commits);
    return saved;
  }
}
