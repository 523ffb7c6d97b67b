/** Random asserts and unasserts in many contexts, and after each what holds, against a model that tries everything. */
import assert from "node:assert/strict";
import { generator } from "../support/random.ts";
import {
  BASE,
  CONSTANTS,
  CONTEXTS,
  type Key,
  Model,
  predicateOf,
  PREDICATES,
  RULES,
  same,
  SEES,
  type Sentence,
  sentenceOf,
} from "../support/verbs_model.ts";
import { type VerbsRig, withVerbs } from "../support/verbs_rig.ts";

/** With the second one, an engine once ended that updated compound values of tries. */
const seeds = Deno.env.has("ZPM_SEED") ? [Number(Deno.env.get("ZPM_SEED"))] : [7, 3];
const steps = Number(Deno.env.get("ZPM_STEPS") ?? 80);
const options = { sanitizeOps: false, sanitizeResources: false };

/** The base believes these already, and knows all predicates. */
const kb = [
  ...SEES.map(([sub, sup]) => `genlCx('${sub}', '${sup}').`),
  ...Object.entries(PREDICATES).filter(([name]) => !name.startsWith("not ")).map(([name, arity]) =>
    `arity(${name}, ${arity}).`
  ),
  "e(a, b). e(b, b). dom(c).",
  "t(X, Y) :- e(X, Y).",
].join("\n");

const inBase: Sentence[] = ["e a b", "e b b", "dom c", 0];

for (const seed of seeds) {
  Deno.test(`what is believed, step by step (ZPM_SEED=${seed})`, options, () => run(seed));
}

async function run(seed: number): Promise<void> {
  await withVerbs({ "base.pl": kb }, async (rig) => {
    const walk = new Walk(rig, generator(seed));
    for (const sentence of inBase) await walk.assert({ context: BASE, sentence });
    for (let step = 0; step < steps; step++) {
      const did = await walk.change();
      if (walk.random(25) === 0) await rig.restart();
      const context = walk.pick(CONTEXTS);
      const asked = await holds(rig, context);
      assert.deepEqual(asked, walk.model.holds(context), `step ${step}: ${did}, in ${context}`);
    }
  });
}

class Walk {
  readonly rig: VerbsRig;
  readonly random: (below: number) => number;
  readonly model = new Model();
  /** What the handles that were told stand for. */
  readonly #known = new Map<number, Key>();

  constructor(rig: VerbsRig, random: (below: number) => number) {
    this.rig = rig;
    this.random = random;
    for (const sentence of inBase) this.model.assert({ context: BASE, sentence });
  }

  pick<T>(values: readonly T[]): T {
    return values[this.random(values.length)];
  }

  /** One change of memory and model; what it was. */
  async change(): Promise<string> {
    const key = { context: this.pick(CONTEXTS), sentence: this.#sentence() };
    const kind = this.random(10);
    if (kind < 5) return await this.assert(key);
    if (kind < 8) return await this.#unassert(key);
    return await this.#unassertHandle();
  }

  async assert(key: Key): Promise<string> {
    const input = { sentence: ednOf(key.sentence), context: key.context };
    const { structure } = await this.rig.call("assert", input);
    assert.equal(structure.status, this.model.assert(key), JSON.stringify(input));
    this.#known.set(structure.handle as number, key);
    return `assert ${JSON.stringify(input)}`;
  }

  async #unassert({ context, sentence }: Key): Promise<string> {
    const open = typeof sentence === "string" && this.random(3) === 0;
    const input = { sentence: open ? openOf(sentence) : ednOf(sentence), context };
    const { structure } = await this.rig.call("unassert", input);
    const keys = this.model.unassert(
      context,
      (key) =>
        open
          ? typeof key.sentence === "string" && predicateOf(key.sentence) === predicateOf(sentence)
          : key.sentence === sentence,
    );
    const excepted = structure.excepted as { handle: number; except_handle: number }[];
    assert.equal(excepted.length, keys.length, JSON.stringify(input));
    for (const { handle, except_handle } of excepted) {
      const hides = this.#known.get(handle);
      if (hides) this.#known.set(except_handle, { context, sentence: { hides } });
    }
    return `unassert ${JSON.stringify(input)}`;
  }

  async #unassertHandle(): Promise<string> {
    const [handle, key] = this.pick([...this.#known]);
    const { structure } = await this.rig.call("unassert_handle", { handle });
    const keys = this.model.unassert(key.context, (other) => same(other, key));
    const did = `unassert_handle ${handle}: ${JSON.stringify(key)}`;
    assert.equal(structure.status, keys.length > 0 ? "excepted" : "already_excepted", did);
    const hides = key;
    this.#known.set(structure.except_handle as number, {
      context: key.context,
      sentence: { hides },
    });
    return did;
  }

  #sentence(): string | number {
    if (this.random(3) === 0) return this.random(RULES.length);
    const predicate = this.pick(Object.keys(PREDICATES));
    const args = Array.from({ length: PREDICATES[predicate] }, () => this.pick(CONSTANTS));
    return [predicate, ...args].join(" ");
  }
}

function ednOf(sentence: Sentence): string {
  if (typeof sentence === "number") return RULES[sentence].edn;
  assert.ok(typeof sentence === "string");
  return factOf(sentence, (arg) => arg);
}

/** The same with variables in the place of what it is about. */
function openOf(fact: string): string {
  return factOf(fact, (_, index) => `?v${index}`);
}

function factOf(fact: string, shown: (arg: string, index: number) => string): string {
  const predicate = predicateOf(fact);
  return sentenceOf(predicate, fact.slice(predicate.length + 1).split(" ").map(shown));
}

/** All facts that the memory says hold in a context, as the model has them. */
async function holds(rig: VerbsRig, context: string): Promise<string[]> {
  const all = await Promise.all(
    Object.entries(PREDICATES).map(async ([predicate, arity]) => {
      const names = Array.from({ length: arity }, (_, index) => `?v${index}`);
      const goal = sentenceOf(predicate, names);
      const { structure, isError } = await rig.call("query", { goal, context });
      assert.ok(!isError, JSON.stringify([goal, structure]));
      return (structure.answers as Record<string, string>[])
        .map((answer) => [predicate, ...names.map((name) => answer[name])].join(" "));
    }),
  );
  return all.flat().sort();
}
