/** The order of every call, and what is answered when one of its steps fails. Real forks, an audit in memory. */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { auditUnavailable } from "../../src/base/authority_errors.ts";
import { invoke } from "../../src/tools/invoke.ts";
import { contextOf, toolNamed, withCustody } from "../support/custody.ts";

Deno.test("an attempt before, a completion after, both of one operation that the journal names, too", () =>
  withCustody(async ({ call, records, audit, journal }) => {
    const { result, receipt } = await call("ann", "remember_fact", { fact: "p(3)" });
    strictEqual(result.isError, false);
    deepStrictEqual(records(), ["attempt remember_fact by ann", "completion ok 1"]);
    strictEqual(receipt.commit, 1);
    const operations = audit.records.map(({ of }) => "operation" in of && of.operation);
    deepStrictEqual(operations, [receipt.operation, receipt.operation]);
    const [line] = await journal("ann");
    deepStrictEqual([line.by, line.who, line.call], ["remember_fact", "ann", receipt.operation]);
  }));

Deno.test("a read is recorded, an error with its code", () =>
  withCustody(async ({ call, records }) => {
    await call("ann", "query_logic", { goal: "p(X)" });
    await call("ann", "query_logic", { goal: "p(" });
    deepStrictEqual(records(), [
      "attempt query_logic by ann",
      "completion ok",
      "attempt query_logic by ann",
      "completion failed syntax",
    ]);
  }));

Deno.test("without an audit nothing runs", () =>
  withCustody(async ({ call, audit, ask }) => {
    audit.fault = auditUnavailable("No space left on device");
    await rejects(call("ann", "remember_fact", { fact: "p(3)" }), { reason: "audit_unavailable" });
    audit.fault = undefined;
    deepStrictEqual(await ask("ann", "p(X)"), ["1", "2"]);
  }));

Deno.test("a write whose completion cannot be recorded is told as that, a read is not answered", () =>
  withCustody(async ({ custody, principal, audit, ask }) => {
    const failing = (verb: string, args: Record<string, unknown>) =>
      custody.run(
        { principal: principal("ann"), verb, args },
        async (memories) => {
          const result = await invoke(toolNamed(verb), args, memories, contextOf(verb));
          audit.fault = new Error("Input/output error");
          return result;
        },
        () => ({}),
      ).finally(() => audit.fault = undefined);
    await rejects(failing("remember_fact", { fact: "p(3)" }), { code: "outcome_indeterminate" });
    deepStrictEqual(await ask("ann", "p(X)"), ["1", "2", "3"]);
    await rejects(failing("query_logic", { goal: "p(X)" }), /Input\/output error/);
  }));

Deno.test("revoked before: refused, recorded, nothing stored", () =>
  withCustody(async ({ call, authority, records, ask }) => {
    await authority.revoke("ann");
    await rejects(call("ann", "remember_fact", { fact: "p(3)" }), { reason: "revoked" });
    deepStrictEqual(records(), ["attempt remember_fact by ann", "completion refused revoked"]);
    deepStrictEqual(await ask("bob", "p(X)"), ["1", "2"]);
  }));

Deno.test("revoked between permit and write: fenced, nothing stored", () =>
  withCustody(async ({ call, authority, records, ask }) => {
    const before = () => authority.revoke("ann");
    const { result } = await call("ann", "remember_fact", { fact: "p(3)" }, { before });
    strictEqual(result.isError, true);
    deepStrictEqual(records(), ["attempt remember_fact by ann", "completion refused fenced"]);
    await authority.restore("ann");
    deepStrictEqual(await ask("ann", "p(X)"), ["1", "2"]);
  }));

Deno.test("revoked while it commits: the write stands, and its receipt says so", () =>
  withCustody(async ({ call, authority, audit, ask }) => {
    let revoked: Promise<unknown> | undefined;
    const within = () => void (revoked = authority.revoke("ann"));
    const { result, receipt } = await call("ann", "remember_fact", { fact: "p(3)" }, { within });
    await revoked;
    strictEqual(result.isError, false);
    strictEqual(receipt.commit, 1);
    ok(receipt.revoked);
    const [, completion] = audit.records;
    deepStrictEqual(completion.kind === "completion" && completion.of.authority?.revoked, true);
    await authority.restore("ann");
    deepStrictEqual(await ask("ann", "p(X)"), ["1", "2", "3"]);
  }));

Deno.test("a call that is taken back is recorded, and a write that was not begun is not stored", () =>
  withCustody(async ({ call, records, ask }) => {
    const signal = AbortSignal.abort();
    await call("ann", "remember_fact", { fact: "p(3)" }, { signal });
    deepStrictEqual(records(), ["attempt remember_fact by ann", "completion failed cancelled"]);
    deepStrictEqual(await ask("ann", "p(X)"), ["1", "2"]);
  }));

Deno.test("a fork whose folder is gone: nothing is acknowledged", () =>
  withCustody(async ({ call, folder, records }) => {
    await call("ann", "remember_fact", { fact: "p(3)" });
    await Deno.remove(`${folder}/durable`, { recursive: true });
    await Deno.writeTextFile(`${folder}/durable`, "so that it cannot be made again");
    const { result } = await call("ann", "remember_fact", { fact: "p(4)" });
    strictEqual(result.isError, true);
    strictEqual(
      records().at(-1)!.startsWith("completion failed not_saved"),
      true,
      records().at(-1),
    );
  }));

Deno.test("what one principal holds another cannot name", () =>
  withCustody(async ({ call, ask }) => {
    await call("ann", "create_memory", { name: "notes" });
    await call("ann", "save_snapshot", { name: "mine" });
    const mounted = await call("bob", "mount_memory", { name: "notes" });
    strictEqual(mounted.result.isError, true);
    const restored = await call("bob", "restore_snapshot", { name: "mine" });
    strictEqual(restored.result.isError, true);
    deepStrictEqual(await ask("bob", "p(X)"), ["1", "2"]);
  }));

Deno.test("who shares a fork takes back its own commits, not those of others", () =>
  withCustody(async ({ call, ask }) => {
    await call("cleo", "remember_fact", { fact: "p(3)" });
    await call("dan", "remember_fact", { fact: "p(4)" });
    const { result } = await call("cleo", "undo", {});
    strictEqual(result.isError, true);
    ok(result.texts[0].includes("made by the principal dan"), result.texts[0]);
    await call("dan", "undo", {});
    deepStrictEqual(await ask("team", "p(X)"), ["1", "2", "3"]);
  }));
