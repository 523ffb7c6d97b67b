/**
 * The supervisor: a few engines, a queue per client, and the wall clock (DESIGN section 3, ENGINE-NOTES 5.8).
 *
 * Urgent jobs (writes) come first. A job gets one idle engine and gives it back. Past its deadline, or when its caller
 * cancels, the engine is terminated and the job rejects; nothing else stops Prolog. Jobs of one client keep their
 * order, clients take turns. When every engine is busy, one more is booted up to the limit; when even then only one
 * engine is not in a long call, that one runs slices: a job that exceeds its slice while others wait is stopped, and
 * runs again on the next engine that comes free from a long call.
 *
 * Light jobs may wait at an engine that is busy with another one, while jobs are short: an engine that has the next
 * request already needs not be woken. As soon as the one in front takes longer, those behind it are taken back.
 *
 * The pool knows nothing of memories: `boot` hands it an engine that is ready for work.
 */
import { cancelled, stopped } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { Alarm } from "./alarm.ts";
import { type Engine, EngineLost } from "./engine.ts";
import { Lanes } from "./lanes.ts";
import { Queues } from "./queues.ts";

export interface Job<T> {
  client: string;
  /** Point in time, as `performance.now()` counts. */
  deadline: number;
  /** For the error: how long the caller was ready to wait. */
  deadline_ms: number;
  signal?: Signal;
  /** Writes run before reads and are never sliced: they hold the journal's lock. */
  urgent?: boolean;
  /** May wait at an engine that is busy: it makes one request, at once, and may be made again. */
  light?: boolean;
  run(engine: Engine): Promise<T>;
}

/** A function when a signal costs something to make: then it is made only for a job that lasts. */
export type Signal = AbortSignal | (() => AbortSignal);

/** Why a job's engine was stopped while it ran. */
type Stop = "deadline" | "cancelled" | "slice" | "discarded";

