/** Which assumptions a belief rests on: the cases of ENGINE-NOTES 4.2 and 4.3, and what goes beyond. */
import assert from "node:assert/strict";
import { type TestEngine, testEngine } from "../support/prolog_engine.ts";

const options = { sanitizeOps: false, sanitizeResources: false };

interface Belief {
  status: string;
  justifications: string[];
  environments: string[][];
  falls_with: string[];
  depends_on_absence: boolean;
  truncated?: boolean;
  source: string;
}

interface Memory {
  assume(fact: string, ...assumptions: string[]): Promise<void>;
  remember(...facts: string[]): Promise<void>;
  define(head: string, body: string, tabled?: boolean): Promise<void>;
  retract(assumption: string): Promise<void>;
  belief(fact: string, inferences?: number): Promise<Belief>;
}

function memoryOf(engine: TestEngine): Memory {
  let seq = 0;
  const plan = async (request: Record<string, unknown>) => {
    const { ops } = await engine.ask({ op: "plan", seq: seq + 1, request });
    if ((ops as unknown[]).length > 0) seq++;
  };
  return {
    async assume(fact, ...assumptions) {
      for (const assumption of assumptions) await plan({ op: "assume", fact, assumption });
    },
    async remember(...facts) {
      for (const fact of facts) await plan({ op: "remember", fact });
    },
    define: (head, body, tabled = false) => plan({ op: "define_rule", head, body, tabled }),
    retract: (assumption) => plan({ op: "retract_assumption", assumption }),
    async belief(fact, inferences = 2e9) {
      const limits = { inferences, own: [] };
      return await engine.ask({ op: "belief", fact, ...limits }) as unknown as Belief;
    },
  };
}

function beliefTest(name: string, test: (memory: Memory) => Promise<void>): void {
  Deno.test(name, options, async () => {
    const engine = await testEngine();
    try {
      await test(memoryOf(engine));
    } finally {
      engine.stop();
    }
  });
}

beliefTest("a conjunction needs all, a disjunction one of them", async (memory) => {
  await memory.define("both", "a, b");
  await memory.define("either", "a");
  await memory.define("either", "b");
  await memory.assume("a", "h1");
  await memory.assume("b", "h2");
  assert.partialDeepStrictEqual(await memory.belief("both"), {
    status: "in",
    justifications: ["h1", "h2"],
    environments: [["h1", "h2"]],
    falls_with: ["h1", "h2"],
    depends_on_absence: false,
    source: "unknown",
  });
  assert.partialDeepStrictEqual(await memory.belief("either"), {
    environments: [["h1"], ["h2"]],
    falls_with: [],
  });
  await memory.retract("h1");
  assert.partialDeepStrictEqual(await memory.belief("both"), { status: "out", environments: [] });
  assert.partialDeepStrictEqual(await memory.belief("either"), { environments: [["h2"]] });
});

beliefTest("what holds anyway needs nothing", async (memory) => {
  await memory.define("either", "a");
  await memory.define("either", "b");
  await memory.assume("a", "h1");
  await memory.remember("b");
  assert.partialDeepStrictEqual(await memory.belief("either"), {
    justifications: [],
    environments: [[]],
    falls_with: [],
  });
});

beliefTest("a fact's own assumptions stand before those of other proofs", async (memory) => {
  await memory.assume("a", "z", "y");
  await memory.define("a", "b");
  await memory.assume("b", "x", "w");
  assert.partialDeepStrictEqual(await memory.belief("a"), {
    justifications: ["z", "y", "w", "x"],
    environments: [["w"], ["x"], ["y"], ["z"]],
  });
});

beliefTest("a chain of eight", async (memory) => {
  for (let i = 0; i < 8; i++) {
    await memory.assume(`step(${i})`, `h${i}`);
    await memory.define(`chain(${i})`, i === 0 ? "step(0)" : `chain(${i - 1}), step(${i})`);
  }
  const names = Array.from({ length: 8 }, (_, i) => `h${i}`);
  assert.partialDeepStrictEqual(await memory.belief("chain(7)"), {
    environments: [names],
    falls_with: names,
  });
});

beliefTest("of a thousand sets sixteen are shown, and that there are more", async (memory) => {
  for (let i = 0; i < 10; i++) await memory.assume(`w(${i})`, `a${i}`, `b${i}`);
  await memory.define("all", "forall(between(0, 9, I), w(I))");
  const { environments, truncated, falls_with } = await memory.belief("all");
  assert.equal(environments.length, 16);
  assert.equal(truncated, true);
  assert.deepEqual(falls_with, []);
  for (const names of environments) {
    assert.deepEqual(names.map((name) => name.slice(1)).sort(), [..."0123456789"]);
  }
});

beliefTest("exactly sixteen are all", async (memory) => {
  for (let i = 0; i < 16; i++) await memory.assume("p", `h${i}`);
  const { environments, truncated } = await memory.belief("p");
  assert.equal(environments.length, 16);
  assert.equal(truncated, undefined);
});

beliefTest("three of two hundred assumptions, each with ten facts", async (memory) => {
  for (let i = 0; i < 200; i++) {
    for (let k = 0; k < 10; k++) await memory.assume(`big(${i}, ${k})`, `h${i}`);
  }
  await memory.define("needs", "big(3, 1), big(77, 2), big(150, 9)");
  const started = performance.now();
  assert.partialDeepStrictEqual(await memory.belief("needs"), {
    environments: [["h150", "h3", "h77"]],
    falls_with: ["h150", "h3", "h77"],
  });
  assert.ok(performance.now() - started < 5_000);
});

