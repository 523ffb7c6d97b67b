/** How long questions take: against their number of facts, and against native Prolog. */
import { join } from "node:path";
import { median, repeated, timed, type Times } from "../measure.ts";
import { edges, native, newProject, serveZpm } from "../subjects.ts";
import { against, measured, type Row } from "../table.ts";

const LOOKUPS = 200;
const [FEW, MANY] = [100, 100_000];
const REVERSALS = 20_000;
const ANSWERS = 10_000;
const STEPS = 1_000;
/** A question of that many steps takes less than the way there and back, so it is asked often at once. */
const TIMES = 100;

const PROGRAM = `
app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
nrev([], []).
nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).
range(N, N, [N]) :- !.
range(I, N, [I|T]) :- I < N, J is I + 1, range(J, N, T).
reversals(N) :- range(1, 30, L), between(1, N, _), nrev(L, _), fail.
reversals(_).
item(N, name(N, "text")) :- between(1, ${ANSWERS}, N).
step(N) :- N > 0, M is N - 1, step(M).
step(0).
`;

export async function queries(place: string): Promise<Row[]> {
  const rows = await lookups(place);
  const project = await newProject(place, PROGRAM);
  const file = join(project, ".zpm", "kb", "bench.pl");
  const session = await serveZpm(project);
  const ask = (goal: string, limit = 1) =>
    session.call("query_logic", { goal, limit, timeout_ms: 50_000 });
  await ask("reversals(1000)");
  const idle = await repeated(20, () => ask("reversals(0)"));
  const reversals = (await repeated(5, () => ask(`reversals(${REVERSALS})`)))
    .map((took) => took - median(idle));
  const answers = await repeated(5, () => ask("item(N, Name)", ANSWERS));
  const often = `forall(between(1, ${TIMES}, _), step(${STEPS}))`;
  const bare = (await repeated(5, () => ask(often)))
    .map((took) => (took - median(idle)) / TIMES);
  const proof = await repeated(
    5,
    () => session.call("explain_why", { fact: `step(${STEPS})`, max_depth: STEPS + 1 }),
  );
  await session.end();
  return [
    ...rows,
    ...await againstNative(file, { reversals, answers }),
    measured(`a question of ${STEPS} steps, without the way there`, bare),
    against(`explain_why of it`, proof, bare, 60),
  ];
}

async function lookups(place: string): Promise<Row[]> {
  const [few, many] = [await newProject(place, edges(FEW)), await newProject(place, edges(MANY))];
  const [small, large] = [await serveZpm(few), await serveZpm(many)];
  const [inFew, inMany]: Times[] = [[], []];
  for (let n = 0; n < LOOKUPS; n++) {
    const goal = `edge(n${n % FEW}, X, _)`;
    inFew.push(await timed(() => small.call("query_logic", { goal })));
    inMany.push(await timed(() => large.call("query_logic", { goal })));
  }
  await small.end();
  await large.end();
  return [
    measured(`query_logic by the first argument, ${FEW} facts`, inFew),
    against(`the same, ${MANY.toLocaleString("en")} facts`, inMany, inFew, 1.3),
  ];
}

async function againstNative(
  file: string,
  { reversals, answers }: { reversals: Times; answers: Times },
): Promise<Row[]> {
  const clock = "get_time(Start)";
  const took = "get_time(End), T is (End - Start) * 1000, print(T), nl";
  const rounds = (goal: string) => `forall(between(1, 5, _), (${clock}, ${goal}, ${took}))`;
  const times = async (goal: string) =>
    (await native(file, rounds(goal))).trim().split("\n").map(Number);
  const json = "use_module(library(http/json)), " + rounds(
    "findall(json{'N': N, 'Name': S}, (item(N, X), format(string(S), '~q', [X])), L), " +
      "with_output_to(string(_), json_write_dict(current_output, L))",
  );
  const found = (await native(file, json)).trim().split("\n").map(Number);
  return [
    against(
      `naive reverse, ${REVERSALS.toLocaleString("en")} times 30, against native`,
      reversals,
      await times(`reversals(${REVERSALS})`),
      1.3,
    ),
    against(
      `${ANSWERS.toLocaleString("en")} answers, against native findall and json_write`,
      answers,
      found,
      3,
    ),
  ];
}
