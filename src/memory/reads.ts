/**
 * Rule R (DESIGN section 4): a question is asked at the head of the log, under the clock.
 *
 * Nothing but its end stops a running engine, and what the goal had found goes with it. Reads can be repeated,
 * so after the clock has stopped a query, another engine is asked for exactly as many answers as there were:
 * they come as fast as they came before, and the caller gets them with the error (SPEC 1.1).
 */
import { engineLost, stopped, ZpmError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { type Engine, EngineLost } from "../engine/engine.ts";
import type { Pool } from "../engine/pool.ts";
import { readAttached } from "../engine/reply.ts";
import type { CallContext, Request } from "./memory.ts";
import type { Replicas } from "./replicas.ts";

export interface ReaderOptions {
  memory: string;
  pool: Pool;
  /** Brings an engine to the point at which it is asked. */
  replicas: Pick<Replicas, "bring">;
}

interface Progress {
  answers: number;
  last_ms: number;
}

/** Asks one question; `arrived` is when the call came, since waiting for the log counts too. */
export async function read(
  options: ReaderOptions,
  request: Request,
  context: CallContext,
  arrived: number,
): Promise<Record<string, unknown>> {
  let progress: Progress | undefined;
  const complete = {
    memory: options.memory,
    inferences: inferencesOf(context),
    answer_bytes: request.explicit_limit ? limits.answer_max_bytes : limits.answer_bytes,
    max_nodes: limits.proof_nodes,
    ...request,
  };
  try {
    const deadline = arrived + context.deadline_ms;
    return await run(options, complete, context, deadline, (engine) => progress = engine.progress);
  } catch (error) {
    const again = progress && timedOut(error) && { ...progress };
    if (!again || again.answers === 0) throw error;
    throw stopped(
      `time ${context.deadline_ms} ms`,
      await recovered(options, complete, context, again),
    );
  }
}

/** How many inferences a goal may take. */
export function inferencesOf({ deadline_ms }: CallContext): number {
  return Math.min(deadline_ms * limits.inferences_per_ms, limits.inferences_max);
}

function timedOut(error: unknown): boolean {
  return error instanceof ZpmError && error.code === "limit";
}

/** The answers that were there when the clock stopped the goal; nothing when they cannot be had again in time. */
async function recovered(
  options: ReaderOptions,
  request: Request,
  context: CallContext,
  { answers, last_ms }: Progress,
): Promise<Record<string, unknown> | undefined> {
  if (last_ms > limits.recovery_ms / 2) return undefined;
  const patient = { ...context, deadline_ms: limits.recovery_ms };
  try {
    const limit = Math.min(answers, Number(request.limit));
    const deadline = performance.now() + limits.recovery_ms;
    return await run(options, { ...request, limit, exactly: true }, patient, deadline, () => {});
  } catch (error) {
    if (error instanceof ZpmError) return undefined;
    throw error;
  }
}

async function run(
  options: ReaderOptions,
  request: Request,
  context: CallContext,
  deadline: number,
  lost: (engine: Engine) => void,
): Promise<Record<string, unknown>> {
  const reply = await options.pool.run({
    client: context.client,
    deadline,
    deadline_ms: context.deadline_ms,
    signal: context.signal,
    run: async (engine) => {
      await bring(options.replicas, engine);
      try {
        return await watched(engine, context, () => engine.ask(request));
      } catch (error) {
        lost(engine);
        throw error instanceof EngineLost && error.why === "died" ? engineLost() : error;
      }
    },
  });
  const { keys, attached } = readAttached(reply, "query");
  return attached === undefined ? keys : { ...keys, attached };
}

/** Runs something on an engine, and tells the caller now and then how far it is. */
export async function watched<T>(
  engine: Engine,
  { progress }: CallContext,
  work: () => Promise<T>,
): Promise<T> {
  if (!progress) return await work();
  const timer = setInterval(() => progress(engine.progress.answers), limits.progress_ms);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** An engine that cannot follow the log is dropped; the next one is built from it. */
async function bring(replicas: ReaderOptions["replicas"], engine: Engine): Promise<void> {
  try {
    await replicas.bring(engine);
  } catch (error) {
    engine.stop();
    throw error instanceof EngineLost && error.why === "stopped" ? error : engineLost();
  }
}
