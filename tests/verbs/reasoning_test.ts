/** What follows from what is believed (SPEC 3.1, 3.2): contexts, depth, absence, proofs, verdicts, and both syntaxes. */
import assert from "node:assert/strict";
import { BY_ALICE, BY_BASE, type VerbsRig, withVerbs } from "../support/verbs_rig.ts";

const options = { sanitizeOps: false, sanitizeResources: false };
const CX = "CxUniverse";

const base = `genlCx('CxLyon', 'CxFrance').
genlCx('CxFrance', 'CxEurope').
genlCx('CxEurope', 'CxFrance').
arity(part, 2). arity(wet, 1). arity(bird, 1). arity(flies, 1). arity(penguin, 1). arity(p, 1). arity(q, 1).
part(X, Z) :- part(X, Y), part(Y, Z).
bird(tux). bird(tweety).
penguin(tux).
even(z).
even(s(s(X))) :- even(X).
`;

async function ask(rig: VerbsRig, goal: string, context = CX, more = {}) {
  const { structure, isError } = await rig.call("query", { goal, context, ...more });
  assert.ok(!isError, JSON.stringify([goal, structure]));
  return structure;
}

async function values(rig: VerbsRig, goal: string, context = CX) {
  const { answers } = await ask(rig, goal, context);
  return (answers as Record<string, string>[]).map((answer) => Object.values(answer).join(" "));
}

async function tell(rig: VerbsRig, sentence: string, context = CX) {
  const { structure, isError } = await rig.call("assert", { sentence, context });
  assert.ok(!isError, JSON.stringify([sentence, structure]));
  return structure;
}

Deno.test(
  "a context sees what stands above it, all see the base, circles are harmless",
  options,
  () =>
    withVerbs({ "base.pl": base }, async (rig) => {
      await tell(rig, "(p lyon)", "CxLyon");
      await tell(rig, "(p france)", "CxFrance");
      await tell(rig, "(p europe)", "CxEurope");
      await tell(rig, "(p all)", CX);
      assert.deepEqual(await values(rig, "(p ?x)", "CxLyon"), ["lyon", "france", "europe", "all"]);
      assert.deepEqual(await values(rig, "(p ?x)", "CxEurope"), ["france", "europe", "all"]);
      assert.deepEqual(await values(rig, "(p ?x)", CX), ["all"]);
      assert.deepEqual(await values(rig, "(p ?x)", "CxMars"), ["all"]);
      assert.deepEqual(await values(rig, "(ist CxEurope (p ?x))", CX), ["france", "europe", "all"]);
      assert.deepEqual(await values(rig, "[(p ?x) (unknown (ist CxFrance (p ?x)))]", "CxLyon"), [
        "lyon",
      ]);
      await tell(rig, "(implies (ist CxLyon (p ?x)) (q ?x))", CX);
      assert.deepEqual(await values(rig, "(q ?x)"), ["lyon", "france", "europe", "all"]);
      const inner = await tell(rig, "(ist CxEurope (ist CxLyon (p rhone)))", CX);
      assert.equal(inner.context, "CxLyon");
    }),
);

Deno.test(
  "circles of rules end, and depth is how many rules stand above each other",
  options,
  () =>
    withVerbs({ "base.pl": base }, async (rig) => {
      for (const [a, b] of ["ab", "bc", "cd", "de", "ea"]) await tell(rig, `(part ${a} ${b})`);
      const whole = await ask(rig, "(part a ?x)");
      assert.deepEqual(
        (whole.answers as { "?x": string }[]).map((answer) => answer["?x"]).sort(),
        ["a", "b", "c", "d", "e"],
      );
      assert.equal(whole.warnings, undefined);
      assert.deepEqual((await ask(rig, "(part a ?x)", CX, { max_depth: 0 })).answers, [{
        "?x": "b",
      }]);
      const shallow = await ask(rig, "(part a ?x)", CX, { max_depth: 1 });
      assert.deepEqual(shallow.answers, [{ "?x": "b" }, { "?x": "c" }]);
      assert.match(String(shallow.warnings), /to depth 1 only/);
      const endless = await ask(rig, "(even ?x)", CX, { max_depth: 3 });
      assert.equal((endless.answers as unknown[]).length, 4);
      assert.match(String(endless.warnings), /to depth 3 only/);
      // The absence of what follows in a circle is certain; that of what was cut is not.
      assert.deepEqual(await values(rig, "(unknown (part a f))"), [""]);
      const cut = await ask(rig, "(unknown (even (s (s (s (s (s z)))))))", CX, { max_depth: 1 });
      assert.deepEqual(cut.answers, []);
      assert.match(String(cut.warnings), /to depth 1 only/);
      await tell(rig, "(implies (and (bird ?x) (unknown (wet ?x))) (wet ?x))");
      const undecided = await ask(rig, "(wet tux)");
      assert.deepEqual(undecided.answers, []);
      assert.match(String(undecided.warnings), /depends on the absence of itself/);
    }),
);

