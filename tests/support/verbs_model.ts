/**
 * What a memory of sentexes must believe, in a few lines: the contexts, the excepts and the rules of the generated test
 * of the verbs (`tests/verbs/model_test.ts`), evaluated by trying everything.
 */

export const CONSTANTS = ["a", "b", "c"];

/** `Sub` sees `Super`: two of them see each other. */
export const SEES: [sub: string, sup: string][] = [
  ["CxA", "CxB"],
  ["CxB", "CxC"],
  ["CxC", "CxB"],
  ["CxD", "CxA"],
];

export const BASE = "CxUniverse";
export const CONTEXTS = [BASE, "CxA", "CxB", "CxC", "CxD"];

/** A literal with variables x, y, z or constants, perhaps not to be known, perhaps in another context. */
interface Literal {
  predicate: string;
  args: string[];
  unknown?: boolean;
  ist?: string;
}

export interface Rule {
  head: Literal;
  body: Literal[];
  edn: string;
}

/** From the lowest; what is not known is always lower. */
const STRATA = [["e", "f", "dom", "t"], ["s", "s2"], ["u", "not u"], ["w"]];

export const PREDICATES: Record<string, number> = {
  e: 2,
  f: 2,
  dom: 1,
  t: 2,
  s: 1,
  s2: 1,
  u: 1,
  "not u": 1,
  w: 1,
};

export const RULES: Rule[] = [
  rule("t x y", ["e x y"]),
  rule("t x z", ["t x y", "t y z"]),
  rule("t x y", ["t y x"]),
  rule("e x y", ["f y x"]),
  rule("dom x", ["e x y"]),
  rule("s x", ["e x y", "?t y x"]),
  rule("s x", ["s2 x"]),
  rule("s2 x", ["s x", "e x x"]),
  rule("u x", ["dom x", "?s x"], "(exceptWhen (s ?x) (implies (dom ?x) (u ?x)))"),
  rule("not u x", ["s x", "dom x"]),
  rule("w x", ["not u x", "dom x"]),
  rule("w x", ["CxB:s x"]),
];

/** `?p x` is (unknown (p ?x)), `Cx:p x` is (ist Cx (p ?x)). */
function rule(head: string, body: string[], edn?: string): Rule {
  const literals = body.map(literal);
  const parts = literals.map(text);
  const condition = parts.length === 1 ? parts[0] : `(and ${parts.join(" ")})`;
  return {
    head: literal(head),
    body: literals,
    edn: edn ?? `(implies ${condition} ${text(literal(head))})`,
  };
}

function literal(words: string): Literal {
  const [, unknown, ist, rest] = /^(\?)?(?:(\w+):)?(.*)$/.exec(words)!;
  const [, predicate, args] = /^((?:not )?\w+) (.*)$/.exec(rest)!;
  return {
    predicate,
    args: args.split(" "),
    ...(unknown && { unknown: true }),
    ...(ist !== undefined && { ist }),
  };
}

function text({ predicate, args, unknown, ist }: Literal): string {
  const plain = sentenceOf(predicate, args.map((arg) => `?${arg}`));
  if (unknown) return `(unknown ${plain})`;
  return ist === undefined ? plain : `(ist ${ist} ${plain})`;
}

export function sentenceOf(predicate: string, args: string[]): string {
  const denied = predicate.startsWith("not ");
  const plain = `(${denied ? predicate.slice(4) : predicate} ${args.join(" ")})`;
  return denied ? `(not ${plain})` : plain;
}

/** A fact as `p a b`, a rule as its number, an except as what it hides. */
export type Sentence = string | number | { hides: Key };

export interface Key {
  context: string;
  sentence: Sentence;
}

export class Model {
  /** In the order in which they were asserted; the same key may stand there again. */
  readonly sentexes: Key[] = [];
  /** What was found since the last change. */
  readonly #believed = new Map<string, boolean>();

  sees(context: string): Set<string> {
    const seen = new Set([context, BASE]);
    for (const one of seen) {
      for (const [sub, sup] of SEES) if (sub === one) seen.add(sup);
    }
    return seen;
  }

