/** Order: clauses of files not hidden, in load order, then the overlay in id order, whatever happened before. */
import assert from "node:assert/strict";
import type { Operation } from "../../src/store/protocol.ts";
import { type TestEngine, testEngine } from "../support/prolog_engine.ts";
import { generator } from "../support/random.ts";

const few = { offset: 0, limit: 10, inferences: 1e6, answer_bytes: 1e6 };
const options = { sanitizeOps: false, sanitizeResources: false };

Deno.test("an overlay clause comes back to its place", options, async () => {
  await withEngine(async (engine) => {
    await engine.apply(1, [["+", "p(1)"], ["+", "p(2)"], ["+", "p(3)"]]);
    await engine.apply(2, [["+", "p(4)"]]);
    await engine.apply(3, [["-", 1, 1, "p(2)"]]);
    assert.deepEqual(await engine.column("p(X)"), ["1", "3", "4"]);
    await engine.apply(4, [["r", 1, 1, "p(2)"]]);
    assert.deepEqual(await engine.column("p(X)"), ["1", "2", "3", "4"]);
    await engine.apply(5, [["-", 2, 0, "p(4)"], ["-", 1, 0, "p(1)"]]);
    assert.deepEqual(await engine.column("p(X)"), ["2", "3"]);
  });
});

Deno.test(
  "a hidden file clause comes back to its place, behind it the overlay",
  options,
  async () => {
    await withEngine(async (engine) => {
      await engine.load("a.pl", "p(1). p(2). p(3).\np(2).\n");
      await engine.load("b.pl", "p(4).\np(2).\n");
      await engine.apply(1, [["+", "p(5)"]]);
      const whole = ["1", "2", "3", "2", "4", "2", "5"];
      assert.deepEqual(await engine.column("p(X)"), whole);
      await engine.apply(2, [["x", "p(2)", 2], ["x", "p(2)", 1], ["x", "p(1)", 1]]);
      assert.deepEqual(await engine.column("p(X)"), ["3", "4", "2", "5"]);
      await engine.apply(3, [["~x", "p(2)", 1]]);
      assert.deepEqual(await engine.column("p(X)"), ["2", "3", "4", "2", "5"]);
      await engine.apply(4, [["~x", "p(1)", 1], ["~x", "p(2)", 2]]);
      assert.deepEqual(await engine.column("p(X)"), whole);
    });
  },
);

Deno.test("what comes back has its place, its names and its kind of rule", options, async () => {
  await withEngine(async (engine) => {
    await engine.load("a.pl", "\np(Who) :-\n    q(Who, What), r(What).\nq(1, 2). r(2).\n");
    await engine.apply(1, [["+", "s(A),A>1=>true", ["Number"]], ["+", "s(A)=>true", ["Other"]]]);
    await engine.apply(2, [
      ["-", 1, 0, "s(A),A>1=>true", ["Number"]],
      ["x", "p(A):-q(A,B),r(B)", 1],
    ]);
    assert.deepEqual(await engine.column("p(X)"), []);
    await engine.apply(3, [
      ["r", 1, 0, "s(A),A>1=>true", ["Number"]],
      ["~x", "p(A):-q(A,B),r(B)", 1],
    ]);
    const explain = { op: "explain", max_depth: 9, max_nodes: 99, inferences: 1e6 };
    const root = async (fact: string) => {
      const { nodes } = await engine.ask({ ...explain, fact });
      return (nodes as Record<string, unknown>[])[0];
    };
    assert.partialDeepStrictEqual(await root("p(1)"), {
      rule_applied: "p(Who) :- q(Who, What), r(What)",
      source: "kb/a.pl:2",
    });
    assert.partialDeepStrictEqual(await root("s(2)"), {
      rule_applied: "(s(Number), Number>1) => true",
      source: "commit 1",
    });
    assert.partialDeepStrictEqual(await root("s(0)"), { source: "commit 1" });
  });
});

Deno.test("a hidden clause that no file has is only forgotten", options, async () => {
  await withEngine(async (engine) => {
    await engine.load("a.pl", "p(1).\n");
    await engine.apply(1, [["x", "p(7)", 1]]);
    await engine.apply(2, [["~x", "p(7)", 1]]);
    assert.deepEqual(await engine.column("p(X)"), ["1"]);
  });
});

