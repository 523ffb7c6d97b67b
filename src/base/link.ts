/**
 * A thread and a worker that serves it: numbered calls, answers matched by their numbers, errors as plain data
 * that become a `ZpmError` again on the other side. The store has one, the authority another.
 */
import { bug, type ErrorCode, type Position, ZpmError } from "./errors.ts";

/** The number of the answer that nobody asked for: the worker has loaded. Calls count on from it. */
export const READY = 0;

/** One call; `id` comes back with its answer. */
export interface Call<Name extends string = string> {
  id: number;
  /** Which of the things that the worker has it is about, by number; where there are several. */
  about: number;
  name: Name;
  args: unknown[];
}

/** The answer to one call. */
export type Answer = { id: number; value: unknown } | { id: number; error: PlainError };

/** A `ZpmError` without its class. */
export interface PlainError {
  code: ErrorCode;
  message: string;
  hint: string;
  at?: Position;
}

/** The end of the channel that both sides have: a worker's global scope, or the worker itself. */
export interface Channel {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
}

export function toPlain(fault: unknown): PlainError {
  if (fault instanceof ZpmError) return fault.body();
  return bug(fault instanceof Error ? fault.message : String(fault)).body();
}

export function fromPlain(error: PlainError): ZpmError {
  return new ZpmError(error.code, error.message, error.hint, { at: error.at });
}

/** The methods of an interface whose every method is a call to the worker. */
type Method = (...args: never[]) => Promise<unknown>;
type NameOf<Calls> = { [Name in keyof Calls]: Calls[Name] extends Method ? Name : never }[
  keyof Calls
];
type ArgsOf<Calls, Name extends keyof Calls> = Calls[Name] extends
  (...args: infer Args) => Promise<unknown> ? Args : never;
type ValueOf<Calls, Name extends keyof Calls> = Calls[Name] extends
  (...args: never[]) => Promise<infer Value> ? Value : never;

interface Waiting {
  about: number;
  resolve: (value: never) => void;
  reject: (fault: unknown) => void;
}

/** Calls under way, by number. `who` names the worker in the error when it has stopped; it has a call `close`. */
export class Link<Calls extends { close: () => Promise<void> }> {
  readonly #worker: Worker;
  readonly #who: string;
  readonly #waiting = new Map<number, Waiting>();
  /**
   * Settles when the worker has loaded its own modules. Before that the main thread must keep its permissions,
   * since loading uses them; calls may be made at any time.
   */
  readonly ready: Promise<void>;
  #calls = READY;
  /** Why no call can be answered any more. */
  #ended?: Error;
  #settled = Promise.withResolvers<void>();

  constructor(worker: Worker, who: string) {
    this.#worker = worker;
    this.#who = who;
    worker.onmessage = (event: MessageEvent<Answer>) => this.#settle(event.data);
    this.ready = new Promise((resolve, reject) =>
      this.#waiting.set(READY, { about: 0, resolve, reject })
    );
    this.ready.catch(() => {}); // whoever does not wait for it learns of the fault from the calls
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(bug(`${who} stopped: ${event.message}`));
    };
  }

  post(message: unknown): void {
    this.#worker.postMessage(message);
  }

  call<Name extends NameOf<Calls> & string>(
    name: Name,
    args: ArgsOf<Calls, Name>,
    about = 0,
  ): Promise<ValueOf<Calls, Name>> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const id = ++this.#calls;
      this.#waiting.set(id, { about, resolve, reject });
      this.post({ id, about, name, args } satisfies Call);
    });
  }

  /** Waits for the calls under way, then ends the worker. */
  async close(): Promise<void> {
    if (this.#ended) return;
    while (this.#waiting.size > 0) await this.#settled.promise;
    await this.call("close" as NameOf<Calls> & string, [] as never);
    this.#worker.terminate();
    this.#end(bug(`${this.#who} is closed`));
  }

  /** Settles when no call about that thing is under way. */
  async idle(about: number): Promise<void> {
    while (this.#waiting.values().some((call) => call.about === about)) await this.#settled.promise;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  #tellSettled(): void {
    this.#settled.resolve();
    this.#settled = Promise.withResolvers();
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("error" in answer) waiting?.reject(fromPlain(answer.error));
    else waiting?.resolve(answer.value as never);
    this.#tellSettled();
  }

  #end(why: Error): void {
    this.#ended = why;
    for (const { reject } of this.#waiting.values()) reject(why);
    this.#waiting.clear();
    this.#tellSettled();
  }
}