  /** The places of what hides the sentex at a place, seen from a context. */
  hiders(context: string, place: number): number[] {
    const seen = this.sees(context);
    return this.sentexes.flatMap(({ context: where, sentence }, at) => {
      if (at <= place || !seen.has(where) || typeof sentence !== "object") return [];
      return same(sentence.hides, this.sentexes[place]) && this.believed(context, at) ? [at] : [];
    });
  }

  believed(context: string, place: number): boolean {
    const name = `${this.sentexes.length} ${context} ${place}`;
    const known = this.#believed.get(name);
    if (known !== undefined) return known;
    const believed = this.hiders(context, place).length === 0;
    this.#believed.set(name, believed);
    return believed;
  }

  /** Where a key stands. */
  places(key: Key): number[] {
    return this.sentexes.flatMap((each, place) => same(each, key) ? [place] : []);
  }

  assert(key: Key): "asserted" | "already_there" | "restored" {
    const places = this.places(key);
    if (places.length === 0) {
      this.sentexes.push(key);
      return "asserted";
    }
    if (places.some((place) => this.believed(key.context, place))) return "already_there";
    const hiders = places.flatMap((place) => this.hiders(key.context, place));
    for (const hides of distinct(hiders.map((place) => this.sentexes[place]))) {
      this.sentexes.push({ context: key.context, sentence: { hides } });
    }
    return "restored";
  }

  /** Hides what matches, is seen from the context and is believed there; what that was. */
  unassert(context: string, matches: (key: Key) => boolean): Key[] {
    const seen = this.sees(context);
    const held = this.sentexes.filter((key, place) =>
      seen.has(key.context) && matches(key) && this.believed(context, place)
    );
    const keys = distinct(held);
    for (const hides of keys) this.sentexes.push({ context, sentence: { hides } });
    return keys;
  }

  /** All facts that hold in a context, as `p a b`, sorted. */
  holds(context: string): string[] {
    return [...this.#upTo(context, STRATA.length - 1)].sort();
  }

  #upTo(context: string, stratum: number): Set<string> {
    const lower = stratum === 0 ? new Set<string>() : this.#upTo(context, stratum - 1);
    const seen = this.sees(context);
    const believed = this.sentexes
      .filter(({ context: where }, place) => seen.has(where) && this.believed(context, place))
      .map(({ sentence }) => sentence);
    const own = STRATA[stratum];
    const facts = believed.filter((each) =>
      typeof each === "string" && own.includes(predicateOf(each))
    );
    const rules = believed.filter((each) => typeof each === "number").map((each) => RULES[each])
      .filter(({ head }) => own.includes(head.predicate));
    const known = new Set([...lower, ...facts as string[]]);
    for (let before = -1; before < known.size;) {
      before = known.size;
      for (const { head, body } of rules) {
        for (const values of assignments()) {
          if (body.every((each) => this.#true(each, values, known, lower, stratum))) {
            known.add(instance(head, values));
          }
        }
      }
    }
    return known;
  }

  #true(
    literal: Literal,
    values: Record<string, string>,
    known: Set<string>,
    lower: Set<string>,
    stratum: number,
  ): boolean {
    const fact = instance(literal, values);
    if (literal.unknown) return !lower.has(fact);
    if (literal.ist !== undefined) return this.#upTo(literal.ist, stratum - 1).has(fact);
    return known.has(fact);
  }
}

function instance({ predicate, args }: Literal, values: Record<string, string>): string {
  return [predicate, ...args.map((arg) => values[arg])].join(" ");
}

function* assignments(): Generator<Record<string, string>> {
  for (const x of CONSTANTS) {
    for (const y of CONSTANTS) for (const z of CONSTANTS) yield { x, y, z };
  }
}

export function predicateOf(fact: string): string {
  return /^((?:not )?\w+)/.exec(fact)![1];
}

export function same(a: Key, b: Key): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function distinct(keys: Key[]): Key[] {
  return keys.filter((key, index) => keys.findIndex((each) => same(each, key)) === index);
}
