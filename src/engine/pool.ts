/**
 * The supervisor: a few engines, a queue per client, and the wall clock (DESIGN section 3, ENGINE-NOTES 5.8).
 *
 * Urgent jobs (writes) come first. A job gets one idle engine and gives it back. Past its deadline, or when its caller cancels, the engine is
 * terminated and the job rejects; nothing else stops Prolog. Jobs of one client keep their order, clients
 * take turns. When every engine is busy, one more is booted up to the limit; when even then only one engine
 * is not in a long call, that one runs slices: a job that exceeds its slice while others wait is stopped,
 * and runs again on the next engine that comes free from a long call.
 *
 * The pool knows nothing of memories: `boot` hands it an engine that is ready for work.
 */
import { cancelled, stopped } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { Engine } from "./engine.ts";

export interface Job<T> {
  client: string;
  /** Point in time, as `performance.now()` counts. */
  deadline: number;
  /** For the error: how long the caller was ready to wait. */
  deadline_ms: number;
  signal?: AbortSignal;
  /** Writes run before reads and are never sliced: they hold the journal's lock. */
  urgent?: boolean;
  run(engine: Engine): Promise<T>;
}

/** Why a job's engine was stopped while it ran. */
type Stop = "deadline" | "cancelled" | "slice" | "discarded";

