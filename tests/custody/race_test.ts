/**
 * A revocation by another process against a write that is under way, with the real authority: whichever comes first
 * at the boundary, the answer and the audit say one thing.
 */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { Custody, type Receipt } from "../../src/custody/custody.ts";
import type { Memories, Memory } from "../../src/memory/memory.ts";
import { type AuthorityRig, authorityRig } from "../support/authority_rig.ts";
import { FakeAudit } from "../support/fake_authority.ts";
import { fakeMemories } from "../support/fake_memories.ts";

interface Race {
  rig: AuthorityRig;
  /** What was stored. */
  facts: string[];
  audit: FakeAudit;
  /** ana writes; the functions run between her permit and the write, and at the write itself. */
  write(at: { boundary?: () => Promise<unknown>; write?: () => unknown }): Promise<Receipt>;
}

async function race(): Promise<Race> {
  const rig = await authorityRig();
  const { authority } = rig;
  const audit = new FakeAudit();
  const memories = fakeMemories();
  let onWrite: (() => unknown) | undefined;
  const hooked: Memories = {
    memory: async (name, context) =>
      withHook(await memories.memory(name, context), () => onWrite?.()),
  };
  const forks = { memories: () => Promise.resolve(hooked) };
  const custody = new Custody({ audit, authority, forks });
  return {
    rig,
    facts: memories.facts,
    audit,
    async write({ boundary, write }) {
      onWrite = write;
      const principal = authority.principals.get("ana")!;
      const call = { principal, verb: "remember_fact", args: { fact: "p(1)" } };
      const { receipt } = await custody.run(call, async (memories) => {
        const context = { by: "remember_fact", client: "test", deadline_ms: 1_000 };
        const memory = await memories.memory("default", context);
        await boundary?.();
        return await memory.commit({ op: "remember", fact: "p(1)" });
      }, () => ({}));
      return receipt;
    },
  };
}

function withHook(memory: Memory, hook: () => unknown): Memory {
  return {
    ...memory,
    async commit(request) {
      await hook();
      return { ...await memory.commit<object>(request), commit: 7 } as never;
    },
  };
}

const revoke = { kind: "revoke", principal: "ana" } as const;

Deno.test("a revocation that comes first fences the write: nothing is stored, and it may be tried again", async () => {
  const { rig, facts, audit, write } = await race();
  const boundary = () => rig.elsewhere(revoke);
  await rejects(write({ boundary }), { reason: "fenced", retryable: true });
  deepStrictEqual(facts, []);
  const [, completion] = audit.records;
  deepStrictEqual({ ...completion.of, operation: "" }, {
    operation: "",
    outcome: "refused",
    code: "fenced",
    commit: undefined,
    handles: undefined,
  });
});

Deno.test("a revocation that comes second waits for the write, and the receipt says that it came", async () => {
  const { rig, facts, audit, write } = await race();
  let revoked: Promise<unknown> | undefined;
  let before = true;
  const receipt = await write({
    async write() {
      revoked = rig.elsewhere(revoke).then(() => before = false);
      await new Promise((resolve) => setTimeout(resolve, 20));
      ok(before, "the revocation did not wait for the write");
    },
  });
  await revoked;
  strictEqual(facts.length, 1);
  strictEqual(receipt.commit, 7);
  const [, completion] = audit.records;
  ok(completion.kind === "completion" && completion.of.outcome === "ok");
  // It may have come before the receipt or after it; the two do not contradict each other.
  strictEqual(completion.of.authority?.revoked ?? false, receipt.revoked !== undefined);
  strictEqual(await rig.authority.authenticate("token of ana"), undefined);
});

Deno.test("a restoration does not let a write through that was admitted before the revocation", async () => {
  const { rig, facts, write } = await race();
  const boundary = async () => {
    await rig.elsewhere(revoke);
    await rig.elsewhere({ kind: "restore", principal: "ana" });
  };
  await rejects(write({ boundary }), { reason: "fenced" });
  deepStrictEqual(facts, []);
  strictEqual((await write({})).commit, 7);
});
