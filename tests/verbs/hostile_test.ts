/** Texts that nobody should send, to every verb in both syntaxes: each is answered in a known way, and no engine ends. */
import assert from "node:assert/strict";
import { verbs } from "../../src/verbs/registry.ts";
import { generator } from "../support/random.ts";
import { withVerbs } from "../support/verbs_rig.ts";

const options = { sanitizeOps: false, sanitizeResources: false };
const seed = Number(Deno.env.get("ZPM_SEED") ?? 5);
const calls = Number(Deno.env.get("ZPM_CALLS") ?? 600);

const base = `arity(p, 1). arity(q, 2). arity(r, 0).
p(a). q(a, b). q(b, a).
q(X, Z) :- q(X, Y), q(Y, Z).
p(X) :- q(X, X), \\+ -p(X).
genlCx(c1, c2). genlCx(c2, c1).
`;

/** What a fault of ours would be. */
const OURS = ["internal", "engine-lost", "not-saved", "outcome-indeterminate", "read-only"];

const PIECES = {
  edn:
    "( ) [ ] { } #{ #_ #zpm/atom #inst ' ` ~ @ ^ \\a : :k ?x ?y ? _ p q r a b not and implies unknown ist " +
    'exceptWhen except forall genlCx $sentex $except halt assertz findall call \\+ :- -> ; | "s" "\\u0041" "\\ud800" ' +
    "1 -1 007 1.5 1e999 1/3 1/0 ##Inf ##NaN 123456789012345678901234567890 true false nil [] () - + é 日 \u202e \u0000",
  prolog:
    "( ) [ ] { } | , ; -> :- \\+ - not p q r a b X Y _ ist exceptWhen except forall genlCx '$sentex' '$except' halt " +
    "assertz findall call : zpm_memories lists . .. % /* */ 0' \"s\" 's' `c` 1 -1 1.5 1e999 1r3 inf nan = == is " +
    "@ \u202e \u0000 λ é \ud800 X^Y (a:-b) !",
};

Deno.test(
  `hostile texts end in a known refusal or an answer (ZPM_SEED=${seed})`,
  options,
  () =>
    withVerbs({ "base.pl": base }, async (rig) => {
      const random = generator(seed);
      for (let call = 0; call < calls; call++) {
        const syntax = random(2) === 0 ? "edn" : "prolog";
        const verb = verbs[random(verbs.length)];
        const input = Object.fromEntries(
          Object.entries(verb.input as Record<string, { type: string; required: boolean }>)
            .filter(([, { required }]) => required || random(3) === 0)
            .map(([name, { type }]) => [name, valueOf(name, type, syntax, random)]),
        );
        const { structure, texts, isError } = await rig.call(verb.name, input, { syntax });
        const shown = JSON.stringify([syntax, verb.name, input, structure]);
        assert.ok(!OURS.includes(String(structure.code)), shown);
        assert.ok(texts[0].length > 0, shown);
        if (isError) {
          assert.ok(typeof structure.error === "string" && structure.error !== "", shown);
        }
      }
      const { structure } = await rig.call("query", {
        goal: "(arity p ?n)",
        context: "CxUniverse",
      });
      assert.deepEqual(structure.answers, [{ "?n": "1" }]);
    }),
);

/** What reads, and may mean anything. */
function term(syntax: "edn" | "prolog", depth: number, random: (below: number) => number): string {
  const leaves = syntax === "edn" ? 'a b ?x ?y 1 2.5 "s" [] p' : 'a b X Y 1 2.5 "s" [] p';
  const pick = (words: string) => words.split(" ")[random(words.split(" ").length)];
  if (depth === 0) return pick(leaves);
  const parts = Array.from({ length: 1 + random(3) }, () => term(syntax, depth - 1, random));
  if (random(6) === 0) return `[${parts.join(syntax === "edn" ? " " : ", ")}]`;
  const name = pick(NAMES);
  return syntax === "edn" ? `(${name} ${parts.join(" ")})` : `'${name}'(${parts.join(", ")})`;
}

/** Predicates, forms, and what a goal might try to reach the engine with. */
const NAMES =
  "p p p q q q r not and implies unknown ist exceptWhen is < = member append length between findall forall " +
  "aggregate_all bagof call once ignore catch throw maplist foldl copy_term atom_length functor arg =.. clause " +
  "assertz retract nb_setval b_setval trie_new trie_insert trie_update trie_gen halt print_message format write read " +
  "consult use_module op set_prolog_flag garbage_collect abolish_all_tables tnot snapshot transaction freeze dif when " +
  "term_to_atom setof limit order_by call_with_depth_limit call_with_inference_limit string_concat sub_atom tab nl";

function valueOf(
  name: string,
  type: string,
  syntax: "edn" | "prolog",
  random: (below: number) => number,
): unknown {
  if (random(40) === 0) return [null, 7, {}, [], "", " ", -1, 1e300][random(8)];
  if (type === "integer") return random(20);
  if (type === "boolean") return random(2) === 0;
  if (name === "strength") return ["default", "monotonic"][random(2)];
  if (name === "context" && random(5) > 0) return ["c1", "c2", "c3"][random(3)];
  if (random(2) === 0) return term(syntax, 1 + random(4), random);
  const pieces = PIECES[syntax].split(" ");
  const drawn = Array.from({ length: 1 + random(9) }, () => pieces[random(pieces.length)]);
  const closed = random(3) > 0;
  if (syntax === "edn") {
    return closed ? `(${["p", "q", "not"][random(3)]} ${drawn.join(" ")})` : drawn.join(" ");
  }
  return closed
    ? `${["p", "q", "-p"][random(3)]}(${drawn.join(random(2) === 0 ? "," : " ")})`
    : drawn.join(" ");
}
