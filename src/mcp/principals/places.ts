/**
 * A place for each principal at which MCP is spoken to it, so that the session of another one is as unknown to it as
 * one that never was. A place is for a principal as it was when it came: when its rights change, it ends.
 */
import { InMemoryServerEventBus, type Server } from "@modelcontextprotocol/server";
import { type Principal, samePrincipal } from "../../authority/principal.ts";
import { principalRevoked } from "../../base/authority_errors.ts";
import { Calls } from "../calls.ts";
import { Endpoint } from "../endpoint.ts";
import { drained } from "../http.ts";
import { newsOnBus, newsThrough } from "../news.ts";
import { createServer } from "../server.ts";
import { Watched } from "../watched.ts";
import { PrincipalOffer } from "./offer.ts";
import type { PrincipalServer } from "./server.ts";

export interface PlacesOptions {
  server: PrincipalServer;
  body_limit_bytes: number;
  log?: (text: string) => void;
}

interface Place {
  principal: Principal;
  endpoint: Endpoint;
  watched: Watched;
  calls: Calls;
}

export class Places {
  readonly #options: PlacesOptions;
  /** By the principal's name. */
  readonly #places = new Map<string, Place>();

  constructor(options: PlacesOptions) {
    this.#options = options;
    options.server.authority.onRightsChange(() => this.#forgetOutdated());
  }

  get sessions(): number {
    return this.#places.values().reduce((sum, { endpoint }) => sum + endpoint.sessions, 0);
  }

  /** The endpoint of a principal that has just shown its token. */
  endpointOf(principal: Principal): Endpoint {
    const known = this.#places.get(principal.name);
    if (known && samePrincipal(known.principal, principal)) return known.endpoint;
    if (known) this.#forget(known);
    const place = this.#make(principal);
    this.#places.set(principal.name, place);
    return place.endpoint;
  }

  /** Settles when all that runs is answered, and nothing is open any more. */
  async end(): Promise<void> {
    const places = [...this.#places.values()];
    this.#places.clear();
    await Promise.all(places.map(ended));
  }

  /** Streams that are open do not show their token again, so they end with the rights. */
  #forgetOutdated(): void {
    const { authority } = this.#options.server;
    for (const place of this.#places.values()) {
      if (!authority.isCurrent(place.principal)) this.#forget(place);
    }
  }

  /** What is only asked stops; a write is answered, for its receipt says that the rights have changed. */
  #forget(place: Place): void {
    const { name } = place.principal;
    this.#places.delete(name);
    place.calls.stopReads(principalRevoked(name));
    ended(place).catch((error) => this.#options.log?.(`MCP: ${error.message}`));
  }

  #make(principal: Principal): Place {
    const { server, body_limit_bytes, log } = this.#options;
    const calls = new Calls();
    const who = () => Promise.resolve(principal);
    const offer = new PrincipalOffer(server, who, principal.fork_id);
    const bus = new InMemoryServerEventBus();
    const watched = new Watched(offer, newsOnBus(bus));
    const endpoint = new Endpoint({
      bus,
      watched,
      log,
      body_bytes: body_limit_bytes,
      makeServer: () => createServer({ offer, calls, watched, client: "http" }),
      makeSession(client) {
        const watched = new Watched(offer, newsThrough(() => session));
        const session: Server = createServer({ offer, calls, watched, client });
        session.onclose = () => watched.close();
        return session;
      },
    });
    return { principal, endpoint, watched, calls };
  }
}

async function ended({ watched, calls, endpoint }: Place): Promise<void> {
  watched.close();
  await drained(calls);
  await endpoint.close();
}
