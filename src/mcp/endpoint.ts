/**
 * One place at which MCP is spoken over Streamable HTTP, to whom and where is not its business. Both eras: a message of
 * the newer one is complete in itself and gets a server of its own, one of the older belongs to a session.
 *
 * The newer era takes a response stream that its client closed for a cancellation; in the older it is none.
 */
import "./plain_schemas.ts";
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpServer,
  type Server,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { readBody } from "../base/bytes.ts";
import { limits } from "../base/limits.ts";
import { readMessage } from "./framing.ts";
import { refusal } from "./http_guard.ts";
import { HttpSessions } from "./http_sessions.ts";
import { isStream, soonOrStreamed, whenClosed } from "./http_streams.ts";
import { lenient } from "./lenient.ts";
import { listenedTo } from "./transport.ts";
import type { Watched } from "./watched.ts";

export interface EndpointOptions {
  /** The server of a session of the older era, whose client is called so. */
  makeSession(client: string): Server | McpServer;
  /** The server of one message of the newer era. */
  makeServer(): Server | McpServer;
  /** Where changes of resources are published for `subscriptions/listen`, and what is listened to. */
  bus?: ServerEventBus;
  watched?: Watched;
  log?: (text: string) => void;
  keepAlive_ms?: number;
  /** The longest message. */
  body_bytes?: number;
}

export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #sessions: HttpSessions;
  readonly #modern;
  readonly #keepAlive_ms: number;
  readonly #body_bytes: number;

  constructor(options: EndpointOptions) {
    const onerror = (error: Error) => options.log?.(`MCP: ${error.message}`);
    const keepAlive_ms = options.keepAlive_ms ?? limits.keep_alive_ms;
    this.#keepAlive_ms = keepAlive_ms;
    this.#body_bytes = options.body_bytes ?? limits.message_bytes;
    this.#options = options;
    this.#sessions = new HttpSessions({
      makeServer: (id) => options.makeSession(`session ${id}`),
      keepAlive_ms,
      onerror,
    });
    this.#modern = createMcpHandler(() => options.makeServer(), {
      legacy: "reject",
      keepAliveMs: keepAlive_ms,
      maxRequestBodySize: this.#body_bytes,
      bus: options.bus,
      onerror,
    });
  }

  /** Sessions that are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  async fetch(request: Request): Promise<Response> {
    if (request.method === "POST") return await this.#post(request);
    if (request.headers.has("mcp-session-id")) return await this.#sessions.fetch(request);
    return await this.#modern.fetch(withSignal(request));
  }

  async close(): Promise<void> {
    await Promise.all([this.#modern.close(), this.#sessions.close()]);
  }

  /** The stream of a subscription: as long as it is open, its resources are watched. */
  #listening(message: Record<string, unknown>, response: Response): Response {
    const { watched } = this.#options;
    if (!watched || !isStream(response)) return response;
    const uris = listenedTo(message.params as Record<string, unknown> | undefined);
    for (const uri of uris) watched.add(uri);
    return whenClosed(response, () => uris.forEach((uri) => watched.remove(uri)));
  }

  async #post(request: Request): Promise<Response> {
    if (!isJsonContentType(request.headers.get("content-type"))) {
      return refusal(415, "Content-Type must be application/json");
    }
    const body = await readBody(request, this.#body_bytes);
    if (body === undefined) {
      return refusal(413, `A message may have at most ${this.#body_bytes} bytes`);
    }
    const message = messageOf(body);
    if (message instanceof Response) return message;
    if (await isLegacyRequest(request, message)) {
      return await this.#sessions.fetch(request, message);
    }
    const gone = new AbortController();
    const answer = this.#modern.fetch(withSignal(request, gone.signal), { parsedBody: message });
    if (message.method === "subscriptions/listen") return this.#listening(message, await answer);
    const keepAlive_ms = this.#keepAlive_ms;
    return await soonOrStreamed({ answer, gone: () => gone.abort(), keepAlive_ms });
  }
}

/**
 * Not with the signal of the runtime, which aborts for good answers too and says so on standard error when
 * somebody listens.
 */
function withSignal({ url, method, headers }: Request, signal?: AbortSignal): Request {
  return new Request(url, { method, headers, signal });
}

/** The message of a body, checked like a line of standard input, or the answer to what is none. */
function messageOf(body: Uint8Array): Record<string, unknown> | Response {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return refusal(400, "Parse error: the body is not UTF-8", {}, -32700);
  }
  const incoming = readMessage({ text });
  switch (incoming.kind) {
    case "nothing":
      return refusal(400, "Parse error: the body is empty", {}, -32700);
    case "broken":
      return refusal(400, incoming.message, {}, incoming.code);
    case "response":
      return incoming.message;
  }
  const { method, params } = incoming;
  const message = { jsonrpc: "2.0", method, ...(params && { params: lenient(method, params) }) };
  if (incoming.kind === "notification") return message;
  const id = JSON.parse(incoming.id);
  if (typeof id === "string" || Number.isSafeInteger(id)) return { ...message, id };
  // Its digits would be lost on the way, and the client would wait for ever.
  const bounds = `from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
  return refusal(400, `Invalid request: an "id" that is a number must be ${bounds}`, {}, -32600);
}