beliefTest("a retraction may end what needs no assumption", async (memory) => {
  await memory.define("r", "a, \\+ b");
  await memory.define("q", "\\+ r");
  await memory.assume("a", "h1");
  await memory.assume("b", "h2");
  assert.partialDeepStrictEqual(await memory.belief("q"), {
    justifications: [],
    environments: [[]],
    falls_with: ["h2"],
    depends_on_absence: true,
  });
  await memory.retract("h2");
  assert.partialDeepStrictEqual(await memory.belief("q"), { status: "out" });
});

beliefTest("also through a cut that no proof shows", async (memory) => {
  await memory.define("p", "\\+ a, !, fail");
  await memory.define("p", "b");
  await memory.assume("a", "h1");
  await memory.assume("b", "h2");
  assert.partialDeepStrictEqual(await memory.belief("p"), { falls_with: ["h1", "h2"] });
});

beliefTest("absence is told: negation, aggregation, condition", async (memory) => {
  await memory.assume("a", "h");
  const bodies: [string, boolean][] = [
    ["a, \\+ z(1)", true],
    ["a, forall(z(X), X > 1)", true],
    ["findall(X, z(X), L), length(L, N), N < 3, a", true],
    ["( z(1) -> fail ; a )", true],
    ["a, member(X, [1, 2]), X > 1", false],
    ["a ; z(1)", false],
  ];
  await memory.remember("z(7)");
  for (const [i, [body, absence]] of bodies.entries()) {
    await memory.define(`c${i}`, body);
    const { status, depends_on_absence } = await memory.belief(`c${i}`);
    assert.deepEqual([status, depends_on_absence], ["in", absence], body);
  }
});

beliefTest("circles prove nothing, and end", async (memory) => {
  await memory.define("p", "q");
  await memory.define("q", "p");
  await memory.define("near(X, Y)", "near(Y, X)");
  assert.partialDeepStrictEqual(await memory.belief("p"), { status: "out" });
  await memory.assume("q", "h");
  await memory.assume("near(a, b)", "map");
  assert.partialDeepStrictEqual(await memory.belief("p"), {
    status: "in",
    environments: [["h"]],
    falls_with: ["h"],
  });
  assert.partialDeepStrictEqual(await memory.belief("near(b, a)"), { environments: [["map"]] });
  await memory.retract("h");
  assert.partialDeepStrictEqual(await memory.belief("p"), { status: "out" });
});

beliefTest("tables follow the worlds that are tried", async (memory) => {
  await memory.define("path(X, Y)", "edge(X, Y)");
  await memory.define("path(X, Y)", "path(X, Z), edge(Z, Y)", true);
  for (const [i, edge] of ["a, b", "b, c", "c, d", "d, a"].entries()) {
    await memory.assume(`edge(${edge})`, `e${i}`);
  }
  for (let round = 0; round < 2; round++) {
    assert.partialDeepStrictEqual(await memory.belief("path(a, d)"), {
      environments: [["e0", "e1", "e2"]],
      falls_with: ["e0", "e1", "e2"],
    });
    assert.partialDeepStrictEqual(await memory.belief("path(a, z)"), { status: "out" });
  }
});

beliefTest("an error is never out, in whatever world", async (memory) => {
  await memory.define("wrong", "X is foo + 1, X > 0");
  await assert.rejects(memory.belief("wrong"), { code: "raised" });
  await memory.define("fragile", "( a -> true ; throw(no_a) )");
  await memory.assume("a", "h");
  await assert.rejects(memory.belief("fragile"), { code: "raised" });
});

beliefTest("a goal that does not end is a limit", async (memory) => {
  await memory.define("up(X)", "up(f(X))");
  await assert.rejects(memory.belief("up(a)", 1e6), { code: "limit" });
});

type Action = (memory: Memory) => Promise<void>;

const actions: Action[] = [
  (memory) => memory.define("ok", "a, b"),
  (memory) => memory.define("ok", "c, \\+ d"),
  (memory) => memory.assume("a", "h1"),
  (memory) => memory.assume("b", "h2"),
  (memory) => memory.assume("c", "h3"),
];

Deno.test("a derived belief is the same, whatever came first", options, async () => {
  const engine = await testEngine();
  try {
    const found = new Set<string>();
    for (const [number, order] of permutations(actions).entries()) {
      const memory = await otherMemory(engine, `order_${number}`);
      for (const action of order) await action(memory);
      found.add(JSON.stringify(sorted(await memory.belief("ok"))));
    }
    assert.deepEqual([...found].map((text) => JSON.parse(text)), [{
      status: "in",
      justifications: ["h1", "h2", "h3"],
      environments: [["h1", "h2"], ["h3"]],
      falls_with: [],
      depends_on_absence: true,
    }]);
  } finally {
    engine.stop();
  }
});

async function otherMemory(engine: TestEngine, memory: string): Promise<Memory> {
  const ask: TestEngine["ask"] = (request) => engine.ask({ memory, ...request });
  await ask({ op: "create", mode: "rw" });
  return memoryOf({ ...engine, ask });
}

function permutations<T>(list: T[]): T[][] {
  if (list.length === 0) return [[]];
  return list.flatMap((one, index) =>
    permutations(list.toSpliced(index, 1)).map((rest) => [one, ...rest])
  );
}

/** Assumptions stand in the order of their first use, which is that of arrival. */
function sorted({ status, justifications, environments, falls_with, depends_on_absence }: Belief) {
  return {
    status,
    justifications: justifications.toSorted(),
    environments: environments.map((set) => set.toSorted()).sort(),
    falls_with: falls_with.toSorted(),
    depends_on_absence,
  };
}
