/** What one client's endless goal costs the others, and how soon a killed engine is replaced. */
import { median, repeated, timed, type Times } from "../measure.ts";
import { edges, newProject, serveZpm } from "../subjects.ts";
import { against, counted, measured, over, type Row } from "../table.ts";

const MANY = 100_000;
const DEADLINE_MS = 2_000;
const ROUNDS = 3;
const ENDLESS = "repeat, fail";

export async function limits(place: string): Promise<Row[]> {
  const session = await serveZpm(await newProject(place, edges(MANY)));
  const lookup = (n: number) => session.call("query_logic", { goal: `edge(n${n}, X, _)` });
  await lookup(1);
  const calm = await repeated(100, lookup);
  const [beside, firsts, kills]: Times[] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    const endless = timed(() =>
      session.try("query_logic", { goal: ENDLESS, timeout_ms: DEADLINE_MS })
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    firsts.push(await timed(() => lookup(2)));
    beside.push(...await repeated(30, lookup));
    await endless;
    // Two at once occupy every engine: the next answer comes from one that is built for it.
    const both = [1, 2].map(() =>
      session.try("query_logic", { goal: ENDLESS, timeout_ms: DEADLINE_MS })
    );
    kills.push(
      await timed(async () => {
        await Promise.all(both);
        await lookup(3);
      }),
    );
  }
  await session.end();
  return [
    measured(`query_logic, ${MANY.toLocaleString("en")} facts, nothing else running`, calm),
    against("the same beside an endless goal", beside, calm, 2),
    counted("the first of them", median(firsts), { unit: "ms", most: 300 }),
    over("an endless goal on every engine, then an answer", kills, [DEADLINE_MS], {
      name: "deadline",
      most_ms: 250,
    }),
  ];
}
