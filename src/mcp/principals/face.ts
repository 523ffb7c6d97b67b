/**
 * A server with many principals over HTTP: `/mcp`, `/op`, `/healthz` and `/metrics` (SPEC 3.3).
 *
 * Who is told apart here, once for each request, by a bearer token; each principal has an endpoint of its own, so the
 * session of another one is as unknown to it as one that never was.
 */
import {
  InMemoryServerEventBus,
  isJsonContentType,
  type Server,
} from "@modelcontextprotocol/server";
import type { Principal } from "../../authority/principal.ts";
import { readBody } from "../../base/bytes.ts";
import { isLoopback, makeJudge } from "../../base/comers.ts";
import { Calls } from "../calls.ts";
import { Endpoint } from "../endpoint.ts";
import { drained, type Face, PATH, shuttingDown } from "../http.ts";
import { refusal, tokenOf } from "../http_guard.ts";
import { newsOnBus, newsThrough } from "../news.ts";
import { createServer } from "../server.ts";
import { Watched } from "../watched.ts";
import { CONTENT_TYPE } from "./exposition.ts";
import type { Metrics } from "./metrics.ts";
import { PrincipalOffer } from "./offer.ts";
import { runOperation } from "./op.ts";
import type { PrincipalServer } from "./server.ts";

export interface FaceOptions {
  server: PrincipalServer;
  metrics: Metrics;
  hostname: string;
  /** Pages that may call. */
  origins: readonly string[];
  body_limit_bytes: number;
  /** Why no call could be served now; undefined when all is well. */
  problem(): Promise<string | undefined>;
  log?: (text: string) => void;
}

interface Place {
  endpoint: Endpoint;
  watched: Watched;
}

export class PrincipalsFace implements Face {
  readonly #options: FaceOptions;
  readonly #judge;
  readonly #calls = new Calls();
  /** By the principal's name. */
  readonly #places = new Map<string, Place>();
  #generation = 0;
  #ending = false;

  constructor(options: FaceOptions) {
    const { hostname, origins } = options;
    this.#options = options;
    this.#judge = makeJudge({ hostname, localPages: false, origins });
  }

  get sessions(): number {
    return this.#places.values().reduce((sum, { endpoint }) => sum + endpoint.sessions, 0);
  }

  async answer(request: Request, peer: string): Promise<Response> {
    const { pathname } = new URL(request.url);
    const why = this.#judge(request.headers);
    if (why !== undefined) return await this.#denied(refusal(403, why), "page");
    const principal = await this.#options.server.authority.authenticate(tokenOf(request));
    const watching = pathname === "/healthz" || pathname === "/metrics";
    if (watching && (principal || isNear(request, peer))) {
      return await this.#told(request, pathname);
    }
    if (!principal) return await this.#denied(unauthorized(), "token");
    if (pathname !== PATH && pathname !== "/op") {
      const found = refusal(404, `There are ${PATH}, /op, /healthz and /metrics`);
      return await this.#denied(found, "path", principal);
    }
    if (this.#ending) return shuttingDown();
    await this.#forgetRevoked();
    const answer = pathname === PATH ? this.#mcp(request, principal) : this.#op(request, principal);
    return await answer;
  }

  async end(): Promise<void> {
    this.#ending = true;
    await drained(this.#calls);
    await Promise.all([...this.#places.keys()].map((name) => this.#close(name)));
  }

  async #mcp(request: Request, principal: Principal): Promise<Response> {
    const response = await this.#placeOf(principal).endpoint.fetch(request);
    const known = request.headers.has("mcp-session-id") && response.status === 404;
    const reason = known ? "session" : REASONS[response.status];
    return reason === undefined ? response : await this.#denied(response, reason, principal);
  }

  async #op(request: Request, principal: Principal): Promise<Response> {
    const { server, body_limit_bytes } = this.#options;
    const denied = (status: number, message: string) =>
      this.#denied(refusal(status, message), REASONS[status] ?? "request", principal);
    if (request.method !== "POST") return await denied(405, "Only POST is for /op");
    if (!isJsonContentType(request.headers.get("content-type"))) {
      return await denied(415, "Content-Type must be application/json");
    }
    const body = await readBody(request, body_limit_bytes);
    if (!body) return await denied(413, `A body may have at most ${body_limit_bytes} bytes`);
    const value = jsonOf(body);
    if (value === undefined) return await denied(422, "The body is no JSON");
    // A request that its client gave up is done all the same: it would not hear of the end.
    const { signal } = new AbortController();
    return await this.#calls.run(
      "write",
      signal,
      (signal) => runOperation(server, value, { principal, signal }),
    );
  }

  async #told(request: Request, pathname: string): Promise<Response> {
    if (request.method !== "GET") return refusal(405, `Only GET is for ${pathname}`);
    const { metrics, problem } = this.#options;
    if (pathname === "/metrics") {
      return new Response(metrics.text(), {
        headers: { "Content-Type": CONTENT_TYPE },
      });
    }
    const why = await problem();
    if (why === undefined) return Response.json({ status: "ok" });
    return Response.json({ status: "failing", problem: why }, { status: 503 });
  }

  #placeOf(principal: Principal): Place {
    const known = this.#places.get(principal.name);
    if (known) return known;
    const { server, body_limit_bytes, log } = this.#options;
    const calls = this.#calls;
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
    const place = { endpoint, watched };
    this.#places.set(principal.name, place);
    return place;
  }

  /** Streams that are open do not show their token again, so they end with the rights. */
  async #forgetRevoked(): Promise<void> {
    const { authority } = this.#options.server;
    if (authority.generation === this.#generation) return;
    this.#generation = authority.generation;
    for (const { name, revoked_since } of await authority.list()) {
      if (revoked_since !== undefined) await this.#close(name);
    }
  }

  async #close(name: string): Promise<void> {
    const place = this.#places.get(name);
    this.#places.delete(name);
    place?.watched.close();
    await place?.endpoint.close();
  }

  async #denied(response: Response, reason: string, principal?: Principal): Promise<Response> {
    const { server, metrics } = this.#options;
    metrics.denied(reason);
    await server.custody.denied({ reason, principal: principal?.name });
    return response;
  }
}

/** What kind of denial an answer of that status is. */
const REASONS: Record<number, string> = {
  400: "request",
  404: "request",
  405: "request",
  413: "body",
  415: "body",
  422: "body",
};

/** The same for a token that is missing, malformed, wrong or revoked: it tells nothing to somebody who guesses. */
function unauthorized(): Response {
  return refusal(401, "A bearer token is needed", { "WWW-Authenticate": "Bearer" });
}

/** From this machine itself, and not handed on by a proxy on it. */
function isNear({ headers }: Request, peer: string): boolean {
  return isLoopback(peer) && !headers.has("forwarded") && !headers.has("x-forwarded-for");
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
