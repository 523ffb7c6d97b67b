/** Which mode lines are followed, and why the others are not (SPEC 2.1; the rows H08 and H09 of the cases). */
import assert from "node:assert/strict";
import { FileNotLoaded } from "../../src/base/operation_errors.ts";
import { inputs, type Operation, outputs } from "../../src/operations/operation.ts";
import { operationsOf } from "../support/operation_file.ts";

const options = { sanitizeOps: false, sanitizeResources: false };

const MODES = `
x('%! quoted(+X) is det.').
/* %! in_comment(+X) is det. */
in_comment(1).
%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
%%%% banner(+X) is det. %%%%%%
banner(1).
%!  split(+A:int,
%         -B:list(atom),
%         -C:string) is nondet.
%
%   Text below.
%   @arg A The first,
%     told in two lines.
%   @arg C The last.

% another comment between
split(1, [a], "c").
%% old(-X) is multi.
old(1). old(2).
%! other(+X) is det.
different(1).
%! maybe(?X) is det.
maybe(1).
%! goal(:G) is det.
goal(1).
%! streams(+S:stream) is det.
streams(1).
%! unmarked(X) is det.
unmarked(1).
%! undetermined(+X).
undetermined(1).
%! failing(+X) is failure.
failing(1).
%! gram(+X)// is det.
gram(_) --> [].
%! twice(+X) is det.
%! twice(-X) is nondet.
twice(1).
%! m:qualified(+X) is det.
qualified(1).
%! broken(+X is det.
broken(1).
%! same(+X, -X) is det.
same(1, 1).
%! ready is semidet
ready.
%! rooms(-X:atom) is nondet.
:- dynamic rooms/1.
%! late(+X) is det.
`;

/** What is not followed, in the order of lines. */
const REASONS: [RegExp, RegExp][] = [
  [/^other/, /clauses below it are those of different\/1, not of other\/1/],
  [/^maybe/, /the mode \? of the argument X/],
  [/^goal/, /the mode : of the argument G/],
  [/^streams/, /the type of the argument S .*stream/],
  [/^unmarked/, /the argument X has no mode/],
  [/^undetermined/, /determinism is missing/],
  [/^failing/, /must be det, semidet, nondet or multi/],
  [/^gram/, /grammar rule/],
  [/^twice\(-X\)/, /has a mode line already, in line \d+/],
  [/^m:qualified/, /module in front/],
  [/^broken/, /does not read/],
  [/^same/, /the argument name X stands twice/],
  [/^late/, /no clause follows it/],
];

/** As a mode line says it, without types. */
function line(operation: Operation): string {
  const names = operation.arguments.map(({ name, direction }) =>
    (direction === "in" ? "+" : "-") + name
  );
  return `${operation.name}(${names.join(",")}) ${operation.determinism}`;
}

Deno.test("only a real, adjacent mode line with + and - is followed", options, async () => {
  const { operations, skipped } = await operationsOf(MODES);
  assert.deepEqual(operations.map(line), [
    "split(+A,-B,-C) nondet",
    "old(-X) multi",
    "twice(+X) det",
    "ready() semidet",
    "rooms(-X) nondet",
  ]);
  const split = operations[0];
  assert.equal(split.description, "Text below.");
  assert.deepEqual(split.arguments.map(({ description }) => description), [
    "The first, told in two lines.",
    "",
    "The last.",
  ]);
  assert.deepEqual(split.arguments.map(({ type }) => type), [
    { kind: "int" },
    { kind: "list", of: { kind: "atom" } },
    { kind: "string" },
  ]);
  assert.deepEqual(skipped.length, REASONS.length, JSON.stringify(skipped));
  for (const [at, [mode, why]] of REASONS.entries()) {
    assert.match(skipped[at].mode, mode);
    assert.match(skipped[at].why, why);
  }
});

