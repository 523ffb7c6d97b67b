/** The memories of a project over Streamable HTTP. */
import { Calls } from "./calls.ts";
import { type HttpOptions, serveHttp } from "./http.ts";
import { createServer, type ServerSettings } from "./server.ts";

export { makeToken } from "./http_guard.ts";

export interface ServeHttpOptions
  extends
    Omit<ServerSettings, "calls" | "client" | "problem" | "onsettled">,
    Omit<HttpOptions, "calls" | "makeServer" | "bus"> {}

/** Serves until it is asked to stop, and all that was asked before is answered. */
export async function serveMemories(options: ServeHttpOptions): Promise<void> {
  const calls = new Calls();
  const makeServer = (client: string) => createServer({ ...options, calls, client });
  await serveHttp({ ...options, calls, makeServer });
}
