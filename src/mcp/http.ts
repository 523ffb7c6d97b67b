/**
 * MCP over Streamable HTTP at one address, for whoever has the token, where there is one.
 */
import { notListening } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { aborted, within } from "../base/waiting.ts";
import type { Calls } from "./calls.ts";
import { Endpoint, type EndpointOptions } from "./endpoint.ts";
import { makeGuard, refusal } from "./http_guard.ts";

/** Where to listen, and until when. */
export interface Listening {
  /** The name or address to listen at; at another one than loopback, whoever reaches it may speak. */
  hostname: string;
  /** 0: any that is free. */
  port: number;
  /** Aborted when the process is asked to end. */
  stop: AbortSignal;
  /** Called when it can be spoken to. */
  onlistening(address: string): void;
  log?: (text: string) => void;
}

export interface HttpOptions extends Listening, EndpointOptions {
  /** What a client must send as bearer token; none is asked for when there is none. */
  token?: string;
  calls: Calls;
}

/** Answers requests, of a peer at that address; `end` takes nothing new and waits for what runs. */
export interface Face {
  answer(request: Request, peer: string): Promise<Response>;
  end(): Promise<void>;
}

export const PATH = "/mcp";

/** Serves until it is asked to stop; throws when the address cannot be had. */
export async function serveHttp(options: HttpOptions): Promise<void> {
  await serveFace(options, new HttpFace(options));
}

export async function serveFace(listening: Listening, face: Face): Promise<void> {
  const server = listen(listening, face);
  await aborted(listening.stop);
  await face.end();
  await within(limits.shutdown_ms, server.shutdown());
}

function listen({ hostname, port, onlistening, log }: Listening, face: Face): Deno.HttpServer {
  try {
    return Deno.serve({
      hostname,
      port,
      onListen: (address) => onlistening(addressOf(address.hostname, address.port)),
      onError(error) {
        log?.(`MCP: ${error}`);
        return refusal(500, "Internal error", {}, -32603);
      },
    }, (request, { remoteAddr }) => face.answer(request, remoteAddr.hostname));
  } catch (error) {
    throw notListening(`${hostname}:${port}`, error);
  }
}

/** Lets calls end, and their answers be written before their streams are closed. */
export async function drained(calls: Calls): Promise<void> {
  await calls.drain();
  await new Promise((resolve) => setTimeout(resolve));
}

class HttpFace implements Face {
  readonly #calls: Calls;
  readonly #guard;
  readonly #endpoint: Endpoint;
  #ending = false;

  constructor(options: HttpOptions) {
    this.#calls = options.calls;
    this.#guard = makeGuard(options.hostname, options.token);
    this.#endpoint = new Endpoint(options);
  }

  async answer(request: Request): Promise<Response> {
    const refused = this.#guard(request);
    if (refused) return refused;
    if (new URL(request.url).pathname !== PATH) return refusal(404, `MCP is spoken at ${PATH}`);
    if (this.#ending) return shuttingDown();
    return await this.#endpoint.fetch(request);
  }

  async end(): Promise<void> {
    this.#ending = true;
    await drained(this.#calls);
    await this.#endpoint.close();
  }
}

export function shuttingDown(): Response {
  return refusal(503, "The server is shutting down", { "Retry-After": "1" });
}

function addressOf(hostname: string, port: number): string {
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}${PATH}`;
}
