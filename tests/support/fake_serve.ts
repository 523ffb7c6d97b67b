/** A server over this process's own streams, with a memory that has no engine. */
import { ZpmError } from "../../src/base/errors.ts";
import { MemoryOffer } from "../../src/mcp/memories/offer.ts";
import { serve } from "../../src/mcp/serve.ts";
import { tools } from "../../src/tools/registry.ts";
import { fakeMemories } from "./fake_memories.ts";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) {
  Deno.addSignalListener(name, () => stop.abort());
}

await serve({
  offer: new MemoryOffer({
    version: "0.0.0",
    memories: fakeMemories(),
    deadline_ms: 10_000,
    tools,
    problem: Deno.args.includes("--no-project")
      ? new ZpmError("no_project", "No project", "Make one")
      : undefined,
  }),
  input: Deno.stdin.readable,
  output: Deno.stdout,
  stop: stop.signal,
  log: (text) => console.error(text),
});
Deno.exit(0);
