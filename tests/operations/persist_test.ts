/** Changing operations: what they make of the file, byte by byte, and of what is served (SPEC 2.3, "Persistence"). */
import assert from "node:assert/strict";
import { withPersisted } from "../support/kept_source.ts";
import { call, refused, term } from "../support/operation_calls.ts";

const options = { sanitizeOps: false, sanitizeResources: false };

/** Operations that let a test say what is to be done; the facts are those of p/1 to p/3. */
const OPERATIONS = `
%! post_add(+Fact:compound) is det.
post_add(F) :- assertz(F).
%! post_front(+Fact:compound) is det.
post_front(F) :- asserta(F).
%! delete_one(+Fact:compound) is semidet.
delete_one(F) :- retract(F).
%! put_instead(+Old:compound, +New:compound) is semidet.
put_instead(Old, New) :- retract(Old), assertz(New).
`;

const DYNAMIC = ":- dynamic p/1, q/2, r/1.\n";

/** Facts before, a call, facts behind; what stands around them stays. */
const REWRITTEN: [before: string, name: string, args: object, after: string][] = [
  ["p(1).\np(2).\n", "post_add", { Fact: term("p", 3) }, "p(1).\np(2).\np(3).\n"],
  ["p(1).\nr(9).\n", "post_add", { Fact: term("p", 3) }, "p(1).\np(3).\nr(9).\n"],
  ["r(9).\n", "post_add", { Fact: term("p", 3) }, "r(9).\np(3).\n"],
  ["r(9).", "post_add", { Fact: term("p", 3) }, "r(9).\np(3)."],
  ["r(9). % last", "post_add", { Fact: term("p", 3) }, "r(9). % last\np(3)."],
  ["r(9).\n% last", "post_add", { Fact: term("p", 3) }, "r(9).\n% last\np(3)."],
  ["p(9). % last", "post_add", { Fact: term("p", 3) }, "p(9). % last\np(3)."],
  ["p(1). r(9).\n", "post_add", { Fact: term("p", 3) }, "p(1).\np(3).\n r(9).\n"],
  ["p(1). /* a\nb */\n", "post_add", { Fact: term("p", 3) }, "p(1).\np(3).\n /* a\nb */\n"],
  [
    "p(X) :-\n  X > 8. % a rule\nr(1).\n",
    "post_add",
    { Fact: term("p", 3) },
    "p(X) :-\n  X > 8. % a rule\np(3).\nr(1).\n",
  ],
  ["p(1).\np(2).\n", "post_front", { Fact: term("p", 3) }, "p(3).\np(1).\np(2).\n"],
  ["  p(1).\n", "post_front", { Fact: term("p", 3) }, "p(3).\n  p(1).\n"],
  ["r(1). p(1).\n", "post_front", { Fact: term("p", 3) }, "r(1). p(3).\np(1).\n"],
  ["% a\np(1).\n\np(2). % b\n", "delete_one", { Fact: term("p", 1) }, "% a\n\np(2). % b\n"],
  ["% a\np(1).\n\np(2). % b\n", "delete_one", { Fact: term("p", 2) }, "% a\np(1).\n\n"],
  ["p(1).\n  p(2).  ", "delete_one", { Fact: term("p", 2) }, "p(1).\n"],
  ["p(1).\np(1).\np(2).\n", "delete_one", { Fact: term("p", 1) }, "p(1).\np(2).\n"],
  // The place of a last fact is taken over, with what is remarked beside it.
  [
    "r(7).\n  p(1). % how many\nr(8).\n",
    "put_instead",
    { Old: term("p", 1), New: term("p", 2) },
    "r(7).\n  p(2). % how many\nr(8).\n",
  ],
  [
    "p(1).\np(2).\nr(9).\n",
    "put_instead",
    { Old: term("p", 1), New: term("p", 3) },
    "p(2).\np(3).\nr(9).\n",
  ],
  // Gone and come again is as before.
  [
    "p(1).\np(2).\n",
    "put_instead",
    { Old: term("p", 1), New: term("p", 1) },
    "p(1).\np(2).\n",
  ],
];

