/** What the store's client posts to its worker; calls and answers are those of `base/link.ts`. */
import type { Roots } from "./places.ts";
import type { StoreCalls } from "./protocol.ts";

/** The first message: the folder of each memory, by name. */
export interface Start {
  /** Where further memories are found and made. */
  roots?: Roots;
  directories: Record<string, string>;
  wait_ms?: number;
}

/** The names of the calls. */
export type CallName = keyof StoreCalls;