Deno.test(
  "a proof names who said what, and is as strong as its weakest part",
  options,
  () =>
    withVerbs({ "base.pl": base }, async (rig) => {
      const fact = await tell(rig, "(part wheel car)");
      const other = await tell(rig, "(part car train)", "CxFrance");
      const rule = await tell(
        rig,
        "(implies (and (part ?a ?b) (> 2 1) (unknown (wet ?b))) (p ?a))",
      );
      const { justifications } = await ask(rig, "(p wheel)", "CxFrance", { justify: true });
      const stated = (sentence: string, { handle, context }: Record<string, unknown>) => ({
        sentence,
        handle,
        context,
        by: "fact",
        provenance: BY_ALICE,
        strength: "default",
        premises: [],
      });
      assert.deepEqual(justifications, [[{
        sentence: "(p wheel)",
        handle: rule.handle,
        context: CX,
        by: "rule",
        rule: "(implies (and (part ?a ?b) (> 2 1) (unknown (wet ?b))) (p ?a))",
        provenance: BY_ALICE,
        strength: "default",
        premises: [
          stated("(part wheel car)", fact),
          { sentence: "(> 2 1)", by: "builtin", strength: "monotonic", premises: [] },
          { sentence: "(unknown (wet car))", by: "unknown", strength: "default", premises: [] },
        ],
      }]]);
      const chained = await ask(rig, "(part wheel train)", "CxFrance", { justify: true });
      const [[{ strength, provenance, premises }]] = chained.justifications as Record<
        string,
        unknown
      >[][];
      assert.deepEqual([strength, provenance], ["default", BY_BASE]);
      assert.deepEqual(premises, [
        stated("(part wheel car)", fact),
        stated("(part car train)", other),
      ]);
      const ofBase = await ask(rig, "(even (s (s z)))", CX, { justify: true });
      assert.equal(
        (ofBase.justifications as Record<string, unknown>[][])[0][0].strength,
        "monotonic",
      );
    }),
);

Deno.test(
  "argue has four verdicts, and the side that nothing can defeat wins",
  options,
  () =>
    withVerbs({
      "base.pl": `${base}-flies(X) :- penguin(X).\nflies(X) :- bird(X), \\+ -flies(X).\n`,
    }, async (rig) => {
      const argue = async (sentence: string, context = CX) =>
        (await rig.call("argue", { sentence, context })).structure;
      assert.equal((await argue("(bird tux)")).verdict, "true");
      assert.equal((await argue("(not (bird tux))")).verdict, "false");
      assert.equal((await argue("(bird rex)")).verdict, "unknown");
      assert.equal((await argue("(flies tux)")).verdict, "false");
      assert.equal((await argue("(flies tweety)")).verdict, "true");
      await tell(rig, "(not (bird tux))");
      const won = await argue("(bird tux)");
      assert.equal(won.verdict, "true");
      assert.deepEqual(
        [
          (won.for as { strength: string }[])[0].strength,
          (won.against as { strength: string }[])[0].strength,
        ],
        ["monotonic", "default"],
      );
      await tell(rig, "(wet dog)");
      await tell(rig, "(not (wet dog))", "CxFrance");
      assert.equal((await argue("(wet dog)")).verdict, "true");
      assert.equal((await argue("(wet dog)", "CxFrance")).verdict, "contradiction");
      assert.equal((await argue("(ist CxFrance (not (wet dog)))")).verdict, "contradiction");
      assert.equal((await argue("(not (not (wet dog)))")).verdict, "true");
    }),
);

