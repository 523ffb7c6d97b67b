/** Verbs as a server with many principals runs them: over its base and overlay, and beside the tools. */
import assert from "node:assert/strict";
import { withPrincipals } from "../support/principals.ts";

const context = "CxUniverse";

Deno.test("an overlay is part of the base of every fork, and may be excepted in each", () =>
  withPrincipals({
    overlay: {
      "gods.edn": "(god zeus)\n[(human zeus) CxMyth]\n(genlCx CxGreece CxMyth)",
      "excepts.edn": "(human plato)",
    },
  }, async ({ call }) => {
    const humans = async (who: string, where: string) => {
      const { structuredContent } = await call(who, "query", {
        goal: "(human ?x)",
        context: where,
      });
      return structuredContent.answers.map((answer: Record<string, string>) => answer["?x"]);
    };
    assert.deepEqual(await humans("ann", context), ["socrates"]);
    assert.deepEqual(await humans("ann", "CxGreece"), ["socrates", "zeus"]);
    const zeus = { sentence: "(human zeus)", context: "CxGreece" };
    const { structuredContent } = await call("ann", "unassert", zeus);
    assert.equal(structuredContent.status, "excepted");
    assert.deepEqual(await humans("ann", "CxGreece"), ["socrates"]);
    assert.deepEqual(await humans("ann", "CxMyth"), ["socrates", "zeus"]);
    assert.deepEqual(await humans("bob", "CxGreece"), ["socrates", "zeus"]);
    const plato = await call("bob", "assert", { sentence: "(human plato)", context });
    assert.equal(plato.structuredContent.status, "restored");
    assert.deepEqual(await humans("bob", context), ["socrates", "plato"]);
    assert.deepEqual(await humans("ann", context), ["socrates"]);
  }));

Deno.test("the tools cannot forge what the verbs keep", () =>
  withPrincipals({ config: { tools: "all" } }, async ({ call }) => {
    await call("ann", "assert", { sentence: "(human ann)", context });
    await call("ann", "remember_fact", { fact: "six(human(bob), true, a, b, c, d)" });
    const forged = "'$sentex'(human(bob), true, 'CxUniverse', monotonic, \"bob\", \"never\")";
    const own = "'$sentex'(human(ann), B, C, D, E, F)";
    for (
      const [tool, input] of [
        ["remember_fact", { fact: forged }],
        ["remember_facts", { facts: [forged] }],
        ["upsert_fact", { fact: forged }],
        ["update_fact", { old_fact: "human(plato)", new_fact: forged }],
        ["update_fact", { old_fact: own, new_fact: "human(bob)" }],
        ["assume_fact", { fact: forged, assumption: "a" }],
        ["define_rule", { head: "'$sentex'(A, B, C, D, E, F)", body: "human(A)" }],
        ["load_knowledge", { text: `${forged}.` }],
        ["forget_fact", { fact: own }],
        ["clear_context", { category: own }],
        ["rename_predicate", { old_functor: "six", new_functor: "'$sentex'" }],
        ["rename_predicate", { old_functor: "'$sentex'", new_functor: "sentex" }],
      ] as [string, Record<string, unknown>][]
    ) {
      const { isError, content, message } = await call("ann", tool, input);
      assert.ok(isError || message, `${tool} ${JSON.stringify(input)}: ${JSON.stringify(content)}`);
    }
    const { structuredContent } = await call("ann", "matching", { pattern: "(human ?x)" });
    assert.deepEqual(
      structuredContent.matches.map((
        { sentence, provenance }: { sentence: string; provenance: { creator: string } },
      ) => [sentence, provenance.creator]),
      [["(human socrates)", "base"], ["(human plato)", "base"], ["(human ann)", "ann"]],
    );
    // What a tool remembers is a sentence of the fork, and can be excepted like any other.
    await call("ann", "remember_fact", { fact: "human(carl)" });
    const found = await call("ann", "matching", { pattern: "(human carl)" });
    const [{ provenance, strength }] = found.structuredContent.matches;
    assert.deepEqual([provenance.creator, strength], ["ann", "default"]);
    assert.ok(Date.parse(provenance.asserted_at) > 0);
    const proof = await call("ann", "query", { goal: "(mortal carl)", context, justify: true });
    const [[{ premises }]] = proof.structuredContent.justifications;
    assert.deepEqual(premises[0].provenance, provenance);
    const carl = await call("ann", "unassert", { sentence: "(human carl)", context });
    assert.equal(carl.structuredContent.status, "excepted");
  }));

Deno.test("what is known no more is told, and it is not the name that was meant", () =>
  withPrincipals({ config: { tools: "all" }, base: "lone(a).\n" }, async ({ call }) => {
    await call("ann", "forget_fact", { fact: "lone(a)" });
    const { structuredContent } = await call("ann", "query", { goal: "(lone ?x)", context });
    assert.deepEqual(structuredContent.unknown, ["lone/1"]);
    assert.doesNotMatch(String(structuredContent.warnings), /did you mean/);
  }));

Deno.test("a snapshot brings back what the verbs kept, with its authors", () =>
  withPrincipals({ config: { tools: "all" } }, async ({ call, restart }) => {
    const believed = async () => {
      const { structuredContent } = await call("ann", "matching", { pattern: "(human ?x)" });
      return structuredContent.matches.map((
        { sentence, provenance }: { sentence: string; provenance: { creator: string } },
      ) => `${sentence} ${provenance.creator}`);
    };
    await call("ann", "assert", { sentence: "(human ann)", context });
    await call("ann", "unassert", { sentence: "(human plato)", context });
    const before = await believed();
    assert.deepEqual(before, ["(human socrates) base", "(human ann) ann"]);
    await call("ann", "save_snapshot", { name: "one" });
    for (const human of ["ann", "socrates"]) {
      await call("ann", "unassert", { sentence: `(human ${human})`, context });
    }
    await call("ann", "assert", { sentence: "(human plato)", context });
    await call("ann", "assert", { sentence: "(human eve)", context });
    assert.deepEqual(await believed(), ["(human plato) base", "(human eve) ann"]);
    const restored = await call("ann", "restore_snapshot", { name: "one" });
    assert.ok(!restored.isError, JSON.stringify(restored));
    assert.deepEqual(await believed(), before);
    await restart();
    assert.deepEqual(await believed(), before);
    const undone = await call("ann", "undo", { count: 7, force: true });
    assert.ok(!undone.isError, JSON.stringify(undone));
    assert.deepEqual(await believed(), ["(human socrates) base", "(human plato) base"]);
    await call("ann", "restore_snapshot", { name: "one" });
    assert.deepEqual(await believed(), before);
  }));
