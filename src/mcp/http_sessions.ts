/**
 * The sessions of 2025-era clients over HTTP: each has a server of its own, which lives from `initialize` to
 * DELETE, or until nobody has used it for long. The newer era has none.
 */
import {
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { limits } from "../base/limits.ts";
import { refusal } from "./http_guard.ts";

interface Session {
  transport: WebStandardStreamableHTTPServerTransport;
  server: Server | McpServer;
  /** The last request, as `performance.now()` counts. */
  used: number;
}

export interface SessionsOptions {
  /** Makes the server of a new session. */
  makeServer(id: string): Server | McpServer;
  /** How often an open stream says that it is alive. */
  keepAlive_ms: number;
  onerror(error: Error): void;
}

export class HttpSessions {
  readonly #options: SessionsOptions;
  /** By id, the one that was used longest ago first. */
  readonly #sessions = new Map<string, Session>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Answers a request of the older era; `body` is the message of a POST. */
  async fetch(request: Request, body?: unknown): Promise<Response> {
    this.#forgetIdle();
    const id = request.headers.get("mcp-session-id");
    if (id === null) {
      if (isInitialize(body)) return await this.#begin(request, body);
      return refusal(400, "Bad Request: begin with initialize, then send its Mcp-Session-Id");
    }
    const session = this.#sessions.get(id);
    // What the specification asks for: the client then begins anew.
    if (!session) return refusal(404, "Session not found", {}, -32001);
    session.used = performance.now();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return await session.transport.handleRequest(request, { parsedBody: body });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  async #begin(request: Request, body: unknown): Promise<Response> {
    const id = crypto.randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      keepAliveMs: this.#options.keepAlive_ms,
      maxRequestBodySize: limits.message_bytes,
    });
    transport.onerror = this.#options.onerror;
    transport.onclose = () => void this.#sessions.delete(id);
    const server = this.#options.makeServer(id);
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: body });
    // An `initialize` that was refused has made no session.
    if (!response.ok) await server.close();
    else this.#keep(id, { transport, server, used: performance.now() });
    return response;
  }

  #keep(id: string, session: Session): void {
    this.#sessions.set(id, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > limits.http_sessions) void this.#end(oldest);
  }

  #forgetIdle(): void {
    const since = performance.now() - limits.session_idle_ms;
    for (const [id, { used }] of this.#sessions) {
      if (used > since) return;
      void this.#end(id);
    }
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close().catch(this.#options.onerror);
  }
}

function isInitialize(body: unknown): boolean {
  return (body as { method?: unknown } | undefined)?.method === "initialize";
}
