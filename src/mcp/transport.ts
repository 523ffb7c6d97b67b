/**
 * The SDK's transport over our own lines: what comes in is checked and renumbered, what goes out gets its
 * sender's id back and waits in one queue.
 */
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { rawJson } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { type Incoming, readLines, readMessage } from "./framing.ts";
import { OpenRequests } from "./ids.ts";
import { lenient } from "./lenient.ts";
import type { Output } from "./output.ts";
import type { Watched } from "./watched.ts";

type Request = Extract<Incoming, { kind: "request" }>;
type Notification = Extract<Incoming, { kind: "notification" }>;

/** Where notifications of a subscription name it by the id of the request that opened it. */
const subscriptionKey = "io.modelcontextprotocol/subscriptionId";

type WithMeta = { _meta?: Record<string, unknown> };

export class LineTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Told of the token that `initialize` shows. */
  oninitialize?: (token: string | undefined) => void;

  readonly #input: AsyncIterable<Uint8Array>;
  readonly #output: Output;
  readonly #watched: Watched;
  readonly #open = new OpenRequests();
  /** What the open requests of `subscriptions/listen` want to hear about. */
  readonly #listening = new Map<number, string[]>();
  readonly #ended = Promise.withResolvers<void>();
  #stopped = false;

  constructor(input: AsyncIterable<Uint8Array>, output: Output, watched: Watched) {
    this.#input = input;
    this.#output = output;
    this.#watched = watched;
  }

  /** Settles at the end of input. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  start(): Promise<void> {
    this.#readAll().catch((error) => this.onerror?.(error as Error)).finally(this.#ended.resolve);
    return Promise.resolve();
  }

  /** Reads no further line. */
  stop(): void {
    this.#stopped = true;
  }

  /** Settles when every request that was read has its answer in the queue. */
  async idle(): Promise<void> {
    await this.#open.atMost(0);
  }

  close(): Promise<void> {
    this.stop();
    this.onclose?.();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const outgoing = message as { id?: number; method?: string };
    const isAnswer = outgoing.id !== undefined && outgoing.method === undefined;
    if (!isAnswer) this.#output.push(JSON.stringify(this.#withSubscription(message)));
    else this.#answer(outgoing.id!, message);
    return Promise.resolve();
  }

  async #readAll(): Promise<void> {
    for await (const line of readLines(this.#input)) {
      if (this.#stopped) return;
      this.#take(readMessage(line));
      await this.#output.room();
      await this.#open.atMost(limits.open_requests);
    }
  }

  #take(incoming: Incoming): void {
    switch (incoming.kind) {
      case "broken":
        return this.#refuse("null", incoming.code, incoming.message);
      case "request":
        return this.#request(incoming);
      case "notification":
        return this.#notification(incoming);
      case "response":
        return this.onmessage?.(incoming.message as unknown as JSONRPCMessage);
    }
  }

  #request({ id: text, method, params }: Request): void {
    if (method === "initialize") this.oninitialize?.(tokenIn((params as WithMeta)?._meta));
    const id = this.#open.open(text, { lasting: method === "subscriptions/listen" });
    const message = {
      jsonrpc: "2.0",
      id,
      method,
      ...(params && { params: lenient(method, params) }),
    };
    // What the SDK does not take for a request it drops without a word.
    if (isJSONRPCRequest(message)) {
      if (method === "subscriptions/listen") this.#listen(id, listenedTo(params));
      return this.onmessage?.(message);
    }
    this.#open.close(id);
    this.#refuse(text, -32602, 'Invalid params: "_meta" is not as the protocol has it');
  }

  #notification({ method, params, requestId }: Notification): void {
    const message = { jsonrpc: "2.0", method, ...(params && { params }) };
    if (requestId === undefined) return this.onmessage?.(message as JSONRPCMessage);
    const id = this.#open.numberOf(requestId);
    if (id === undefined) return;
    // Closed first: whatever the call still says, a cancelled request is not answered.
    this.#close(id);
    this.onmessage?.({ ...message, params: { ...params, requestId: id } } as JSONRPCMessage);
  }

  #answer(id: number, message: JSONRPCMessage): void {
    const text = this.#open.textOf(id);
    if (text === undefined) return;
    this.#output.push(JSON.stringify({ ...this.#withSubscription(message), id: rawJson(text) }));
    this.#close(id);
  }

  #listen(id: number, uris: string[]): void {
    this.#listening.set(id, uris);
    for (const uri of uris) this.#watched.add(uri);
  }

  #close(id: number): void {
    this.#open.close(id);
    for (const uri of this.#listening.get(id) ?? []) this.#watched.remove(uri);
    this.#listening.delete(id);
  }

  #refuse(id: string, code: number, message: string): void {
    const error = { jsonrpc: "2.0", id: rawJson(id), error: { code, message } };
    this.#output.push(JSON.stringify(error));
  }

  /** The subscription's id in a message of its own, as its sender wrote it. */
  #withSubscription(message: JSONRPCMessage): object {
    const part = "params" in message ? "params" : "result";
    const body = (message as { [part: string]: unknown })[part] as WithMeta | undefined;
    const number = body?._meta?.[subscriptionKey];
    if (typeof number !== "number") return message;
    const text = this.#open.textOf(number);
    if (text === undefined) return message;
    const _meta = { ...body!._meta, [subscriptionKey]: rawJson(text) };
    return { ...message, [part]: { ...body, _meta } };
  }
}

/** What a message shows in `_meta.token`. */
export function tokenIn(meta: Record<string, unknown> | undefined): string | undefined {
  return typeof meta?.token === "string" ? meta.token : undefined;
}

/** The resources that a `subscriptions/listen` names. */
export function listenedTo(params: Record<string, unknown> | undefined): string[] {
  const filter = params?.notifications as { resourceSubscriptions?: unknown } | undefined;
  const uris = filter?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}
