/** Commits for tests: small, distinct, and all alike except for their number. */
import type { Commit, Operation } from "../../src/store/protocol.ts";

/** Commit `seq`, adding the facts named, or one named after the number. */
export function commit(seq: number, ...facts: string[]): Commit {
  const texts = facts.length > 0 ? facts : [`p(${seq})`];
  const ops = texts.map((text): Operation => ["+", text]);
  return { seq, at: "2026-01-01T00:00:00.000Z", by: "remember_fact", ops };
}

/** Commits `first` to `last`. */
export function commits(first: number, last: number): Commit[] {
  return Array.from({ length: last - first + 1 }, (_, i) => commit(first + i));
}
