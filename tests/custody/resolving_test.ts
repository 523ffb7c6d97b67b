/** What the audit says at a start of calls that a crash left open. */
import { deepStrictEqual } from "node:assert/strict";
import type { Attempt } from "../../src/authority/audit.ts";
import type { Principal } from "../../src/authority/principal.ts";
import { resolveAttempts } from "../../src/custody/resolving.ts";
import type { Fork } from "../../src/forks/forks.ts";
import type { ProjectMemories } from "../../src/memory/memory.ts";
import { FakeAudit, FakeAuthority } from "../support/fake_authority.ts";

const ANA: Principal = { name: "ana", token_sha256: "a", fork_id: "f", lifecycle: "durable" };
const LEA: Principal = {
  name: "lea",
  token_sha256: "b",
  fork_id: "l",
  lifecycle: "leased",
  lease_ttl_ms: 1,
};

function attempt(operation: string, more: Partial<Attempt> = {}): Attempt {
  return { operation, principal: "ana", fork: "f", verb: "assert", digest: "", ...more };
}

/** A fork whose journal has the commit 7, of the call `done`. */
function memoriesOf({ id }: Fork): Promise<ProjectMemories> {
  if (id !== "f") return Promise.reject(new Error(`${id} is gone`));
  const commitOf = (call: string) => Promise.resolve(call === "done" ? 7 : undefined);
  return Promise.resolve({ commitOf } as unknown as ProjectMemories);
}

Deno.test("the journal of the fork tells whether a call was committed; what it cannot tell is unknown", async () => {
  const audit = new FakeAudit();
  const unresolved = [
    attempt("done"),
    attempt("not begun"),
    attempt("files", { verb: "save_snapshot" }),
    attempt("another fork by now", { fork: "before" }),
    attempt("nobody", { principal: "zoe" }),
    attempt("a lease that ended", { principal: "lea", fork: "l" }),
  ];
  const warnings: string[] = [];
  await resolveAttempts(Object.assign(audit, { unresolved }), {
    authority: new FakeAuthority([ANA, LEA]),
    forks: { memories: memoriesOf },
    warn: (text) => warnings.push(text),
  });
  deepStrictEqual(audit.records.map(({ of }) => of), [
    { operation: "done", outcome: "committed", commit: 7 },
    { operation: "not begun", outcome: "not_committed" },
    { operation: "files", outcome: "unknown" },
    { operation: "another fork by now", outcome: "unknown" },
    { operation: "nobody", outcome: "unknown" },
    { operation: "a lease that ended", outcome: "unknown" },
  ]);
  deepStrictEqual(warnings.length, unresolved.length);
});
