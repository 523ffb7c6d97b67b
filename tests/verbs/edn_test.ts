/** EDN in and out: what is read is written the same, exactly, and what is no sentence is refused by name. */
import assert from "node:assert/strict";
import { limits } from "../../src/base/limits.ts";
import { verbCode } from "../../src/base/verb_errors.ts";
import { readForm, readForms, readPlacedForms } from "../../src/verbs/edn.ts";
import { generator } from "../support/random.ts";
import { withVerbs } from "../support/verbs_rig.ts";

const options = { sanitizeOps: false, sanitizeResources: false };
const context = "CxUniverse";

Deno.test("a form becomes texts in prefix notation", () => {
  const read = (text: string) => readForm(text, "text");
  assert.deepEqual(read('(p ?x [1 "a"])'), ["(3", "sp", "vx", "[2", "i1", "ta"]);
  assert.deepEqual(read("; before\n(p, -7 +3 1.5e3 2/3 12N) ; after"), [
    "(6",
    "sp",
    "i-7",
    "i+3",
    "f1.5e3",
    "r2/3",
    "i12",
  ]);
  assert.deepEqual(read("(p #_ (gone ?y) a #_#_ b c)"), ["(2", "sp", "sa"]);
  assert.deepEqual(read('(#zpm/atom "Big Name" ##Inf ##-Inf ##NaN)'), [
    "(4",
    "sBig Name",
    "finf",
    "f-inf",
    "fnan",
  ]);
  assert.deepEqual(read('"a\\"\\\\\\n\\u0041\\uD83D\\uDE00"'), ['ta"\\\nA😀']);
  assert.deepEqual(read("[]"), ["[0"]);
  assert.deepEqual(readForms("a (b) #_ c [d]", "file"), [["sa"], ["(1", "sb"], ["[1", "sd"]]);
  assert.deepEqual(
    readPlacedForms("a b\n\n(c\nd) e", "file").map(({ line }) => line),
    [1, 1, 3, 4],
  );
});

