/** An overlay's `.edn` files: what they add to the base, what they hide, and how they are refused (SPEC 3.3). */
import assert from "node:assert/strict";
import type { Engine } from "../../src/engine/engine.ts";
import { readReply } from "../../src/engine/reply.ts";
import { readForm } from "../../src/verbs/edn.ts";
import { addOverlay } from "../../src/verbs/overlay.ts";
import { withEngine } from "../support/engines.ts";

const options = { sanitizeOps: false, sanitizeResources: false };

const people = `; who is who
(human plato) (human zeus)
(genlCx CxGreece CxEurope)
[(wise plato) CxEurope]
(implies (human ?x) (mortal ?x))
(exceptWhen (god ?x) (implies (human ?x) (dies ?x)))
(god zeus)
`;

Deno.test(
  "an overlay adds to the base, and excepts.edn hides",
  options,
  () =>
    withEngine(async (engine) => {
      const reports: string[] = [];
      await addOverlay(
        engine,
        [
          file("excepts.edn", "(human zeus)\n(human nobody)\n[(wise ?who) CxEurope]"),
          file("people.edn", people),
        ],
        { base_context: "CxUniverse", report: (line) => reports.push(line) },
      );
      assert.deepEqual(await query(engine, "(mortal ?x)"), ["plato"]);
      assert.deepEqual(await query(engine, "(dies ?x)"), ["plato"]);
      assert.deepEqual(await query(engine, "(wise ?x)", "CxGreece"), []);
      assert.deepEqual(reports, [
        "warning: excepts.edn:2: nothing in the base is such a sentence, so nothing is excepted",
      ]);
      // What needs no form of sentences is a clause like any other.
      const usual = { op: "query", memory: "default", goal: "mortal(X)", offset: 0, limit: 9 };
      const bounds = { inferences: 1e6, answer_bytes: 1e4 };
      const { answers } = readReply(await engine.ask({ ...usual, ...bounds }), "query");
      assert.deepEqual(answers, [{ X: "plato" }, { X: "zeus" }]);
    }),
);

Deno.test(
  "an overlay that is none is refused with its place",
  options,
  () =>
    withEngine(async (engine) => {
      const refused = (text: string, message: RegExp) =>
        assert.rejects(
          addOverlay(engine, [file("bad.edn", text)], { base_context: "CxUniverse" }),
          (error: Error & { hint: string }) => message.test(`${error.message} ${error.hint}`),
        );
      await refused("(a b)\n(a {:b 1})", /overlay bad\.edn: .*maps.* line 2, column 4/);
      await refused("(a b)\n\n(forall x y)", /overlay bad\.edn: .*line 3: .*|line 3/);
      await refused("(a b)\n(a ?x)", /line 2: Not ground/);
      assert.deepEqual(await query(engine, "(a ?x)"), []);
    }),
);

function file(name: string, text: string) {
  return { name, bytes: new TextEncoder().encode(text) };
}

async function query(engine: Engine, goal: string, context = "CxUniverse"): Promise<unknown> {
  const reply = await engine.ask({
    op: "verb_query",
    memory: "default",
    goal: readForm(goal, "goal"),
    context: readForm(context, "context"),
    syntax: "edn",
    base_context: "CxUniverse",
    max_depth: 8,
    limit: 10,
    justify: false,
    inferences: 1e6,
    answer_bytes: 1e4,
    max_nodes: 100,
  });
  return (readReply(reply, "query").answers as Record<string, string>[]).map((row) => row["?x"]);
}