Deno.test(
  "both syntaxes say the same, and answer in their own",
  options,
  () =>
    withVerbs({ "base.pl": base }, async (rig) => {
      const pairs: [edn: string, prolog: string][] = [
        ['(p "a b")', 'p("a b")'],
        ['(p #zpm/atom "A B")', "p('A B')"],
        ["(p [1 [x] (f 2.5)])", "p([1, [x], f(2.5)])"],
        ["(not (p a))", "-p(a)"],
        ["(implies (p ?x) (q ?x))", "q(X) :- p(X)"],
        ["(implies (and (p ?x) (q ?x) (> 2 1)) (wet ?x))", "wet(X) :- p(X), q(X), 2 > 1"],
        ["(implies (and (p ?x) (unknown (q ?x))) (wet ?x))", "wet(X) :- p(X), \\+ q(X)"],
        ["(implies (and (p ?x) (unknown (not (q ?x)))) (wet ?x))", "wet(X) :- p(X), not(-q(X))"],
        ["(implies (ist CxLyon (p ?x)) (not (q ?x)))", "-q(X) :- ist('CxLyon', p(X))"],
        ["(exceptWhen (q ?x) (implies (p ?x) (wet ?x)))", "exceptWhen(q(X), (wet(X) :- p(X)))"],
      ];
      const prolog = { syntax: "prolog" } as const;
      for (const [edn, text] of pairs) {
        const first = await tell(rig, edn);
        const input = { sentence: text, context: "'CxUniverse'" };
        const { structure } = await rig.call("assert", input, prolog);
        assert.deepEqual(
          [structure.handle, structure.status],
          [first.handle, "already_there"],
          text,
        );
        const again = { sentence: structure.sentence, context: "'CxUniverse'" };
        const shown = await rig.call("assert", again, prolog);
        assert.deepEqual(shown.structure, structure);
        const back = await tell(rig, String(first.sentence));
        assert.equal(back.handle, first.handle);
      }
      const goal = { goal: 'p(X), X \\== "a b"', context: "'CxUniverse'" };
      const { structure } = await rig.call("query", goal, prolog);
      assert.deepEqual(structure.answers, [{ X: "'A B'" }, { X: "[1, [x], f(2.5)]" }]);
      for (
        const bad of [
          "p(a), q(a)",
          "p(X) --> q",
          ":- p(a)",
          "p(a). q(a)",
          "forall(p(X), q(X))",
          "p(a) ; q(a)",
        ]
      ) {
        const refused = await rig.call("assert", { sentence: bad, context: "c" }, prolog);
        assert.equal(refused.structure.code, "malformed", bad);
      }
    }),
);