for (const newline of ["\n", "\r\n"]) {
  const name = `facts come and go, and everything else stays (${JSON.stringify(newline)})`;
  Deno.test(name, options, async () => {
    for (const [before, name, args, after] of REWRITTEN) {
      const written = (facts: string) =>
        `${OPERATIONS + DYNAMIC}\n/* stays */ \n${facts}`.replaceAll("\n", newline);
      await withPersisted(written(before), async ({ service, source }) => {
        assert.equal(await call(service, name, args), true);
        assert.equal(source.text, written(after), `${name} ${JSON.stringify(args)} ${before}`);
        assert.equal(source.writes, before === after ? 0 : 1);
      });
    }
  });
}

const STRANGE = `
:- op(700, xfx, ===>).
%! post_terms is det.
post_terms :-
    assertz(p(a ===> b)), assertz(p(+)), assertz(p([-, '$VAR'(1), 'A b', "c\\nd", 'e\nf'])),
    assertz(p(- 1)), assertz(p(-1)), assertz(p(1.0e10)), assertz(p(ä)), assertz(p('\\u202E')),
    assertz(p({x, y})), assertz(p((a :- b, c))), assertz(p(1r3)), assertz(p('.'(a, b))), assertz(p([])),
    assertz(p('[]')), assertz(p(123456789012345678901234567890)), assertz(p("")), assertz(+).
%! post_first is det.
post_first :- assertz(r(a ===> b)).
%! terms(-X:any) is nondet.
terms(X) :- p(X).
`;

Deno.test("what is written reads back to the same term, wherever it stands", options, async () => {
  // The operator is declared behind the place of r/1 and before the end.
  const text = ":- dynamic p/1, r/1, (+)/0.\nr(1).\n" + STRANGE;
  await withPersisted(text, async ({ service, source }) => {
    await call(service, "post_terms", {});
    await call(service, "post_first", {});
    assert.match(source.text, /^:- dynamic .*\nr\(1\)\.\nr\(===>\(a, ?b\)\)\.\n/);
    assert.match(source.text, /\np\(a ?===> ?b\)\.\n/);
    const live = await call(service, "terms", {});
    const written = source.text;
    await withPersisted(written, async (again) => {
      assert.deepEqual(await call(again.service, "terms", {}), live);
    });
    await service.reload({ name: "t.pl", bytes: source.bytes });
    assert.deepEqual(await call(service, "terms", {}), live);
  });
});

const KEEPS = `
%! post_rule is det.
post_rule :- assertz((p(X) :- q(X, X))).
%! post_open is det.
post_open :- assertz(p(_)).
%! delete_p(+X:int) is det.
delete_p(X) :- retract(p(X)).
%! delete_rule is det.
delete_rule :- clause(p(X), B), B \\== true, !, retract((p(X) :- B)).
%! delete_open is det.
delete_open :- retract(q(_, 2)), !.
%! post_static is det.
post_static :- assertz(s(2)).
%! post_unknown is det.
post_unknown :- assertz(never_heard_of(1)).
%! post_stream is det.
post_stream :- stream_property(S, alias(user_error)), assertz(p(S)).
%! post_and_fail is semidet.
post_and_fail :- assertz(p(77)), fail.
%! post_and_throw is det.
post_and_throw :- assertz(p(77)), throw(mine).
%! put_broken(-X:any) is det.
put_broken(X) :- assertz(p(77)), X = f(X).
%! post_guarded is det.
post_guarded :- assertz(p(77)), halt.
s(1).
:- dynamic p/1, q/2.
p(1
 ).
p(2). p(3).
/* */ p(4).
p(5). /* a
*/
p(6).
p(X) :- q(X, X).
q(_, 2).
`;

