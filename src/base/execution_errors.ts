/**
 * Words for what is not the caller's fault and stops a whole tool: no engine, no store. The reference has sentences of its
 * own for some tools; what really happened is the hint then. The first page is `errors.ts`.
 */
import { ZpmError } from "./errors.ts";

/** No engine boots, not even without an image. */
export function engineUnavailable(reason: string): ZpmError {
  return new EngineUnavailable(reason);
}

class EngineUnavailable extends ZpmError {
  constructor(reason: string) {
    super(
      "engine_lost",
      `The engine does not start: ${reason}`,
      "Nothing was changed; free some memory or install zpm again, then run 'zpm doctor'",
    );
  }
}

export function withoutEngine(error: unknown, sentence: string): unknown {
  if (!(error instanceof EngineUnavailable)) return error;
  return new ZpmError("execution_failed", sentence, `${error.message}. ${error.hint}`);
}

/** What the store's worker met is told by its own words: a folder that cannot be read, a worker that is gone. */
export function withoutStore(error: unknown): unknown {
  if (error instanceof ZpmError && error.code !== "bug") return error;
  const why = error instanceof Error ? error.message : String(error);
  return new ZpmError("execution_failed", "ExecutionFailed", `${why}. 'zpm doctor' tells more`);
}
