/** What completes a text that is being typed, as the protocol wants it told. */
import type { CompleteResult } from "@modelcontextprotocol/server";
import { limits } from "../base/limits.ts";

export interface Candidates {
  values: unknown[];
  /** There are others beside them. */
  truncated: boolean;
}

export const NO_CANDIDATES: Candidates = { values: [], truncated: false };

/** Those that begin with what was typed, each once, in their order. */
export function completed({ values, truncated }: Candidates, typed: string): CompleteResult {
  const texts = new Set(values.filter((value) => value !== null).map(shownValue));
  const fitting = [...texts].filter((text) => text.startsWith(typed));
  return {
    completion: {
      values: fitting.slice(0, limits.completions),
      total: fitting.length,
      hasMore: truncated || fitting.length > limits.completions,
    },
  };
}

/** As a client gives it back: text as it is, all else as JSON. */
export function shownValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