Deno.test("what has no meaning in a sentence is refused by name and place", () => {
  const cases: [text: string, why: RegExp][] = [
    ["", /there is no form at line 1, column 1/],
    ["(p a", /the \) that closes it is missing at line 1, column 1/],
    ["(p\n a]", /\) expected at line 2, column 3/],
    ["(p a))", /a \) too many/],
    ["(p a) (q b)", /exactly one form/],
    ["(p {:a 1})", /maps have no meaning/],
    ["(p #{1 2})", /sets have no meaning/],
    ["(p :key)", /the keyword :key has no meaning/],
    ['(p #inst "2026")', /the tag #inst has no meaning/],
    ["(p #=(java.lang.Runtime))", /the tag #= has no meaning/],
    ["(p \\a)", /characters have no meaning/],
    ["(p 'a)", /'a is not a symbol/],
    ["(p `a)", /`a is not a symbol/],
    ["(p a:b)", /a:b is not a symbol/],
    ["(p 01)", /01 is not a number/],
    ["(p 1.)", /1\. is not a number/],
    ["(p .5)", /\.5 is not a symbol/],
    ["(p 0x10)", /0x10 is not a number/],
    ["(p 1.5M)", /1\.5M is not a number/],
    ["(p 1/0)", /1\/0 is not a number/],
    ['(p "a)', /the string does not end at line 1, column 4/],
    ['(p "\\q")', /escapes/],
    ['(p "\\u00g0")', /escapes/],
    ['(p "\\u0000")', /NUL/],
    ["(p a\u0000b)", /NUL/],
    ['(p "\\uD83D")', /unpaired surrogate/],
    ["(p #_)", /a form is missing/],
    ["(p #zpm/atom)", /a form is missing/],
    ["(p #zpm/atom a)", /#zpm\/atom takes a string/],
    ["#_ (p)", /a form is missing|there is no form/],
  ];
  for (const [text, why] of cases) assert.throws(() => readForm(text, "text"), why, text);
});

Deno.test("large and deep texts are read in time, or refused", () => {
  const deep = (depth: number) => "(p ".repeat(depth) + "a" + ")".repeat(depth);
  assert.equal(readForm(deep(limits.term_depth), "text").length, limits.term_depth * 2 + 1);
  for (const text of [deep(limits.term_depth + 1), deep(100_000), "[".repeat(1_000_000)]) {
    assert.throws(
      () => readForm(text, "text"),
      (error) => verbCode(error as never) === "limit-exceeded",
    );
  }
  const long = "x".repeat(1_000_000);
  assert.deepEqual(readForm(`(p ${long} "${long}")`, "text"), ["(3", "sp", `s${long}`, `t${long}`]);
  assert.throws(() => readForm(`(p ${"1".repeat(1_000_000)})`, "text"), /number has more than/);
  assert.equal(readForm(`(p ${"#_ a ".repeat(100_000)})`, "text").length, 2);
});

Deno.test(
  "what is asserted comes back as it was written",
  options,
  () =>
    withVerbs({ "base.pl": "arity(holds, 1)." }, async (rig) => {
      const random = generator(11);
      const values = [...ODD, ...Array.from({ length: 150 }, () => drawn(random, 3))];
      for (const value of values) {
        const sentence = `(holds ${value})`;
        const asserted = await rig.call("assert", { sentence, context });
        assert.equal(asserted.structure.sentence, sentence, JSON.stringify(asserted.structure));
        const again = await rig.call("query", { goal: sentence, context });
        assert.deepEqual(again.structure.answers, [{}], sentence);
      }
      const all = await rig.call("query", { goal: "(holds ?x)", context, limit: 10_000 });
      const found = (all.structure.answers as Record<string, string>[]).map((answer) =>
        answer["?x"]
      );
      assert.deepEqual(found, [...new Set(values)]);
      await rig.restart();
      const restarted = await rig.call("query", { goal: "(holds ?x)", context, limit: 10_000 });
      assert.deepEqual(restarted.structure, all.structure);
    }),
);

/** Values as they are written back. */
const ODD = [
  "9007199254740993",
  "-123456789012345678901234567890",
  "1/3",
  "-0.0",
  "1.0e+100",
  "0.1",
  "##Inf",
  "##NaN",
  "true",
  "nil",
  "+",
  "->",
  "*a-b/c.d!",
  "été",
  "日本語",
  "[]",
  '#zpm/atom "[]"',
  '#zpm/atom "{}"',
  '#zpm/atom ""',
  '#zpm/atom "Big Name"',
  '#zpm/atom "it\'s \\"quoted\\" \\\\ here"',
  '#zpm/atom "?x"',
  '#zpm/atom "1a"',
  '#zpm/atom "-1"',
  '#zpm/atom ":key"',
  '#zpm/atom "a;b"',
  '""',
  '"\\n\\t\\u0007\\u202e"',
  '"😀 ?x (p) ;"',
  "(f)",
  "(f [1 [2 []]] (g))",
  '(#zpm/atom "F G" a)',
  "(- 1)",
  "(implies a b)",
  "(:- )".replace(":- ", "forall x"),
];

function drawn(random: (below: number) => number, depth: number): string {
  const pick = <T>(from: readonly T[]) => from[random(from.length)];
  const kind = random(depth > 0 ? 6 : 4);
  const parts = () => Array.from({ length: random(4) }, () => drawn(random, depth - 1));
  if (kind === 0) return String(random(1e9) * random(1e9));
  if (kind === 1) return pick(ODD);
  if (kind === 2) {
    return JSON.stringify(String.fromCodePoint(97 + random(26), 0x100 + random(0x100)));
  }
  if (kind === 3) return pick(["a", "b-c", "Cx", "x9", "_", "?".replace("?", "q?")]);
  if (kind === 4) return `[${parts().join(" ")}]`;
  return `(${[pick(["f", "g-h", "not", "and"]), ...parts()].join(" ")})`;
}
