/** The memories of a project over Streamable HTTP. */
import { InMemoryServerEventBus, type Server } from "@modelcontextprotocol/server";
import { Calls } from "./calls.ts";
import { type HttpOptions, serveHttp } from "./http.ts";
import { createServer, type ServerSettings } from "./server.ts";
import { nobodyListens, Watched } from "./watched.ts";

export { makeToken } from "./http_guard.ts";

export interface ServeHttpOptions
  extends
    Omit<ServerSettings, "calls" | "client" | "watched" | "problem" | "onsettled">,
    Omit<HttpOptions, "calls" | "makeServer" | "makeSession" | "bus" | "watched"> {}

/** Serves until it is asked to stop, and all that was asked before is answered. */
export async function serveMemories(options: ServeHttpOptions): Promise<void> {
  const calls = new Calls();
  const bus = new InMemoryServerEventBus();
  const watched = new Watched(options.memories, {
    updated: (uri) => bus.publish({ kind: "resource_updated", uri }),
    listed: () => bus.publish({ kind: "resources_list_changed" }),
  });
  await serveHttp({
    ...options,
    calls,
    bus,
    watched,
    makeServer: () => createServer({ ...options, calls, watched, client: "http" }),
    makeSession: (client) => sessionServer({ ...options, calls, client }),
  });
  watched.close();
}

/** A session hears about its own resources, as long as it lives. */
function sessionServer(settings: Omit<ServerSettings, "watched">): Server {
  const watched = new Watched(settings.memories, {
    updated: (uri) => server.sendResourceUpdated({ uri }).catch(nobodyListens),
    listed: () => server.sendResourceListChanged().catch(nobodyListens),
  });
  const server = createServer({ ...settings, watched });
  server.onclose = () => watched.close();
  return server;
}
