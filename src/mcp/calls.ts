/** The tool calls that run, each with the means to stop it without losing its reply. */
import { shuttingDown, type ZpmError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";

interface Call {
  effect: "read" | "write";
  controller: AbortController;
}

export class Calls {
  readonly #running = new Set<Call>();
  #idle = Promise.withResolvers<void>();

  /** Settles when no call runs, answered or not: a cancelled write is still waited for. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await this.#idle.promise;
  }

  /** Runs a call with a signal of its own, which the client's cancellation aborts as well. */
  async run<Result>(
    effect: Call["effect"],
    cancelled: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const call = { effect, controller: new AbortController() };
    const cancel = () => call.controller.abort(cancelled.reason);
    if (cancelled.aborted) cancel();
    cancelled.addEventListener("abort", cancel, { once: true });
    this.#running.add(call);
    try {
      return await work(call.controller.signal);
    } finally {
      this.#running.delete(call);
      this.#idle.resolve();
      this.#idle = Promise.withResolvers<void>();
      cancelled.removeEventListener("abort", cancel);
    }
  }

  /**
   * Waits for the end of what runs, reads for `limits.drain_ms`, and of what else must be finished. A write ends
   * by its own deadline; the limit on that wait only keeps a fault of ours from keeping the process.
   */
  async drain(others: Promise<unknown> = Promise.resolve()): Promise<void> {
    const patience = Promise.withResolvers<void>();
    const timers = [
      setTimeout(() => this.stopReads(shuttingDown()), limits.drain_ms),
      setTimeout(patience.resolve, limits.deadline_max_ms + limits.drain_ms),
    ];
    await Promise.race([Promise.all([others, this.idle()]), patience.promise]);
    for (const timer of timers) clearTimeout(timer);
  }

  /** Stops the reads; writes go on, for only they know whether they are on disk. */
  stopReads(reason: ZpmError): void {
    for (const { effect, controller } of this.#running) {
      if (effect === "read") controller.abort(reason);
    }
  }
}