interface Task {
  job: Job<unknown>;
  client: string;
  urgent: boolean;
  arrived: number;
  deadline: number;
  /** Exceeded a slice once: needs an engine that may be busy for long. */
  long: boolean;
  /** Is made when the task has lasted. */
  signal?: () => AbortSignal;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A task that was given to an engine. */
interface Running {
  task: Task;
  light: boolean;
  /** When it came to the front, and the engine began with it. */
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
  readonly #lanes = new Lanes<Engine, Running>();
  readonly #waiting = new Queues<Task>();
  /** Engines of an earlier generation are not used again. */
  readonly #born = new WeakMap<Engine, number>();
  readonly #alarm = new Alarm(() => this.#look());
  #generation = 0;
  #booting = 0;
  #closed = false;
  #used = 0;
  #retirement: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Runs a job on an engine; rejects with what `run` rejects with, or with the limit that stopped it. */
  run<T>(job: Job<T>): Promise<T> {
    if (this.#closed) return Promise.reject(cancelled());
    return new Promise<T>((resolve, reject) => {
      const task: Task = {
        job: job as Job<unknown>,
        client: job.client,
        urgent: job.urgent ?? false,
        arrived: performance.now(),
        deadline: job.deadline,
        long: false,
        resolve: resolve as (value: unknown) => void,
        reject,
      };
      this.#waiting.add(task);
      if (typeof job.signal === "function") {
        task.signal = job.signal;
        this.#alarm.by(task.arrived + limits.light_ms);
      } else if (job.signal) this.#heed(task, job.signal);
      if (!this.#withoutEngine()) this.#alarm.by(task.deadline);
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
    this.#alarm.off();
    for (const task of this.#waiting.clear()) task.reject(cancelled());
    this.discard();
  }

  /**
   * Throws away every engine, now or when it comes back from an urgent job; other running jobs are run again
   * on fresh ones.
   */
  discard(): void {
    this.#generation++;
    for (const engine of this.#idle.splice(0)) engine.stop("discarded");
    for (const [engine, lane] of this.#lanes) {
      if (lane[0].task.urgent && !this.#closed) continue;
      for (const running of lane) running.stop ??= this.#closed ? "cancelled" : "discarded";
      engine.stop("discarded");
    }
  }

  #size(): number {
    return this.#idle.length + this.#lanes.size + this.#booting;
  }

  #heed(task: Task, signal: AbortSignal): void {
    const abort = () => this.#stop(task, "cancelled");
    signal.addEventListener("abort", abort, { once: true });
    const { resolve, reject } = task;
    const settle = <V>(settled: (value: V) => void) => (value: V) => {
      signal.removeEventListener("abort", abort);
      settled(value);
    };
    task.resolve = settle(resolve);
    task.reject = settle(reject);
    if (signal.aborted) queueMicrotask(abort);
  }

  #withoutEngine(): boolean {
    return this.#booting > 0 && this.#idle.length + this.#lanes.size === 0;
  }

  /** No engine was there between `since` and now: whoever waited gets that time back. */
  #giveBack(since: number): void {
    const now = performance.now();
    for (const task of this.#waiting) {
      task.deadline += now - Math.max(since, task.arrived);
      this.#alarm.by(task.deadline);
    }
  }

  *#tasks(): Iterable<Task> {
    yield* this.#waiting;
    for (const [, lane] of this.#lanes) for (const { task } of lane) yield task;
  }

  /** The alarm rang. A deadline counts from arrival, waiting for others included, but not for an engine to boot. */
  #look(): void {
    const now = performance.now();
    const counts = !this.#withoutEngine();
    for (const task of [...this.#tasks()]) {
      this.#lasts(task, now);
      if (!counts) continue;
      if (task.deadline <= now) this.#stop(task, "deadline");
      else this.#alarm.by(task.deadline);
    }
    for (const [engine, lane] of this.#lanes) {
      if (lane.length < 2) continue;
      if (now - lane[0].since < limits.light_ms) this.#alarm.by(lane[0].since + limits.light_ms);
      else engine.takeBack();
    }
    this.#dispatch();
  }

  #lasts(task: Task, now: number): void {
    const { signal, arrived } = task;
    if (!signal) return;
    if (now - arrived < limits.light_ms) return this.#alarm.by(arrived + limits.light_ms);
    task.signal = undefined;
    this.#heed(task, signal());
  }

  #stop(task: Task, why: Stop): void {
    for (const [engine, lane] of this.#lanes) {
      const place = lane.findIndex((running) => running.task === task);
      if (place < 0) continue;
      lane[place].stop = why;
      // One that the engine has not begun with costs no engine.
      if (lane.length === 1 || place < engine.takeBack()) engine.stop();
      return;
    }
    if (this.#waiting.remove(task)) task.reject(stopError(task, why));
  }

  #dispatch(): void {
    while (this.#idle.length > 0) {
      const task = this.#next();
      if (!task) break;
      const engine = this.#idle.pop()!;
      if (engine.alive) this.#start(engine, task);
      else this.#waiting.putBack(task);
    }
    this.#lineUp();
    if (this.#booting === 0 && (this.#waiting.size > 0 || this.#lanes.queued)) this.#relieve();
    for (const engine of [...this.#idle]) this.#options.shared?.onidle(engine);
    if (this.#waiting.size === 0 && this.#lanes.size === 0) this.#alarm.off();
    this.#scheduleRetirement();
  }

  /** Light jobs go to the engine that has the fewest, until it is the turn of one that needs an engine for itself. */
  #lineUp(): void {
    while (this.#waiting.size > 0 && this.#waiting.peek(this.#fits())?.job.light) {
      const young = performance.now() - limits.light_ms;
      const engine = this.#lanes.least((engine, [{ light, since }]) =>
        light && since > young && engine.alive && this.#current(engine)
      );
      if (!engine) return;
      this.#start(engine, this.#next()!);
      this.#alarm.by(this.#lanes.front(engine)!.since + limits.light_ms);
    }
  }

  /** Somebody waits and no engine is idle. */
  #relieve(): void {
    const { eager, engines } = this.#options;
    if (this.#size() === 0 || (eager && this.#size() < engines)) return this.#boot();
    if (this.#waiting.size === 0) return;
    const now = performance.now();
    const busy = [...this.#lanes.fronts()];
    const longest = Math.min(...busy.map((running) => running.since));
    if (busy.length === 0) return;
    if (now - longest < limits.slice_ms) return this.#later(limits.slice_ms - (now - longest));
    if (this.#size() < engines) return this.#boot();
    this.#slice(now);
  }

  /** All engines are busy and there will be no more of them: the one that began last must not run long. */
  #slice(now: number): void {
    if (this.#options.engines < 2 || this.#lanes.size < 2) return;
    if (![...this.#waiting].some((task) => !task.long)) return;
    const fronts = [...this.#lanes].map(([engine, [front]]) => ({ engine, front }));
    const sliceable = fronts.filter(({ front: { task } }) => !task.long && !task.urgent);
    if (sliceable.length === 0) return;
    const latest = sliceable.reduce((a, b) => a.front.since >= b.front.since ? a : b);
    const older = fronts.filter(({ front }) => front !== latest.front);
    const youngest_ms = now - Math.max(...older.map(({ front }) => front.since));
    if (youngest_ms <= limits.slice_ms) return this.#later(limits.slice_ms - youngest_ms);
    const left = limits.slice_ms - (now - latest.front.since);
    if (left > 0) return this.#later(left);
    latest.front.stop = "slice";
    latest.engine.stop();
  }

  /** Looks again when a slice is over. */
  #later(wait_ms: number): void {
    this.#alarm.by(performance.now() + wait_ms + 1);
  }

  #next(): Task | undefined {
    return this.#waiting.next(this.#fits());
  }

  /** Whether it may be a task's turn: a long one only when another engine stays free for the rest. */
  #fits(): (task: Task) => boolean {
    const young = performance.now() - limits.slice_ms;
    const roomForLong = this.#options.engines < 2 ||
      this.#lanes.fronts().every(({ task, since }) => !task.long && since > young);
    return (task) => !task.long || roomForLong;
  }

  #start(engine: Engine, task: Task): void {
    this.#used = performance.now();
    const running: Running = { task, light: task.job.light === true, since: this.#used };
    this.#lanes.add(engine, running);
    task.job.run(engine).then(task.resolve, (error) => this.#failed(running, error))
      .finally(() => this.#release(engine, running));
  }

  #failed(running: Running, error: unknown): void {
    const { task, light, stop } = running;
    // Another one's end was that of its engine, too.
    const beside = !stop && error instanceof EngineLost &&
      (error.why === "unasked" || (light && error.why === "stopped"));
    const again = stop === "slice" || stop === "discarded" || beside;
    if (again && !this.#closed) {
      task.long ||= stop === "slice";
      this.#waiting.putBack(task);
    } else task.reject(stop ? stopError(task, stop) : again ? cancelled() : error);
  }

  #current(engine: Engine): boolean {
    return this.#born.get(engine) === this.#generation && !engine.grown;
  }

  #release(engine: Engine, running: Running): void {
    const { shared } = this.#options;
    if (this.#lanes.remove(engine, running)) return this.#dispatch();
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
        for (const task of this.#waiting.clear()) task.reject(error);
      },
    ).finally(() => {
      this.#booting--;
      if (!this.#closed) this.#dispatch();
    });
  }

  /** A spare engine without work costs memory; one stays, unless they are shared. */
  #scheduleRetirement(): void {
    const stay = this.#options.shared ? 0 : 1;
    if (this.#retirement !== undefined || this.#idle.length <= stay || this.#closed) return;
    const quiet_ms = this.#options.idle_ms ?? 30_000;
    this.#retirement = setTimeout(() => {
      this.#retirement = undefined;
      const quiet = performance.now() - this.#used >= quiet_ms;
      if (quiet) { for (const engine of this.#idle.splice(stay)) engine.stop("idle"); }
      else this.#scheduleRetirement();
    }, quiet_ms);
    Deno.unrefTimer(this.#retirement);
  }
}

export function signalOf(signal?: Signal): AbortSignal | undefined {
  return typeof signal === "function" ? signal() : signal;
}

function stopError(task: Task, why: Stop): Error {
  return why === "cancelled" ? cancelled() : stopped(`time ${task.job.deadline_ms} ms`);
}
