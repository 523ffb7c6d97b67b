/** What is offered, over Streamable HTTP. */
import { InMemoryServerEventBus, type Server } from "@modelcontextprotocol/server";
import { Calls } from "./calls.ts";
import { type HttpOptions, serveHttp } from "./http.ts";
import { newsOnBus, newsThrough } from "./news.ts";
import type { Offer } from "./offer.ts";
import { createServer, type ServerSettings } from "./server.ts";
import { Watched } from "./watched.ts";

export { makeToken } from "./http_guard.ts";

export interface ServeHttpOptions
  extends Omit<HttpOptions, "calls" | "makeServer" | "makeSession" | "bus" | "watched"> {
  offer: Offer;
}

/** Serves until it is asked to stop, and all that was asked before is answered. */
export async function serveOffer(options: ServeHttpOptions): Promise<void> {
  const { offer } = options;
  const calls = new Calls();
  const bus = new InMemoryServerEventBus();
  const watched = new Watched(offer, newsOnBus(bus));
  await serveHttp({
    ...options,
    calls,
    bus,
    watched,
    makeServer: () => createServer({ offer, calls, watched, client: "http" }),
    makeSession: (client) => sessionServer({ offer, calls, client }),
  });
  watched.close();
}

/** A session hears about its own resources, as long as it lives. */
function sessionServer(settings: Omit<ServerSettings, "watched">): Server {
  const watched = new Watched(settings.offer, newsThrough(() => server));
  const server = createServer({ ...settings, watched });
  server.onclose = () => watched.close();
  return server;
}
