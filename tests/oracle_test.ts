/**
 * The oracle: for generated programs the answers are those of native SWI-Prolog, in the same order, and a goal is
 * proven exactly when it has one. ZPM_SEED and ZPM_PROGRAMS choose others and more. Needs `swipl`, which `.ci/run`
 * installs.
 */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { type Program, program } from "./support/oracle_program.ts";
import { generator } from "./support/random.ts";
import { inWorld, type World } from "./support/world.ts";

const SEED = Number(Deno.env.get("ZPM_SEED") ?? 1);
const PROGRAMS = Number(Deno.env.get("ZPM_PROGRAMS") ?? 12);

/** Asks each goal, and writes a line for it: the values of its variables, answer by answer, or `error`. */
const ASKING = `
main :-
    forall(goal(Text),
           ( term_string(Goal, Text, [variable_names(Names)]),
             values(Names, Values),
             catch(findall(Values, Goal, Answers), _, Answers = error),
             ( Answers == error -> true ; term_variables(Answers, Free), maplist(=('_'), Free) ),
             format("~q~n", [Answers])
           )).
values([], []).
values([_=Value|Names], [Value|Values]) :- values(Names, Values).
:- initialization((main, halt)).
`;

Deno.test({
  name: `${PROGRAMS} programs of seed ${SEED} answer and prove as native SWI-Prolog does`,
  ignore: !isThere("swipl"),
  async fn() {
    const random = generator(SEED);
    const programs = Array.from({ length: PROGRAMS }, (_, i) => program(random, `g${i}_`));
    const text = programs.map(({ text }) => text).join("\n");
    await inWorld({ ".zpm/kb/programs.pl": text }, async (world) => {
      for (const one of programs) await compare(world, one, await native(one));
    });
  },
});

async function compare(world: World, { text, goals }: Program, native: string[]): Promise<void> {
  for (const [index, goal] of goals.entries()) {
    const found = await world.call("query_logic", { goal, limit: 10_000, timeout_ms: 50_000 });
    const answers = found.isError ? "error" : listText(found.structure.exact as object[]);
    strictEqual(answers, native[index], `${goal}\n${text}\n${found.texts.join("\n")}`);
    const proof = await world.call("explain_why", { fact: goal });
    const proven = proof.isError ? "error" : proof.structure.proven;
    const expected = native[index] === "error" ? undefined : native[index] !== "[]";
    // What raises only after the first answer is proven by that one.
    if (expected !== undefined) deepStrictEqual(proven, expected, `${goal}\n${text}`);
  }
}

/** The answers as Prolog writes a list of lists, free variables without their names. */
function listText(exact: object[]): string {
  const rows = exact.map((row) =>
    `[${
      Object.values(row).map((value) => String(value).startsWith("_") ? "'_'" : value).join(",")
    }]`
  );
  return `[${rows.join(",")}]`;
}

/** What native Prolog says of each goal. */
async function native({ text, goals }: Program): Promise<string[]> {
  const directory = await Deno.makeTempDir({ prefix: "zpm-oracle-" });
  try {
    const file = join(directory, "program.pl");
    const facts = goals.map((goal) => `goal(${JSON.stringify(goal)}).`).join("\n");
    await Deno.writeTextFile(file, `${text}\n${facts}\n${ASKING}`);
    const { stdout, stderr, success } = await new Deno.Command("swipl", {
      args: ["-q", file],
      stdin: "null",
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout).trimEnd().split("\n");
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

function isThere(command: string): boolean {
  try {
    return new Deno.Command(command, { args: ["--version"], stdout: "null" }).outputSync().success;
  } catch {
    return false;
  }
}