Deno.test("what cannot be saved is refused by its line, and changes nothing", options, async () => {
  const cases: [name: string, args: object, problem: string, said: RegExp][] = [
    ["delete_p", { X: 1 }, "persist-failed", /^t\.pl:28: .*several lines/],
    ["delete_p", { X: 2 }, "persist-failed", /^t\.pl:30: .*shares its line/],
    ["delete_p", { X: 3 }, "persist-failed", /^t\.pl:30: .*shares its line/],
    ["delete_p", { X: 4 }, "persist-failed", /^t\.pl:31: .*shares its line/],
    ["delete_p", { X: 5 }, "persist-failed", /^t\.pl:32: .*shares its line/],
    ["delete_rule", {}, "persist-failed", /^t\.pl:35: .*a rule cannot be taken/],
    ["delete_open", {}, "persist-failed", /^t\.pl:36: .*a fact with variables/],
    ["post_rule", {}, "persist-failed", /^t\.pl:35: .*a rule cannot be written/],
    ["post_open", {}, "persist-failed", /^t\.pl:35: .*a fact with variables cannot be written/],
    ["post_stream", {}, "persist-failed", /^t\.pl:35: .*no text on one line/],
    ["post_static", {}, "prolog-error", /No permission to modify static procedure `s\/1'/],
    ["post_unknown", {}, "prolog-error", /static procedure `never_heard_of\/1'/],
    ["post_and_throw", {}, "prolog-error", /mine/],
    ["post_guarded", {}, "prolog-error", /halt/],
    ["put_broken", {}, "answer-unrepresentable", /cyclic/],
  ];
  await withPersisted(KEEPS, async ({ service, source }) => {
    for (const [name, args, problem, said] of cases) {
      const [actual, message] = await refused(call(service, name, args));
      assert.equal(actual, problem, `${name} ${JSON.stringify(args)}: ${message}`);
      assert.match(message, said, `${name}: ${message}`);
    }
    assert.equal(await call(service, "post_and_fail", {}), false);
    assert.deepEqual([source.text, source.writes], [KEEPS, 0]);
    assert.equal(await call(service, "delete_p", { X: 6 }), true);
    assert.equal(source.text, KEEPS.replace("p(6).\n", ""));
  });
});

const ADDERS = `
:- dynamic p/1.
%! post_atom(+X:atom) is det.
post_atom(X) :- assertz(p(X)).
%! post_string(+X:string) is det.
post_string(X) :- assertz(p(X)).
%! delete_atom(+X:atom) is semidet.
delete_atom(X) :- retract(p(X)).
`;

Deno.test(
  "flags and the encoding of a file hold for what is written into it",
  options,
  async () => {
    const codes = ":- set_prolog_flag(double_quotes, codes)." + ADDERS + "p(a).\n";
    await withPersisted(codes, async ({ service, source }) => {
      assert.equal((await refused(call(service, "post_string", { X: "s" })))[0], "persist-failed");
      assert.equal(await call(service, "post_atom", { X: "ä" }), true);
      assert.equal(source.text, codes + "p(ä).\n");
    });
    const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
    const file = ":- encoding(iso_latin_1)." + ADDERS + "p('\xe4').\np(b).\n";
    await withPersisted(latin(file), async ({ service, source }) => {
      const [problem, said] = await refused(call(service, "post_atom", { X: "ö" }));
      assert.equal(problem, "persist-failed");
      assert.match(said, /^t\.pl:10: .*not written in the encoding of this file/);
      await call(service, "post_atom", { X: "c" });
      await call(service, "delete_atom", { X: "ä" });
      assert.deepEqual(source.bytes, latin(file.replace("p('\xe4').\n", "") + "p(c).\n"));
    });
  },
);

Deno.test(
  "what ends a file early, and clauses in other shapes, are respected",
  options,
  async () => {
    const text = ADDERS + "p(X) :- X = 1.\np(2) :- true.\nq(1).\nend_of_file.\np(3). garbage(\n";
    await withPersisted(text, async ({ service, source }) => {
      await call(service, "post_atom", { X: "d" });
      assert.equal(source.text, text.replace("true.\n", "true.\np(d).\n"));
    });
    const empty = ADDERS + "q(1).\nend_of_file.\nremarks\n";
    await withPersisted(empty, async ({ service, source }) => {
      await call(service, "post_atom", { X: "d" });
      assert.equal(source.text, empty.replace("end_of_file", "p(d).\nend_of_file"));
      await call(service, "delete_atom", { X: "d" });
      assert.equal(source.text, empty);
    });
  },
);
