/** E: halt, standard input and output, goals that run away, deep terms. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import {
  all,
  ask,
  call,
  define,
  each,
  explain,
  fails,
  forget,
  remember,
  type Rows,
  type Step,
  structure,
  warns,
} from "../support/cases.ts";
import { tellProcess } from "../support/process.ts";
import { readAnswer } from "../support/world.ts";

const question = (goal: string, more = {}) => ({
  name: "query_logic",
  arguments: { goal, ...more },
});

/** Refused when it is read or, where reading itself goes too deep, by what happens to the engine. */
const tooDeep = fails(/^(Stopped: depth 256|The engine stopped on this call)/);

/** A process that is asked these goals, each answer fit for a client, and then one more thing. */
function process(goals: string[], look: (first: string[]) => void = () => {}): Step {
  return async ({ project }) => {
    const calls = [...goals.map((goal) => question(goal)), question("X = alive")];
    const { answers, status } = await tellProcess(project, calls);
    const texts = answers.sort((a, b) => a.id - b.id)
      .map((answer) => readAnswer("query_logic", answer).texts[0]);
    strictEqual(status, 0);
    strictEqual(texts.length, calls.length);
    strictEqual(texts.pop(), '[{"X":"alive"}]');
    look(texts);
  };
}

export const engine: Rows = {
  E01: [
    ask("halt", fails("Not allowed in a query: halt")),
    ask("member(X,[a,b]), halt(3)", fails("Not allowed in a query: halt(3)")),
    ask("catch(halt,_,true)", fails("Not allowed in a query: halt")),
    ask("G = halt, call(G)", fails("Not allowed in a query: halt")),
    process(["halt", "G = halt(3), call(G)"]),
  ],
  E02: [
    define("cleanup", "halt", fails("Not allowed in a rule: halt")),
    ask("cleanup", warns([], /cleanup\/0 is not known/)),
  ],
  E03: [
    process(
      [
        "read(X)",
        "read_term(user_input, X, [])",
        "read_line_to_string(user_input, L)",
        "get_char(C)",
      ],
      ([read, term, line, char]) => {
        strictEqual(read, "Not allowed in a query: read(_A)");
        strictEqual(term, '[{"X":"end_of_file"}]');
        match(line, /^\[\{"L":"end_of_file"\}\]$|^\[\{"L":-1\}\]$|^Not allowed/);
        strictEqual(char, "Not allowed in a query: get_char(_A)");
      },
    ),
  ],
  E04: [
    ask(
      "format('hello~n'), write(no_newline), print_message(error, format(oops, []))",
      all([{}], structure({ output: "hello\nno_newline\nERROR: oops\n" })),
    ),
    ask("write(é)", structure({ output: "é" })),
    ask("write(next)", structure({ output: "next" })),
    define("loud", "write(x)"),
    call("get_belief_status", { fact: "loud" }, structure({ status: "in" })),
    process([
      "format('hello~n'), write(no_newline), print_message(error, format(oops, []))",
      "listing",
      "trace, true",
    ], ([printed, ...refused]) => {
      strictEqual(printed, "[{}]");
      deepStrictEqual(refused, [
        "Not allowed in a query: listing",
        "Not allowed in a query: trace",
      ]);
    }),
  ],
  E05: [
    remember("earlier(too)"),
    remember(`deep(${"f(".repeat(10_000)}a${")".repeat(10_000)})`, tooDeep),
    ask(`X=${"(".repeat(3_000)}a${")".repeat(3_000)}`, tooDeep),
    ask(`X=${"[".repeat(3_000)}a${"]".repeat(3_000)}`, tooDeep),
    ask(`X = ${"- ".repeat(3_000)}a`, tooDeep),
    ask(`X=${"{".repeat(3_000)}a${"}".repeat(3_000)}`, tooDeep),
    ask("length(L, 3000), foldl([_, T, f(T)]>>true, L, a, D)", tooDeep),
    ask("earlier(X)", [{ X: "fact" }, { X: "too" }]),
  ],
  E06: [
    remember("keep(1)"),
    ask("repeat, fail", fails("Stopped: time 500 ms"), { timeout_ms: 500 }),
    ask("keep(X)", [{ X: 1 }]),
  ],
  E07: [
    define("loop(N)", "M is N+1, loop(M), true"),
    ask("loop(0)", fails("Stopped: memory")),
    ask("length(L,N), N > 3000000", fails(/^Stopped: (memory|time 3000 ms)$/), {
      timeout_ms: 3_000,
    }),
    ask("X is 7**(7**9)", fails(/^Stopped: (memory|size|time 3000 ms)$/), { timeout_ms: 3_000 }),
    ask("numlist(1,50000000,L)", fails("Stopped: memory")),
    ask("atom_length(X,_) ; numlist(1,50000000,L)", fails(/^Goal raised: .*instantiated/)),
  ],
  E08: [
    ask(
      "between(1,inf,X)",
      all(
        Array.from({ length: 100 }, (_, i) => ({ X: i + 1 })),
        structure({ truncated: true, next_offset: 100 }),
        /There are more answers: ask again with offset 100/,
      ),
    ),
    ask("findall(X, between(1,inf,X), L)", fails(/^Stopped: (memory|time)/)),
  ],
  E10: [
    ask("X is foo+1", fails(/^Goal raised: .*`foo\/0' is not a function/)),
    ask("X is 1/0", fails(/^Goal raised: .*Division by zero|zero_divisor/)),
    ask("atom_length(X,N)", fails(/^Goal raised: .*not sufficiently instantiated/)),
    ask("throw(my_ball)", fails(/^Goal raised: .*my_ball/)),
    ask("X = ", fails(/^Cannot read the goal: .* at line 1, column \d+$/)),
  ],
  E11: [
    ask(
      "nosuch(X)",
      all(warns([], /nosuch\/1 is not known/), structure({ unknown: ["nosuch/1"] })),
    ),
    define("uses(X)", "nosuch(X)"),
    ask("uses(X)", all(warns([], /nosuch\/1/), structure({ unknown: ["nosuch/1"] }))),
    ask("\\+ nosuch(1)", all(warns([{}], /nosuch\/1/), structure({ unknown: ["nosuch/1"] }))),
    explain("nosuch(1)", all(warns(undefined, /nosuch\/1/), structure({ proven: false }))),
    remember("nosuch(1)"),
    forget("nosuch(1)"),
    ask("nosuch(X)", all([], structure({ unknown: undefined, warnings: undefined }))),
  ],
  E12: [
    interleaved,
  ],
  E14: [
    process(["prolog", "[user]", "consult(user)", "break"], (texts) => {
      deepStrictEqual(
        texts,
        ["prolog", "[user]", "consult(user)", "break"].map((goal) =>
          `Not allowed in a query: ${goal}`
        ),
      );
    }),
  ],
  E16: [
    each(["c(1)", "c(2)", "c(3)"], (fact) => remember(fact)),
    ask("c(X)", [{ X: 1 }, { X: 2 }, { X: 3 }]),
    ask("member(X,[1,2,3])", [{ X: 1 }, { X: 2 }, { X: 3 }]),
    ask("X=1", [{ X: 1 }]),
  ],
  E18: [
    remember("keep(1)"),
    async ({ session }) => {
      const slow = question("repeat, fail", { timeout_ms: 300 });
      const fast = Array.from(
        { length: 5 },
        () => session.call("query_logic", { goal: "keep(X)" }),
      );
      session.send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: slow });
      for (const answer of await Promise.all(fast)) {
        strictEqual(readAnswer("query_logic", answer).texts[0], '[{"X":1}]');
      }
      const line = await session.line((text) => JSON.parse(text).id === 7);
      strictEqual(readAnswer("query_logic", JSON.parse(line)).texts[0], "Stopped: time 300 ms");
      await session.call("query_logic", { goal: "keep(X)" });
      strictEqual(session.lines.filter((text) => JSON.parse(text).id === 7).length, 1);
    },
    call("query_logic", { goal: "keep(X)" }, [{ X: 1 }]),
  ],
};

/** Twenty questions and twenty facts at once: each answer is right for some order, and nothing is lost. */
async function interleaved({ session }: Parameters<Step>[0]): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => [
      session.call("query_logic", { goal: "findall(N, n(N), L)" }),
      session.call("remember_fact", { fact: `n(${i})` }),
    ]).flat(),
  );
  for (const [index, answer] of answers.entries()) {
    const tool = index % 2 === 0 ? "query_logic" : "remember_fact";
    const { texts, isError } = readAnswer(tool, answer);
    ok(!isError, texts[0]);
    if (tool === "remember_fact") continue;
    const [{ L }] = JSON.parse(texts[0]);
    deepStrictEqual(L, Array.from({ length: L.length }, (_, i) => i));
  }
  const last = readAnswer(
    "query_logic",
    await session.call("query_logic", { goal: "aggregate_all(count, n(_), N)" }),
  );
  strictEqual(last.texts[0], '[{"N":20}]');
}
