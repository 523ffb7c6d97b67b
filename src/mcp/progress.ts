/** How far a call is, for a client that asked to hear it. */
import type { ServerContext } from "@modelcontextprotocol/server";

/**
 * What to call with the number of answers found; undefined when the client did not ask. The progress itself is the
 * time that has passed, for that grows also while nothing is found, as the protocol wants it to.
 */
export function progressOf(
  { _meta, notify, signal }: ServerContext["mcpReq"],
): ((found: number) => void) | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  const started = performance.now();
  return (found) => {
    if (signal.aborted) return;
    const progress = Math.round(performance.now() - started) / 1_000;
    const message = found === 0 ? "Running" : `Running, ${found} found so far`;
    const params = { progressToken, progress, message };
    notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
