/**
 * A server with many principals over HTTP: `/mcp`, `/op`, `/healthz` and `/metrics` (SPEC 3.3).
 *
 * Who is told apart here, once for each request, by a bearer token; each principal has a place of its own.
 */
import { isJsonContentType } from "@modelcontextprotocol/server";
import type { Principal } from "../../authority/principal.ts";
import { readBody } from "../../base/bytes.ts";
import { isLoopback, makeJudge } from "../../base/comers.ts";
import { Calls } from "../calls.ts";
import { drained, type Face, PATH, shuttingDown } from "../http.ts";
import { refusal, tokenOf } from "../http_guard.ts";
import { preflight, shownToPage } from "./cors.ts";
import { CONTENT_TYPE } from "./exposition.ts";
import type { Metrics } from "./metrics.ts";
import { runOperation } from "./op.ts";
import { Places } from "./places.ts";
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

export class PrincipalsFace implements Face {
  readonly #options: FaceOptions;
  readonly #judge;
  /** Those at /op. */
  readonly #calls = new Calls();
  readonly #places: Places;
  #ending = false;

  constructor(options: FaceOptions) {
    const { hostname, origins } = options;
    this.#options = options;
    this.#places = new Places(options);
    this.#judge = makeJudge({ hostname, localPages: false, origins });
  }

  get sessions(): number {
    return this.#places.sessions;
  }

  async answer(request: Request, peer: string): Promise<Response> {
    const why = this.#judge(request.headers);
    if (why !== undefined) return await this.#denied(refusal(403, why), "page");
    return shownToPage(preflight(request) ?? await this.#answer(request, peer), request);
  }

  async end(): Promise<void> {
    this.#ending = true;
    await Promise.all([drained(this.#calls), this.#places.end()]);
  }

  async #answer(request: Request, peer: string): Promise<Response> {
    const { pathname } = new URL(request.url);
    const watching = pathname === "/healthz" || pathname === "/metrics";
    if (watching && isNear(request, peer)) return await this.#told(request, pathname);
    let principal: Principal | undefined;
    try {
      principal = await this.#options.server.authority.authenticate(tokenOf(request));
    } catch (error) {
      this.#options.log?.(`MCP: ${error}`);
      return await this.#denied(unreadable(), "authority");
    }
    if (principal && watching) return await this.#told(request, pathname);
    if (!principal) return await this.#denied(unauthorized(), "token");
    if (pathname !== PATH && pathname !== "/op") {
      const found = refusal(404, `There are ${PATH}, /op, /healthz and /metrics`);
      return await this.#denied(found, "path", principal);
    }
    if (this.#ending) return shuttingDown();
    const answer = pathname === PATH ? this.#mcp(request, principal) : this.#op(request, principal);
    return await answer;
  }

  async #mcp(request: Request, principal: Principal): Promise<Response> {
    const response = await this.#places.endpointOf(principal).fetch(request);
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

/** Nobody is let in while it is not known who is revoked; why that is so is not for strangers. */
function unreadable(): Response {
  return refusal(
    503,
    "Who may call cannot be told now; /healthz says why, on the server's machine",
  );
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
