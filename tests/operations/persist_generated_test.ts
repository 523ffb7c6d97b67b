/**
 * Generated files, changed again and again: after each change the file is, byte for byte, what a model of its lines
 * says, and at the end a fresh engine reads the rows that the engine had which followed.
 */
import assert from "node:assert/strict";
import { withPersisted } from "../support/kept_source.ts";
import { call, put, refused, remove, rows, term } from "../support/operation_calls.ts";
import { generator } from "../support/random.ts";

const options = { sanitizeOps: false, sanitizeResources: false };
const seed = Number(Deno.env.get("ZPM_SEED") ?? 1);
const FILES = Number(Deno.env.get("ZPM_FILES") ?? 8);
const CHANGES = 15;

type Random = (below: number) => number;

/** A line of the file, or several that belong together. */
interface Piece {
  text: string;
  /** What ends it; nothing where the file ends without. */
  end: string;
  /** A clause of p/2 begins in it. */
  clause?: "fact" | "rule";
  key?: number;
  value?: number;
  /** It has its line to itself. */
  editable?: boolean;
  /** What stands behind the clause on its line, and is no remark. */
  behind?: string;
}

const OPERATIONS = [
  "%! p(-K:int, -V:int) is nondet.",
  "%  @collection ps key(K)",
  "",
  "%! post_last(+K:int, +V:int) is det.",
  "post_last(K, V) :- assertz(p(K, V)).",
  "%! post_first(+K:int, +V:int) is det.",
  "post_first(K, V) :- asserta(p(K, V)).",
  "%! put_instead(+Old:int, +New:compound) is semidet.",
  "put_instead(K, New) :- retract(p(K, _)), !, assertz(New).",
];

/** What may stand anywhere; NL becomes the file's line break. */
const OTHERS = [
  "",
  "   ",
  "% p(1, 1). is a remark",
  "%% and so is this: ä €",
  "/* p(2, 2). */",
  "/* over\nlines:\np(3, 3).\n*/",
  "q('p(4, 4).').",
  'q("\nit\'s").'.replace("\n", ""),
  "q(0'.). q(0''').",
  "r(X) :-\n    q(X),\n    \\+ X = 1.",
  ":- op(700, xfx, ===>).",
  "q(é). % ü",
];

function generated(random: Random, newline: string): Piece[] {
  const one = <Item>(items: Item[]) => items[random(items.length)];
  let key = 0;
  const pieces: Piece[] = [];
  const add = (piece: Omit<Piece, "end">) =>
    pieces.push({ ...piece, text: piece.text.replaceAll("\n", newline), end: newline });
  const start = random(4);
  if (start === 1) add({ text: "#!/usr/bin/env swipl" });
  add({ text: start === 2 ? "\uFEFF:- dynamic p/2, q/1." : ":- dynamic p/2, q/1." });
  for (const text of OPERATIONS) add({ text });
  for (let n = 5 + random(15); n > 0; n--) {
    key += 1 + random(3);
    const fact = `p(${key}, 0)`;
    const clause = { clause: "fact" as const, key, value: 0 };
    const kind = random(12);
    if (kind < 5) {
      const [before, behind] = [one(["", "  ", "\t"]), one(["", "  ", " % remark", "% p(5, 5)."])];
      add({ text: `${before}${fact}.${behind}`, ...clause, editable: true });
    } else if (kind === 5) add({ text: `p(${key},\n  0).`, ...clause });
    else if (kind === 6) add({ text: `q(1). ${fact}. % shared`, ...clause });
    else if (kind === 7) add({ text: `${fact}.`, ...clause, behind: " q(2)." });
    else if (kind === 8) add({ text: `p(A, B) :- fail,\n  B = A.`, clause: "rule" });
    else add({ text: one(OTHERS) });
  }
  if (random(3) === 0) pieces.at(-1)!.end = "";
  return pieces;
}

function textOf(pieces: Piece[]): string {
  return pieces.map(({ text, behind = "", end }) => text + behind + end).join("");
}

/** Puts a fact behind the last clause, or to the end. */
function addLast(pieces: Piece[], fact: Piece, newline: string): void {
  const at = pieces.findLastIndex(({ clause }) => clause !== undefined);
  const before = pieces.at(at)!;
  if (at >= 0 && before.behind !== undefined) {
    const rest = { text: before.behind, end: before.end };
    pieces.splice(at + 1, 0, { ...fact, end: newline }, rest);
    before.behind = undefined;
    before.end = newline;
    before.editable = true;
    return;
  }
  pieces.splice(at < 0 ? pieces.length : at + 1, 0, { ...fact, end: before.end });
  before.end = newline;
}