Deno.test("a clause that is there does not come back a second time", options, async () => {
  await withEngine(async (engine) => {
    await engine.apply(1, [["+", "p(1)"]]);
    await assert.rejects(engine.apply(2, [["r", 1, 0, "p(1)"]]));
    await assert.rejects(engine.apply(2, [["~x", "p(1)", 1]]));
    assert.deepEqual(await engine.column("p(X)"), ["1"]);
  });
});

Deno.test("tabling can be taken back", options, async () => {
  await withEngine(async (engine) => {
    const rules: Operation[] = [["+", "path(A,B):-edge(A,B)"], [
      "+",
      "path(A,B):-path(A,C),edge(C,B)",
    ]];
    await engine.apply(1, [["+", "edge(a,b)"], ["+", "edge(b,a)"], ...rules, ["t", "path/2"]]);
    assert.deepEqual((await engine.column("path(a, X)")).sort(), ["a", "b"]);
    await engine.apply(2, [["~t", "path/2"]]);
    const { truncated } = await engine.ask({ op: "query", goal: "path(a, X)", ...few });
    assert.equal(truncated, true);
    await engine.apply(3, [["t", "path/2"], ["+", "edge(b,c)"]]);
    assert.deepEqual((await engine.column("path(a, X)")).sort(), ["a", "b", "c"]);
  });
});

Deno.test(
  "a live engine and a restarted one agree with the rule, whatever was done",
  options,
  async () => {
    for (const seed of [1, 2, 3]) await compare(seed, 120);
  },
);

/** One engine lives through random commits; at the end another replays them; both are held against a model. */
async function compare(seed: number, steps: number): Promise<void> {
  const files = ["p(a). p(b).\np(c). p(a).\n", "p(c).\np(b). p(b). p(d).\n"];
  const model = new Model(files);
  const random = generator(seed);
  const journal: Operation[][] = [];
  const live = await testEngine();
  const restarted = await testEngine();
  try {
    for (const engine of [live, restarted]) {
      for (const [i, text] of files.entries()) await engine.load(`${i}.pl`, text);
    }
    for (let seq = 1; seq <= steps; seq++) {
      const ops = model.commit(seq, random);
      journal.push(ops);
      await live.apply(seq, ops);
      if (seq % 20 === 0) assert.deepEqual(await live.column("p(X)"), model.state(), `step ${seq}`);
    }
    await restarted.ask({ op: "apply", commits: journal.map((ops, i) => [i + 1, ops]) });
    assert.deepEqual(await restarted.column("p(X)"), model.state());
  } finally {
    live.stop();
    restarted.stop();
  }
}

interface Entry {
  name: string;
  there: boolean;
  add(): Operation;
  remove(): Operation;
}

/** Every clause that ever was, in the order of places. */
class Model {
  readonly #files: Entry[];
  readonly #overlay: Entry[] = [];

  constructor(files: string[]) {
    const seen = new Map<string, number>();
    this.#files = [...files.join("").matchAll(/p\((\w)\)/g)].map(([text, name]) => {
      const occurrence = (seen.get(name) ?? 0) + 1;
      seen.set(name, occurrence);
      return {
        name,
        there: true,
        add: () => ["~x", text, occurrence],
        remove: () => ["x", text, occurrence],
      };
    });
  }

  commit(seq: number, random: (below: number) => number): Operation[] {
    const ops: Operation[] = [];
    let index = 0;
    for (let n = 1 + random(5); n > 0; n--) {
      const all = [...this.#files, ...this.#overlay];
      if (random(3) === 0) {
        const name = "abcd"[random(4)];
        const [text, place] = [`p(${name})`, index++];
        this.#overlay.push({
          name,
          there: true,
          add: () => ["r", seq, place, text],
          remove: () => ["-", seq, place, text],
        });
        ops.push(["+", text]);
      } else {
        const entry = all[random(all.length)];
        ops.push(entry.there ? entry.remove() : entry.add());
        entry.there = !entry.there;
      }
    }
    return ops;
  }

  state(): string[] {
    return [...this.#files, ...this.#overlay].filter(({ there }) => there).map(({ name }) => name);
  }
}

async function withEngine(work: (engine: TestEngine) => Promise<void>): Promise<void> {
  const engine = await testEngine();
  try {
    await work(engine);
  } finally {
    engine.stop();
  }
}
