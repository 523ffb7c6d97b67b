/** Real engines for the tests of the boundary: booted from the image or cold, asked as the memory layer asks. */
import { type Assets, loadAssets } from "../../src/engine/assets.ts";
import { Engine } from "../../src/engine/engine.ts";
import { readReply } from "../../src/engine/reply.ts";
import { ZpmError } from "../../src/base/errors.ts";

let loaded: Promise<Assets> | undefined;

/** The engine's files, read once. */
export function assets(): Promise<Assets> {
  return loaded ??= loadAssets();
}

/** An engine with an empty memory `default`, that the caller stops. */
export async function bootEngine(how: "image" | "cold" = "image"): Promise<Engine> {
  const engine = await bareEngine(how);
  await engine.ask({ op: "create", memory: "default", mode: "rw" });
  return engine;
}

/** An engine without any memory. */
export async function bareEngine(how: "image" | "cold" = "image"): Promise<Engine> {
  const files = await assets();
  if (!files.image) throw new Error("there is no current image: run 'deno task image'");
  const engine = new Engine(files, how === "image" ? files.image : undefined);
  await engine.ready();
  return engine;
}

/** Runs a test on an engine of its own. */
export async function withEngine(test: (engine: Engine) => Promise<void>): Promise<void> {
  const engine = await bootEngine();
  try {
    await test(engine);
  } finally {
    engine.stop();
  }
}

/** A question with the limits of a usual call. */
export function query(goal: string): Record<string, unknown> {
  return {
    op: "query",
    memory: "default",
    goal,
    offset: 0,
    limit: 100,
    explicit_limit: false,
    inferences: 50_000_000,
    answer_bytes: 16_384,
  };
}

/** The answers as JSON text, or the message of the error. */
export async function answers(engine: Engine, goal: string): Promise<string> {
  try {
    return JSON.stringify(readReply(await engine.ask(query(goal)), "query").answers);
  } catch (error) {
    if (error instanceof ZpmError) return error.message;
    throw error;
  }
}
