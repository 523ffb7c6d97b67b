/** The six verbs on one memory (SPEC 3.2): what each says, what stays of it, and what is refused. */
import assert from "node:assert/strict";
import { notSaved } from "../../src/base/errors.ts";
import { verbs } from "../../src/verbs/registry.ts";
import { BY_ALICE, BY_BASE, type VerbsRig, withVerbs } from "../support/verbs_rig.ts";

const options = { sanitizeOps: false, sanitizeResources: false };
const CX = "CxUniverse";

const base = `human(plato).
mortal(X) :- human(X).
likes(ann, tea).
`;

async function answers(rig: VerbsRig, goal: string, context = CX) {
  return (await rig.call("query", { goal, context })).structure.answers;
}

Deno.test(
  "a sentence is stored once, and found by its handle",
  options,
  () =>
    withVerbs({ "base.pl": base }, async (rig) => {
      const first = await rig.call("assert", { sentence: "(human socrates)", context: CX });
      assert.deepEqual(first.structure, {
        handle: 1,
        sentence: "(human socrates)",
        context: CX,
        status: "asserted",
      });
      assert.deepEqual(JSON.parse(first.texts[0]), first.structure);
      const again = await rig.call("assert", { sentence: "(human  socrates)", context: CX });
      assert.deepEqual(again.structure, { ...first.structure, status: "already_there" });
      const ofBase = await rig.call("assert", { sentence: "(human plato)", context: CX });
      assert.equal(ofBase.structure.status, "already_there");
      const elsewhere = await rig.call("assert", {
        sentence: "(human plato)",
        context: "CxGreece",
      });
      assert.equal(elsewhere.structure.status, "asserted");
      assert.notEqual(elsewhere.structure.handle, ofBase.structure.handle);
      await rig.restart();
      assert.deepEqual(await answers(rig, "(mortal ?x)"), [{ "?x": "plato" }, {
        "?x": "socrates",
      }]);
      const { structure } = await rig.call("matching", { pattern: "(human ?x)", context: CX });
      assert.deepEqual(structure.matches, [
        {
          handle: 2,
          sentence: "(human plato)",
          context: CX,
          strength: "monotonic",
          provenance: BY_BASE,
        },
        {
          handle: 1,
          sentence: "(human socrates)",
          context: CX,
          strength: "default",
          provenance: BY_ALICE,
        },
      ]);
    }),
);

Deno.test(
  "a rule of a client and one of the base are the same sentence",
  options,
  () =>
    withVerbs({ "base.pl": base }, async (rig) => {
      const rule = { sentence: "(implies (human ?who) (mortal ?who))", context: CX };
      assert.equal((await rig.call("assert", rule)).structure.status, "already_there");
      const other = { sentence: "(implies (mortal ?x) (human ?x))", context: CX };
      assert.equal((await rig.call("assert", other)).structure.status, "asserted");
      assert.deepEqual(await answers(rig, "(human ?x)"), [{ "?x": "plato" }]);
    }),
);

Deno.test(
  "what is unasserted is not believed, until it is asserted again",
  options,
  () =>
    withVerbs({ "base.pl": base }, async (rig) => {
      const plato = { sentence: "(human plato)", context: CX };
      for (let round = 0; round < 3; round++) {
        const { structure } = await rig.call("unassert", plato);
        assert.equal(structure.status, "excepted");
        assert.deepEqual(await answers(rig, "(mortal ?x)"), []);
        assert.equal((await rig.call("unassert", plato)).structure.status, "already_excepted");
        assert.equal((await rig.call("assert", plato)).structure.status, "restored");
        assert.deepEqual(await answers(rig, "(mortal ?x)"), [{ "?x": "plato" }]);
        await rig.restart();
        assert.deepEqual(await answers(rig, "(mortal ?x)"), [{ "?x": "plato" }]);
      }
      const { structure } = await rig.call("unassert", plato);
      const [{ handle, except_handle }] = structure.excepted as Record<string, number>[];
      const back = await rig.call("unassert_handle", { handle: except_handle });
      assert.equal(back.structure.status, "excepted");
      assert.deepEqual(await answers(rig, "(human ?x)"), [{ "?x": "plato" }]);
      assert.equal((await rig.call("unassert_handle", { handle })).structure.status, "excepted");
      assert.deepEqual(await answers(rig, "(human ?x)"), []);
      const none = await rig.call("unassert", { sentence: "(human nobody)", context: CX });
      assert.deepEqual(none.structure, { status: "not_found", excepted: [], already: [] });
    }),
);

