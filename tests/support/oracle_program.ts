/**
 * Programs that end: facts over an acyclic graph, one recursive predicate, and layers of rules with negation, cuts,
 * conditions and aggregates, each over what lies below it. Constants are names and small numbers, which every Prolog
 * prints alike.
 */

export interface Program {
  text: string;
  goals: string[];
}

type Random = (below: number) => number;

const NODES = ["a", "b", "c", "d", "f"];
const LAYERS = 6;

/** A program whose predicates all begin with `name`. */
export function program(random: Random, name: string): Program {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)];
  const edges = NODES.flatMap((from, i) =>
    NODES.slice(i + 1).filter(() => random(2) === 0).map((to) => `${name}e(${from}, ${to}).`)
  );
  const marks = NODES.filter(() => random(2) === 0).map((node) => `${name}m(${node}).`);
  const sizes = NODES.map((node) => `${name}n(${node}, ${random(5)}).`);
  const path = [
    `${name}p(X, Y) :- ${name}e(X, Y).`,
    `${name}p(X, Z) :- ${name}e(X, Y), ${name}p(Y, Z).`,
  ];
  const below = [`${name}e`, `${name}p`];

  const goal = goals(random, name, below);
  const rules: string[] = [];
  for (let layer = 0; layer < LAYERS; layer++) {
    const clauses = Array.from(
      { length: 1 + random(3) },
      () =>
        `${name}r${layer}(X, Y) :- ${
          Array.from({ length: 1 + random(3) }, () => goal(2)).join(", ")
        }.`,
    );
    rules.push(...clauses);
    below.push(`${name}r${layer}`);
  }
  const indicators = [...below, `${name}n`].map((it) => `${it}/2`).concat(`${name}m/1`);
  const asked = below.flatMap((it) => [
    `${it}(X, Y)`,
    `${it}(${pick(NODES)}, Y)`,
    `${it}(X, ${pick(NODES)})`,
    `${it}(${pick(NODES)}, ${pick(NODES)})`,
  ]);
  const declared = `:- dynamic ${indicators.join(", ")}.`;
  return {
    text: [declared, ...edges, ...marks, ...sizes, ...path, ...rules].join("\n"),
    goals: asked,
  };
}

/** Makes goals over the predicates of `below`, which grows while rules are made. */
function goals(random: Random, name: string, below: string[]): (depth: number) => string {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)];
  const term = () => pick(["X", "Y", "Z", ...NODES.slice(0, 3)]);
  const atom = (): string =>
    random(3) === 0
      ? `${name}m(${term()})`
      : random(3) === 0
      ? `${name}n(${term()}, N)`
      : `${pick(below)}(${term()}, ${term()})`;
  const goal = (depth: number): string => {
    const kind = depth === 0 ? 0 : random(14);
    const inner = () => goal(depth - 1);
    switch (kind) {
      case 5:
        return `\\+ (${inner()})`;
      case 6:
        return `( ${inner()} -> ${inner()} ; ${inner()} )`;
      case 7:
        return `( ${inner()} ; ${inner()} )`;
      case 8:
        return `aggregate_all(count, ${atom()}, C), C > ${random(4)}`;
      case 9:
        return `findall(V, ${name}m(V), L), member(Y, L)`;
      case 10:
        return `( ${inner()} *-> ${inner()} ; ${inner()} )`;
      case 11:
        return pick(["!", "X \\== Y", "once(" + atom() + ")", `forall(${atom()}, ${atom()})`]);
      case 12:
        return `${name}n(${term()}, M), M > ${random(4)}`;
      case 13:
        return `catch((${inner()}), _, fail)`;
      default:
        return atom();
    }
  };
  return goal;
}
