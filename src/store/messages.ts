/**
 * What the store's client posts to its worker; calls and answers are those of `base/link.ts`. One worker serves any
 * number of projects, each with memories of its own names: a call is about one of them.
 */
import type { Roots } from "./places.ts";
import type { StoreCalls } from "./protocol.ts";

/** A project whose memories the calls are about; see `StoreCalls` for those that go to one of them. */
export interface Start {
  /** Where further memories are found and made. */
  roots?: Roots;
  /** The folder of each memory by name, absolute and without links. */
  directories: Record<string, string>;
  /** How long reads wait for the lock. */
  wait_ms?: number;
}

/** What is asked of the worker itself. */
export interface WorkerCalls {
  /** From now on calls with this project's number are about these memories. */
  start(project: Start): Promise<void>;
  /** Closes their files. */
  stop(): Promise<void>;
  /** Makes the folder of a project that has none yet: `kb` and `data`, durable when it settles. */
  makeFolder(folder: string): Promise<void>;
  /** Deletes the folder of a project that is not started, with everything in it; none is fine. */
  removeFolder(folder: string): Promise<void>;
}

/** All calls, by name; `close` of the worker ends all projects. */
export type Calls = StoreCalls & WorkerCalls;
export type CallName = keyof Calls;