Deno.test("types nest, and are told as data", options, async () => {
  const { operations } = await operationsOf(`
%! t(+A:list(list(integer)), +B:between(-3, 5), +C:between(0, 1.5), +D:oneof([low, 2]), +E:boolean,
%    +F:compound, +G, -H:nonneg) is det.
t(_, _, _, _, _, _, _, 1).
`);
  const [operation] = operations;
  assert.deepEqual(inputs(operation).map(({ type }) => type), [
    { kind: "list", of: { kind: "list", of: { kind: "int" } } },
    { kind: "between", low: -3, high: 5, whole: true },
    { kind: "between", low: 0, high: 1.5, whole: false },
    { kind: "oneof", values: ["low", 2] },
    { kind: "bool" },
    { kind: "any" },
    { kind: "any" },
  ]);
  assert.deepEqual(outputs(operation).map(({ name }) => name), ["H"]);
});

Deno.test(
  "the module comment, collections, domains, prefixes and writes are told",
  options,
  async () => {
    const set = await operationsOf(`
/** <module> Consent of a study

Who may do what.
*/
%! consent(-Module:atom, -Text:string) is multi.
%
%   @collection consents key(Module)
:- dynamic consent/2.
consent(research, "May be used").
%! colour(-Name:atom) is multi.
colour(red).
%! get_text(+Module:atom, -Text:string) is semidet.
%  @domain Module consents
get_text(M, T) :- consent(M, T).
%! put_consent(+Module:atom, +Colour:atom) is det.
%  @domain Module nothing
%  @domain Colour colour/1
put_consent(M, _) :- assertz(consent(M, "")).
`);
    assert.equal(set.title, "Consent of a study");
    assert.equal(set.description, "Who may do what.");
    assert.equal(set.changes_itself, true);
    assert.deepEqual(
      set.operations.map(({ method, path, changing }) => [method, path, changing]),
      [["GET", "consents", false], ["GET", "colour", false], ["GET", "text", false], [
        "PUT",
        "consent",
        true,
      ]],
    );
    assert.deepEqual(set.operations[0].collection, {
      name: "consents",
      keys: ["Module"],
      dynamic: true,
    });
    assert.deepEqual(set.operations[2].arguments[0].domain, { source: "consents", fixed: false });
    assert.deepEqual(set.operations[3].arguments.map(({ domain }) => domain), [
      undefined,
      { source: "colour/1", fixed: true },
    ]);
    assert.match(set.skipped[0].why, /domain is neither a collection nor a predicate/);
  },
);

Deno.test("a file that does not load is told with its lines", options, async () => {
  await assert.rejects(operationsOf("p(1).\np(2.\np(3).\n"), (error) => {
    assert.ok(error instanceof FileNotLoaded);
    assert.equal(error.message, 'Cannot load "t.pl": 1 error(s)');
    assert.match(error.hint, /^t\.pl:2: error: Syntax error/);
    return true;
  });
});

Deno.test("lines that end with CR LF say the same", options, async () => {
  const text = `/** <module> Title

Text.
*/
%! rows(-K:int,
%       -V:int) is nondet.
%
%  What there is.
%
%  @collection all key(K)
%  @arg V The value.
rows(1, 2).
`;
  const told = await operationsOf(text);
  assert.equal(told.operations[0].collection?.name, "all");
  assert.deepEqual(await operationsOf(text.replaceAll("\n", "\r\n")), told);
});

Deno.test("clauses of a dynamic predicate come and go, its mode line stays", options, async () => {
  const text = `%! note(-Text:string) is nondet.
%  @collection notes key(Text)

%! visit(+Who:atom) is semidet.
other(1).
%! lost(-X:int) is det.
other(2).
q(1 %! inside(+X:int) is det.
).
:- dynamic note/1, inside/1.
:- dynamic([visit/1]).
visit(a).
`;
  const { operations, skipped } = await operationsOf(text);
  assert.deepEqual(operations.map(({ name }) => name), ["note", "visit"]);
  assert.deepEqual(skipped.map(({ why }) => why), [
    "the clauses below it are those of other/1, not of lost/1",
    "it stands inside a clause",
  ]);
});
