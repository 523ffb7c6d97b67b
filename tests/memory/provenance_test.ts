/** Which commits are this process's own, whatever becomes of engines and journal. */
import { deepStrictEqual } from "node:assert/strict";
import { Provenance } from "../../src/memory/provenance.ts";
import type { Commit } from "../../src/store/protocol.ts";

function commits(from: number, to: number, at = "2026-01-01T00:00:00.000Z"): Commit[] {
  return Array.from(
    { length: to - from + 1 },
    (_, i) => ({ seq: from + i, at, by: "remember_fact", ops: [] }),
  );
}

Deno.test("commits without a gap are one range", () => {
  const provenance = new Provenance();
  provenance.own(commits(3, 4));
  provenance.own(commits(5, 5));
  provenance.own(commits(9, 9));
  deepStrictEqual(provenance.toRequest(), { own: [[3, 5], [9, 9]] });
  deepStrictEqual([2, 3, 5, 6, 9].map((seq) => provenance.has(seq)), [
    false,
    true,
    true,
    false,
    true,
  ]);
});

Deno.test("reading the same journal again changes nothing, also behind a checkpoint", () => {
  const provenance = new Provenance();
  provenance.own(commits(3, 4));
  provenance.reset(commits(1, 6));
  deepStrictEqual(provenance.toRequest(), { own: [[3, 4]] });
  provenance.reset(commits(6, 8));
  deepStrictEqual(provenance.toRequest(), { own: [[3, 4]] });
});

Deno.test("another journal is not this process's", () => {
  for (const other of [commits(1, 2), commits(1, 6, "2026-02-02T00:00:00.000Z")]) {
    const provenance = new Provenance();
    provenance.own(commits(3, 4));
    provenance.reset(other);
    deepStrictEqual(provenance.toRequest(), { own: [] });
  }
});