Deno.test(
  "runaway goals end, and what is not known is told",
  options,
  () =>
    withVerbs({ "base.pl": base }, async (rig) => {
      const many = await ask(rig, "(length ?list ?n)", CX, { limit: 5 });
      assert.deepEqual([(many.answers as unknown[]).length, many.truncated], [5, true]);
      const large = await ask(rig, "(between 1 100000 ?n)", CX, { limit: 10_000 });
      assert.deepEqual([(large.answers as unknown[]).length, large.truncated], [10_000, true]);
      const long20 = "y".repeat(1_000);
      for (let n = 0; n < 20; n++) await tell(rig, `(q ${long20}${n})`);
      const cut = await ask(rig, "(q ?x)");
      assert.deepEqual([(cut.answers as unknown[]).length, cut.truncated], [16, true]);
      const proved = await ask(rig, "(q ?x)", CX, { justify: true });
      assert.equal((proved.answers as unknown[]).length, 7);
      assert.equal((proved.justifications as unknown[]).length, 7);
      const whole = await ask(rig, "(q ?x)", CX, { limit: 100 });
      assert.deepEqual([(whole.answers as unknown[]).length, whole.truncated], [20, false]);
      const matches = await rig.call("matching", { pattern: "(q ?x)" });
      assert.equal(matches.structure.truncated, true);
      const unknown = await ask(rig, "(brid tux)");
      assert.deepEqual([unknown.answers, unknown.unknown], [[], ["brid/1"]]);
      assert.match(String(unknown.warnings), /brid\/1 is not known .* did you mean bird\/1\?/);
      const raised = await rig.call("query", { goal: "(is ?x (+ a 1))", context: CX });
      assert.equal(raised.structure.code, "raised");
      const deep = "(s ".repeat(250) + "z" + ")".repeat(250);
      const tooDeep = await rig.call("assert", { sentence: `(p ${deep})`, context: CX });
      assert.equal(tooDeep.structure.code, "limit-exceeded", JSON.stringify(tooDeep.structure));
      const fits = "(s ".repeat(240) + "z" + ")".repeat(240);
      for (let round = 0; round < 3; round++) {
        await tell(rig, `(p ${fits})`);
        const excepted = await rig.call("unassert", { sentence: `(p ${fits})`, context: CX });
        assert.equal(excepted.structure.status, "excepted");
      }
      const long = "x".repeat(1_000_000);
      await tell(rig, `(p ${long})`);
      assert.deepEqual((await ask(rig, "(p ?x)")).answers, [{ "?x": long }]);
    }),
);

Deno.test(
  "rules of the base may use what Prolog has, and it asks what is believed",
  options,
  () =>
    withVerbs({
      "base.pl": `arity(p, 1). arity(q, 2). arity(blocked, 1).
count(N) :- aggregate_all(count, p(_), N).
all(L) :- findall(X, p(X), L).
every :- forall(p(X), \\+ blocked(X)).
mapped(L) :- maplist(q, [a, b], L).
lambda(L) :- maplist([X, Y]>>q(X, Y), [a, b], L).
chosen(X, Y) :- ( blocked(X) -> Y = no ; Y = yes ).
first(X) :- once(p(X)).
cut(X) :- p(X), !.
size(0, []).
size(N, [_|T]) :- size(M, T), N is M + 1.
grouped(X, L) :- bagof(Y, q(X, Y), L).
inner(X) :- call(p, X).
caught(X) :- catch(raises(X), error(_, _), p(X)).
raises(X) :- p(X), Y is X + 1, q(Y, X).
`,
    }, async (rig) => {
      for (const x of "abc") await tell(rig, `(p ${x})`);
      await tell(rig, "(q a one)");
      await tell(rig, "(q b two)");
      await tell(rig, "(blocked b)", "CxB");
      await rig.call("unassert", { sentence: "(p c)", context: CX });
      assert.deepEqual(await values(rig, "(count ?n)"), ["2"]);
      assert.deepEqual(await values(rig, "(all ?l)"), ["[a b]"]);
      assert.deepEqual(await values(rig, "(every)"), [""]);
      assert.deepEqual(await values(rig, "(every)", "CxB"), []);
      assert.deepEqual(await values(rig, "(mapped ?l)"), ["[one two]"]);
      assert.deepEqual(await values(rig, "(lambda ?l)"), ["[one two]"]);
      assert.deepEqual(await values(rig, "(chosen b ?y)"), ["yes"]);
      assert.deepEqual(await values(rig, "(chosen b ?y)", "CxB"), ["no"]);
      assert.deepEqual(await values(rig, "(first ?x)"), ["a"]);
      assert.deepEqual(await values(rig, "(cut ?x)"), ["a"]);
      assert.deepEqual(await values(rig, "(size ?n [x y z])"), ["3"]);
      assert.deepEqual(await values(rig, "(grouped ?x ?l)"), ["a [one]", "b [two]"]);
      assert.deepEqual(await values(rig, "(inner ?x)"), ["a", "b"]);
      assert.deepEqual(await values(rig, "(caught ?x)"), ["a", "b"]);
      assert.deepEqual(await values(rig, "[(count ?n) (is ?m (* ?n 10))]"), ["2 20"]);
    }),
);
