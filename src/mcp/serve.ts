/**
 * One MCP session over a pair of streams, from its first line to the last answer (SPEC 1.4, "End of input").
 *
 * The end has an order: no further line is read, writes and finished answers go out, reads that are still
 * running get `limits.drain_ms` and then a reply that says why they stopped, the queue is written, and only
 * then is the session over.
 */
import "./plain_schemas.ts";
import { aborted } from "../base/waiting.ts";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Calls } from "./calls.ts";
import { Output, type Sink } from "./output.ts";
import { createServer, type ServerSettings } from "./server.ts";
import { LineTransport } from "./transport.ts";
import { newsThrough } from "./news.ts";
import { Watched } from "./watched.ts";

export interface ServeOptions extends Omit<ServerSettings, "calls" | "client" | "watched"> {
  input: AsyncIterable<Uint8Array>;
  output: Sink;
  /** Aborted when the process is asked to end. */
  stop?: AbortSignal;
  /** Told of the token that `initialize` shows, where the offer tells callers apart. */
  oninitialize?: (token: string | undefined) => void;
  log?: (text: string) => void;
}

export async function serve(options: ServeOptions): Promise<void> {
  const calls = new Calls();
  const output = new Output(options.output);
  // The server that speaks is the last one made: an earlier one was only asked what it is.
  let server: Server | undefined;
  const watched = new Watched(options.offer, newsThrough(() => server));
  const transport = new LineTransport(options.input, output, watched);
  transport.oninitialize = options.oninitialize;
  const settings = { ...options, calls, watched, client: "stdio" };
  const handle = serveStdio(() => server = createServer(settings), {
    transport,
    onerror: (error) => options.log?.(`MCP: ${error.message}`),
  });
  await Promise.race([transport.ended, output.broken, aborted(options.stop)]);
  transport.stop();
  await calls.drain(transport.idle());
  watched.close();
  await handle.close();
  await output.flush();
}
