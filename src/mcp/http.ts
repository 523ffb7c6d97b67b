/**
 * MCP over Streamable HTTP, both eras at one address: a message of the newer one is complete in itself and gets a
 * server of its own, one of the older belongs to a session.
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
import { notListening } from "../base/errors.ts";
import { readBody } from "../base/bytes.ts";
import { limits } from "../base/limits.ts";
import { aborted, within } from "../base/waiting.ts";
import type { Calls } from "./calls.ts";
import { readMessage } from "./framing.ts";
import { makeGuard, refusal } from "./http_guard.ts";
import { HttpSessions } from "./http_sessions.ts";
import { isStream, soonOrStreamed, whenClosed } from "./http_streams.ts";
import { lenient } from "./lenient.ts";
import { listenedTo } from "./transport.ts";
import type { Watched } from "./watched.ts";

export interface HttpOptions {
  /** The name or address to listen at; at another one than loopback, whoever reaches it may speak. */
  hostname: string;
  /** 0: any that is free. */
  port: number;
  /** What a client must send as bearer token; none is asked for when there is none. */
  token?: string;
  /** The server of a session of the older era, whose client is called so. */
  makeSession(client: string): Server | McpServer;
  /** The server of one message of the newer era. */
  makeServer(): Server | McpServer;
  calls: Calls;
  /** Where changes of resources are published for `subscriptions/listen`, and what is listened to. */
  bus?: ServerEventBus;
  watched?: Watched;
  /** Aborted when the process is asked to end. */
  stop: AbortSignal;
  /** Called when it can be spoken to. */
  onlistening(address: string): void;
  log?: (text: string) => void;
  keepAlive_ms?: number;
}

const PATH = "/mcp";

/** Serves until it is asked to stop; throws when the address cannot be had. */
export async function serveHttp(options: HttpOptions): Promise<void> {
  const face = new HttpFace(options);
  const server = listen(options, face);
  await aborted(options.stop);
  await face.end();
  await within(limits.shutdown_ms, server.shutdown());
}

function listen(options: HttpOptions, face: HttpFace): Deno.HttpServer {
  const { hostname, port } = options;
  try {
    return Deno.serve({
      hostname,
      port,
      onListen: (address) => options.onlistening(addressOf(address.hostname, address.port)),
      onError: (error) => face.failed(error),
    }, (request) => face.answer(request));
  } catch (error) {
    throw notListening(`${hostname}:${port}`, error);
  }
}

class HttpFace {
  readonly #options: HttpOptions;
  readonly #guard;
  readonly #sessions;
  readonly #modern;
  readonly #keepAlive_ms;
  #ending = false;

  constructor(options: HttpOptions) {
    const onerror = (error: Error) => options.log?.(`MCP: ${error.message}`);
    const keepAlive_ms = options.keepAlive_ms ?? limits.keep_alive_ms;
    this.#keepAlive_ms = keepAlive_ms;
    this.#options = options;
    this.#guard = makeGuard(options.hostname, options.token);
    this.#sessions = new HttpSessions({
      makeServer: (id) => options.makeSession(`session ${id}`),
      keepAlive_ms,
      onerror,
    });
    this.#modern = createMcpHandler(() => options.makeServer(), {
      legacy: "reject",
      keepAliveMs: keepAlive_ms,
      maxRequestBodySize: limits.message_bytes,
      bus: options.bus,
      onerror,
    });
  }

  async answer(request: Request): Promise<Response> {
    const refused = this.#guard(request);
    if (refused) return refused;
    if (new URL(request.url).pathname !== PATH) return refusal(404, `MCP is spoken at ${PATH}`);
    if (this.#ending) return refusal(503, "The server is shutting down", { "Retry-After": "1" });
    if (request.method === "POST") return await this.#post(request);
    if (request.headers.has("mcp-session-id")) return await this.#sessions.fetch(request);
    return await this.#modern.fetch(withSignal(request));
  }

  /** The stream of a subscription: as long as it is open, its resources are watched. */
  #listening(message: Record<string, unknown>, response: Response): Response {
    const { watched } = this.#options;
    if (!watched || !isStream(response)) return response;
    const uris = listenedTo(message.params as Record<string, unknown> | undefined);
    for (const uri of uris) watched.add(uri);
    return whenClosed(response, () => uris.forEach((uri) => watched.remove(uri)));
  }

  failed(error: unknown): Response {
    this.#options.log?.(`MCP: ${error}`);
    return refusal(500, "Internal error", {}, -32603);
  }

  /** Takes nothing new, waits for what runs, then closes what is open. */
  async end(): Promise<void> {
    this.#ending = true;
    await this.#options.calls.drain();
    // An answer that was just found is written before its stream is closed.
    await new Promise((resolve) => setTimeout(resolve));
    await Promise.all([this.#modern.close(), this.#sessions.close()]);
  }

  async #post(request: Request): Promise<Response> {
    if (!isJsonContentType(request.headers.get("content-type"))) {
      return refusal(415, "Content-Type must be application/json");
    }
    const body = await readBody(request, limits.message_bytes);
    if (body === undefined) {
      return refusal(413, `A message may have at most ${limits.message_bytes} bytes`);
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

function addressOf(hostname: string, port: number): string {
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}${PATH}`;
}