interface Task {
  job: Job<unknown>;
  arrived: number;
  timer?: ReturnType<typeof setTimeout>;
  /** Exceeded a slice once: needs an engine that may be busy for long. */
  long: boolean;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface Running {
  task: Task;
  since: number;
  stop?: Stop;
}

export interface PoolOptions {
  boot(): Promise<Engine>;
  engines: number;
  /** Boots the next engine as soon as a job waits, and not only behind a long one: for many short jobs. */
  eager?: boolean;
  /** How long a spare engine stays without work. */
  idle_ms?: number;
  /** Its engines count among those of others: none is started before somebody asks, none stays for long. */
  shared?: Sharing;
}

/** What a pool tells whoever shares engines out (`budget.ts`). */
export interface Sharing {
  /** The engine has nothing to do. */
  onidle(engine: Engine): void;
  /** Whether an engine that has just done its job must make room. */
  wanted(engine: Engine): boolean;
}

export class Pool {
  readonly #options: PoolOptions;
  readonly #idle: Engine[] = [];
  readonly #busy = new Map<Engine, Running>();
  /** Tasks by client; the map's order is whose turn it is. */
  readonly #queues = new Map<string, Task[]>();
  readonly #urgent: Task[] = [];
  /** Engines of an earlier generation are not used again. */
  readonly #born = new WeakMap<Engine, number>();
  #generation = 0;
  #booting = 0;
  #closed = false;
  #retirement: ReturnType<typeof setTimeout> | undefined;
  #tick: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Runs a job on an engine; rejects with what `run` rejects with, or with the limit that stopped it. */
  run<T>(job: Job<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const task: Task = {
        job: job as Job<unknown>,
        arrived: performance.now(),
        long: false,
        resolve: resolve as (value: unknown) => void,
        reject,
      };
      this.#queue(task).push(task);
      this.#watch(task);
      this.#dispatch();
    });
  }

  /** Boots the first engine before anybody asks. */
  warm(): void {
    if (this.#size() === 0) this.#boot();
  }

  /** Ends an engine that has nothing to do; false when it has. */
  retire(engine: Engine): boolean {
    const place = this.#idle.indexOf(engine);
    if (place < 0) return false;
    this.#idle.splice(place, 1);
    engine.stop("idle");
    return true;
  }

  /** Stops everything; what is under way or waiting rejects. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#retirement);
    clearTimeout(this.#tick);
    for (const queue of this.#allQueues()) {
      for (const task of queue.splice(0)) task.reject(cancelled());
    }
    this.discard();
  }

  /**
   * Throws away every engine, now or when it comes back from an urgent job; other running jobs are run again
   * on fresh ones.
   */
  discard(): void {
    this.#generation++;
    for (const engine of this.#idle.splice(0)) engine.stop("discarded");
    for (const [engine, running] of this.#busy) {
      if (running.task.job.urgent && !this.#closed) continue;
      running.stop ??= this.#closed ? "cancelled" : "discarded";
      engine.stop("discarded");
    }
  }

  #size(): number {
    return this.#idle.length + this.#busy.size + this.#booting;
  }

  /** The deadline counts from arrival, waiting for others included; waiting for an engine to boot is not. */
  #watch(task: Task): void {
    const { job } = task;
    this.#arm(task);
    const abort = () => this.#stop(task, "cancelled");
    job.signal?.addEventListener("abort", abort, { once: true });
    const settle = <V>(settled: (value: V) => void) => (value: V) => {
      clearTimeout(task.timer);
      job.signal?.removeEventListener("abort", abort);
      settled(value);
    };
    task.resolve = settle(task.resolve);
    task.reject = settle(task.reject);
    if (job.signal?.aborted) queueMicrotask(abort);
  }

  #arm(task: Task): void {
    clearTimeout(task.timer);
    if (this.#withoutEngine()) return;
    const left_ms = task.job.deadline - performance.now();
    task.timer = setTimeout(() => this.#stop(task, "deadline"), left_ms);
  }

  #withoutEngine(): boolean {
    return this.#booting > 0 && this.#idle.length + this.#busy.size === 0;
  }

  /** No engine was there between `since` and now: whoever waited gets that time back. */
  #giveBack(since: number): void {
    const now = performance.now();
    for (const task of this.#allQueues().flat()) {
      task.job.deadline += now - Math.max(since, task.arrived);
      this.#arm(task);
    }
  }

  #stop(task: Task, why: Stop): void {
    if (why === "deadline" && this.#withoutEngine()) return;
    for (const [engine, running] of this.#busy) {
      if (running.task !== task) continue;
      running.stop = why;
      engine.stop();
      return;
    }
    const queue = this.#queue(task);
    const place = queue.indexOf(task);
    if (place < 0) return;
    queue.splice(place, 1);
    task.reject(stopError(task, why));
  }

  #dispatch(): void {
    while (this.#idle.length > 0) {
      const task = this.#next();
      if (!task) break;
      const engine = this.#idle.pop()!;
      if (engine.alive) this.#start(engine, task);
      else this.#requeue(task);
    }
    if (this.#waiting() && this.#booting === 0) this.#relieve();
    for (const engine of [...this.#idle]) this.#options.shared?.onidle(engine);
    this.#scheduleRetirement();
  }

  /** Somebody waits and no engine is idle. */
  #relieve(): void {
    const { eager, engines } = this.#options;
    if (this.#size() === 0 || (eager && this.#size() < engines)) return this.#boot();
    const now = performance.now();
    const busy = [...this.#busy.values()];
    const longest = Math.min(...busy.map((running) => running.since));
    if (busy.length === 0) return;
    if (now - longest < limits.slice_ms) return this.#later(limits.slice_ms - (now - longest));
    if (this.#size() < engines) return this.#boot();
    this.#slice(now);
  }

  /** All engines are busy and there will be no more of them: the one that began last must not run long. */
  #slice(now: number): void {
    if (this.#options.engines < 2 || this.#busy.size < 2 || !this.#otherThanLongWaits()) return;
    const sliceable = [...this.#busy].filter(([, { task }]) => !task.long && !task.job.urgent);
    const [engine, running] = sliceable.reduce(
      (latest, entry) => !latest || entry[1].since > latest[1].since ? entry : latest,
      undefined as [Engine, Running] | undefined,
    ) ?? [];
    if (!engine || !running) return;
    const older = [...this.#busy.values()].filter((other) => other !== running);
    const youngest_ms = now - Math.max(...older.map((other) => other.since));
    if (youngest_ms <= limits.slice_ms) return this.#later(limits.slice_ms - youngest_ms);
    const left = limits.slice_ms - (now - running.since);
    if (left > 0) return this.#later(left);
    running.stop = "slice";
    engine.stop();
  }

  /** Looks again when a slice is over. */
  #later(wait_ms: number): void {
    clearTimeout(this.#tick);
    this.#tick = setTimeout(() => this.#dispatch(), wait_ms + 1);
  }

  #queue(task: Task): Task[] {
    if (task.job.urgent) return this.#urgent;
    const queue = this.#queues.get(task.job.client) ?? [];
    this.#queues.set(task.job.client, queue);
    return queue;
  }

  #allQueues(): Task[][] {
    return [this.#urgent, ...this.#queues.values()];
  }

  #waiting(): boolean {
    return this.#allQueues().some((queue) => queue.length > 0);
  }

  #otherThanLongWaits(): boolean {
    return this.#allQueues().some((queue) => queue.some((task) => !task.long));
  }

  /** The next task in turn; a long one only when another engine stays free for the rest. */
  #next(): Task | undefined {
    const urgent = this.#urgent.shift();
    if (urgent) return urgent;
    const young = performance.now() - limits.slice_ms;
    const roomForLong = this.#options.engines < 2 || this.#busy.size === 0 ||
      [...this.#busy.values()].every(({ task, since }) => !task.long && since > young);
    for (const [client, queue] of this.#queues) {
      const place = queue.findIndex((task) => !task.long || roomForLong);
      if (place < 0) continue;
      const [task] = queue.splice(place, 1);
      this.#queues.delete(client);
      if (queue.length > 0) this.#queues.set(client, queue);
      return task;
    }
  }

  #requeue(task: Task): void {
    this.#queue(task).unshift(task);
  }

  #start(engine: Engine, task: Task): void {
    const running: Running = { task, since: performance.now() };
    this.#busy.set(engine, running);
    task.job.run(engine).then(task.resolve, (error) => {
      if ((running.stop === "slice" || running.stop === "discarded") && !this.#closed) {
        task.long ||= running.stop === "slice";
        this.#requeue(task);
      } else task.reject(running.stop ? stopError(task, running.stop) : error);
    }).finally(() => this.#release(engine));
  }

  #release(engine: Engine): void {
    const { shared } = this.#options;
    this.#busy.delete(engine);
    if (this.#closed || this.#born.get(engine) !== this.#generation) engine.stop("discarded");
    else if (engine.grown) engine.stop();
    else if (shared?.wanted(engine)) engine.stop("idle");
    if (engine.alive) this.#idle.push(engine);
    else if (!this.#closed && !shared && this.#size() === 0) this.#boot();
    this.#dispatch();
  }

  #boot(): void {
    this.#booting++;
    const generation = this.#generation;
    const since = performance.now();
    this.#options.boot().then(
      (engine) => {
        this.#born.set(engine, generation);
        if (this.#closed || generation !== this.#generation) return engine.stop("discarded");
        const alone = this.#withoutEngine();
        this.#idle.push(engine);
        if (alone) this.#giveBack(since);
      },
      (error) => {
        for (const queue of this.#allQueues()) {
          for (const task of queue.splice(0)) task.reject(error);
        }
      },
    ).finally(() => {
      this.#booting--;
      if (!this.#closed) this.#dispatch();
    });
  }

  /** A spare engine without work costs memory; one stays, unless they are shared. */
  #scheduleRetirement(): void {
    clearTimeout(this.#retirement);
    const stay = this.#options.shared ? 0 : 1;
    if (this.#idle.length <= stay || this.#closed) return;
    this.#retirement = setTimeout(() => {
      for (const engine of this.#idle.splice(stay)) engine.stop("idle");
    }, this.#options.idle_ms ?? 30_000);
    Deno.unrefTimer(this.#retirement);
  }
}

function stopError(task: Task, why: Stop): Error {
  return why === "cancelled" ? cancelled() : stopped(`time ${task.job.deadline_ms} ms`);
}
