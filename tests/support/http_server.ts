/** A server over HTTP in this process, with a memory that has no engine, and plain requests to it. */
import { limits } from "../../src/base/limits.ts";
import { MemoryOffer, type MemoryOfferOptions } from "../../src/mcp/memories/offer.ts";
import { type ServeHttpOptions, serveOffer } from "../../src/mcp/serve_http.ts";
import { tools } from "../../src/tools/registry.ts";
import { type FakeMemories, fakeMemories } from "./fake_memories.ts";

export const TOKEN = "a-token-of-the-tests";
export const MODERN = "2026-07-28";

export interface HttpServer {
  /** `http://127.0.0.1:PORT/mcp` */
  address: string;
  memories: FakeMemories;
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>;
}

/** Serves while `work` runs. */
export async function withServer(
  work: (server: HttpServer) => Promise<void>,
  options: Partial<ServeHttpOptions & MemoryOfferOptions> = {},
): Promise<void> {
  const memories = fakeMemories();
  const listening = Promise.withResolvers<string>();
  const stop = new AbortController();
  const { deadline_ms } = limits;
  const done = serveOffer({
    offer: new MemoryOffer({ version: "1.2.3", tools, memories, deadline_ms, ...options }),
    hostname: "127.0.0.1",
    port: 0,
    token: TOKEN,
    stop: stop.signal,
    onlistening: listening.resolve,
    ...options,
  });
  const address = await listening.promise;
  const end = async () => {
    stop.abort();
    await done;
  };
  try {
    await work({ address, memories, stop: end });
  } finally {
    await end();
  }
}

export interface Sent {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Posts a message, or a text as it is. */
export async function post(
  address: string,
  message: unknown,
  { headers, signal }: Sent = {},
): Promise<Response> {
  return await fetch(address, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      Authorization: `Bearer ${TOKEN}`,
      ...headers,
    },
    body: typeof message === "string" || message instanceof Uint8Array
      ? message as BodyInit
      : JSON.stringify(message),
    signal,
  });
}

/** A request of the newer era, with the headers that repeat what it says. */
export async function postModern(
  address: string,
  method: string,
  params: Record<string, unknown> = {},
  sent: Sent = {},
): Promise<Response> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    ...params._meta as object,
  };
  const name = params.name ?? params.uri;
  const headers = {
    "MCP-Protocol-Version": MODERN,
    "Mcp-Method": method,
    ...(typeof name === "string" && { "Mcp-Name": name }),
    ...sent.headers,
  };
  const message = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } };
  return await post(address, message, { ...sent, headers });
}

/** The messages of a response, as text: of a stream all until it ends. */
export async function texts(response: Response): Promise<string[]> {
  const text = await response.text();
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return [text];
  return text.split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6));
}

/** The last message of a response. */
// deno-lint-ignore no-explicit-any -- a message of any shape; the test looks
export async function answer(response: Response): Promise<any> {
  return JSON.parse((await texts(response)).at(-1)!);
}