Deno.test(
  "refusals have a code, and leave nothing behind",
  options,
  () =>
    withVerbs({ "base.pl": base }, async (rig) => {
      const refused = async (verb: string, input: Record<string, unknown>, code: string) => {
        const { isError, texts, structure } = await rig.call(verb, input);
        assert.equal(isError, true, JSON.stringify(input));
        assert.equal(structure.code, code, JSON.stringify([input, structure]));
        assert.ok(texts[0].startsWith(`{:code :${code} :error "`), texts[0]);
      };
      const context = CX;
      await refused("assert", { sentence: "(humn socrates)", context }, "undeclared-predicate");
      await refused(
        "assert",
        { sentence: "(implies (human ?x) (ghost ?x))", context },
        "undeclared-predicate",
      );
      await refused("assert", { sentence: "(human ?x)", context }, "not-ground");
      await refused("assert", { sentence: "(human socrates", context }, "malformed");
      await refused("assert", { sentence: "(forall ?x (human ?x))", context }, "malformed");
      await refused("assert", { sentence: "human", context }, "malformed");
      await refused("assert", { sentence: "(human :x)", context }, "malformed");
      await refused("assert", { sentence: "(human {:a 1})", context }, "malformed");
      await refused("assert", { sentence: '(human #inst "2020")', context }, "malformed");
      await refused("assert", { sentence: "(human x)", context: "?c" }, "malformed");
      await refused("assert", { sentence: "(human x)", context: "(a b)" }, "malformed");
      await refused("assert", { sentence: "(genlCx a b)", context }, "not-allowed");
      await refused(
        "assert",
        { sentence: "(implies (assertz (p)) (human x))", context },
        "not-allowed",
      );
      await refused(
        "assert",
        { sentence: "(human x)", context, strength: "monotonic" },
        "strength-capped",
      );
      await refused("assert", { context }, "malformed");
      await refused("unassert_handle", { handle: 77 }, "unknown-handle");
      await refused("query", { goal: "human", context }, "malformed");
      await refused("query", { goal: "(halt)", context }, "not-allowed");
      await refused("query", { goal: "7", context }, "malformed");
      await refused("argue", { sentence: "(human ?x)", context }, "not-ground");
      await refused("matching", { pattern: "[(human ?x) (human ?y)]" }, "not-a-literal");
      const deep = "(human ".repeat(100_000) + ")".repeat(100_000);
      await refused("assert", { sentence: deep, context }, "limit-exceeded");
      assert.deepEqual(await answers(rig, "(human ?x)"), [{ "?x": "plato" }]);
      assert.equal(await rig.journal(), "");
    }),
);

Deno.test(
  "a batch is stored whole or not at all, and says which is wrong",
  options,
  () =>
    withVerbs({ "base.pl": base }, async (rig) => {
      await assert.rejects(
        rig.assertAll([["(likes bob tea)", CX], ["(likes bob ?x)", CX], ["(lieks bob tea)", CX]]),
        ({ partial }) => {
          assert.deepEqual(
            partial.errors.map(({ index, code }: Record<string, unknown>) => [index, code]),
            [[1, "not-ground"], [2, "undeclared-predicate"]],
          );
          return true;
        },
      );
      assert.deepEqual(await answers(rig, "(likes bob ?x)"), []);
      const { results } = await rig.assertAll([["(likes bob tea)", CX], ["(likes ann tea)", CX]]);
      assert.deepEqual(results.map(({ status }) => status), ["asserted", "already_there"]);
      assert.equal((await rig.journal()).trim().split("\n").length, 1);
    }),
);

for (const syntax of ["edn", "prolog"] as const) {
  Deno.test(`what the verbs say of themselves is so, in ${syntax}`, options, async () => {
    for (const verb of verbs) {
      await withVerbs({ "base.pl": base }, async (rig) => {
        if (verb.name !== "assert") {
          await rig.call("assert", { sentence: "(human socrates)", context: CX });
        }
        const { input, says } = verb.examples[syntax];
        const { texts } = await rig.call(verb.name, input, { syntax });
        assert.ok(texts[0].includes(says), `${verb.name}: ${texts[0]}`);
      });
    }
  });
}

Deno.test(
  "a fact of the usual tools is a sentence, by whoever made its commit",
  options,
  () =>
    withVerbs({ "base.pl": base }, async (rig) => {
      await rig.commit({ op: "remember", fact: "human(carl)" });
      const { structure } = await rig.call("matching", { pattern: "(human carl)" });
      const [{ provenance, ...match }] = structure.matches as Record<string, unknown>[];
      const { creator, asserted_at } = provenance as Record<string, string>;
      assert.deepEqual([match.context, match.strength, creator], [CX, "default", "fork"]);
      assert.ok(Date.parse(asserted_at) > 0, asserted_at);
    }),
);

Deno.test(
  "a write whose handle cannot be kept is not told as one that was not done",
  options,
  () =>
    withVerbs({ "base.pl": base }, async (rig) => {
      const sentence = { sentence: "(human zeno)", context: CX };
      rig.handles.handlesOf = () => Promise.reject(notSaved("the disk is full"));
      for (const verb of ["assert", "unassert", "assert"]) {
        const { structure } = await rig.call(verb, sentence);
        assert.equal(structure.code, "outcome-indeterminate");
        assert.match(String(structure.error), /It is done, .* the disk is full/);
      }
      await assert.rejects(rig.assertAll([["(human zoe)", CX]]), { message: /It is done/ });
      assert.deepEqual(await answers(rig, "(human zeno)"), [{}]);
      assert.deepEqual(await answers(rig, "(human zoe)"), [{}]);
    }),
);