function addFirst(pieces: Piece[], fact: Piece, newline: string): void {
  const at = pieces.findIndex(({ clause }) => clause !== undefined);
  if (at < 0) return addLast(pieces, fact, newline);
  const shared = /^q\(1\)\. (p.*)$/s.exec(pieces[at].text);
  if (shared) {
    // The first one now shares the line, and the other one has its own.
    pieces.splice(at, 0, { ...fact, text: `q(1). ${fact.text}`, editable: false, end: newline });
    pieces[at + 1].text = shared[1];
    pieces[at + 1].editable = true;
  } else pieces.splice(at, 0, { ...fact, end: newline });
}

const plainFact = (key: number, value: number): Piece => ({
  text: `p(${key}, ${value}).`,
  end: "",
  clause: "fact",
  key,
  value,
  editable: true,
});

/** In place: what stands around the fact stays. */
function rewrite(piece: Piece, key: number, value: number): void {
  piece.text = piece.text.replace(`p(${piece.key}, ${piece.value}).`, `p(${key}, ${value}).`);
  Object.assign(piece, { key, value });
}

for (let file = 0; file < FILES; file++) {
  const name = `generated file ${file + 1} is changed as its model says (ZPM_SEED=${seed})`;
  Deno.test(name, options, async () => {
    const random = generator(seed * 1_000 + file);
    const newline = random(3) === 0 ? "\r\n" : "\n";
    const pieces = generated(random, newline);
    await withPersisted(textOf(pieces), async ({ service, source }) => {
      for (let n = 0; n < CHANGES; n++) {
        const before = textOf(pieces);
        const said = await changed(service, pieces, { random, newline, value: n + 1 });
        assert.equal(source.text, textOf(pieces), `${said}\n--- before\n${before}`);
      }
      const live = await rows(service, "p");
      const modelled = pieces.filter(({ clause }) => clause === "fact")
        .map(({ key, value }) => ({ K: key, V: value }));
      assert.deepEqual(live, modelled);
      await service.reload({ name: "t.pl", bytes: source.bytes });
      assert.deepEqual(await rows(service, "p"), live);
    });
  });
}

interface Turn {
  random: Random;
  newline: string;
  value: number;
}

type Service = Parameters<typeof call>[0];

/** One change, of the file and of the model; what it was. */
async function changed(service: Service, pieces: Piece[], turn: Turn): Promise<string> {
  const { random, newline, value } = turn;
  const facts = pieces.filter(({ clause }) => clause === "fact");
  const known = facts[random(facts.length)];
  const key = known && random(4) > 0 ? known.key! : 1_000 + value;
  const found = facts.find((fact) => fact.key === key);
  switch (random(5)) {
    case 0:
      if (found) return "nothing";
      await call(service, "post_last", { K: key, V: value });
      addLast(pieces, plainFact(key, value), newline);
      return `post_last ${key}`;
    case 1:
      if (found) return "nothing";
      await call(service, "post_first", { K: key, V: value });
      addFirst(pieces, plainFact(key, value), newline);
      return `post_first ${key}`;
    case 2:
      return await deleted(service, pieces, { key, found });
    case 3:
      return await putRow(service, pieces, { key, found, ...turn });
    default:
      return await instead(service, pieces, { key, found, ...turn });
  }
}

interface Chosen {
  key: number;
  found?: Piece;
}

async function deleted(service: Service, pieces: Piece[], { key, found }: Chosen) {
  const what = `delete ${key}`;
  const work = remove(service, "p", [String(key)]);
  if (found && !found.editable) {
    assert.equal((await refused(work))[0], "persist-failed", what);
    return what;
  }
  assert.equal(await work, found !== undefined, what);
  if (found) pieces.splice(pieces.indexOf(found), 1);
  return what;
}

async function putRow(service: Service, pieces: Piece[], turn: Chosen & Turn) {
  const { key, found, newline, value } = turn;
  const what = `put ${key}`;
  const work = put(service, "p", [String(key)], value);
  if (found && !found.editable) {
    assert.equal((await refused(work))[0], "persist-failed", what);
    return what;
  }
  assert.equal(await work, found === undefined, what);
  if (found) rewrite(found, key, value);
  else addLast(pieces, plainFact(key, value), newline);
  return what;
}

/** A fact goes, another one comes: into its place when it was the last one, else behind the last one. */
async function instead(service: Service, pieces: Piece[], turn: Chosen & Turn) {
  const { key, found, newline, value } = turn;
  const what = `instead of ${key}`;
  const added = 5_000 + value;
  const work = call(service, "put_instead", { Old: key, New: term("p", added, value) });
  if (found && !found.editable) {
    assert.equal((await refused(work))[0], "persist-failed", what);
    return what;
  }
  assert.equal(await work, found !== undefined, what);
  if (!found) return what;
  const last = pieces.findLast(({ clause }) => clause !== undefined);
  if (last === found) rewrite(found, added, value);
  else {
    pieces.splice(pieces.indexOf(found), 1);
    addLast(pieces, plainFact(added, value), newline);
  }
  return what;
}
