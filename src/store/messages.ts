/**
 * What passes between the store's client and its worker: numbered calls, answers, and errors as plain data,
 * which become a `ZpmError` again on the other side.
 */
import { bug, type ErrorCode, type Position, ZpmError } from "../base/errors.ts";
import type { Roots } from "./places.ts";
import type { StoreCalls } from "./protocol.ts";

/** The first message: the folder of each memory, by name. */
export interface Start {
  /** Where further memories are found and made. */
  roots?: Roots;
  directories: Record<string, string>;
  wait_ms?: number;
}

/** The number of the answer that nobody asked for: the worker has loaded. Calls count on from it. */
export const READY = 0;

/** The names of the calls. */
export type CallName = keyof StoreCalls;

/** One call; `id` comes back with its answer. */
export interface Call {
  id: number;
  name: CallName;
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
