/** A memory of a million facts: to open it, beside native Prolog, and what calls take then. */
import { join } from "node:path";
import { repeated, timed, type Times } from "../measure.ts";
import { edges, native, newProject, serveZpm } from "../subjects.ts";
import { against, measured, type Row } from "../table.ts";

const MANY = 1_000_000;
const ROUNDS = 3;
const CALLS = 20;

export async function million(place: string): Promise<Row[]> {
  const project = await newProject(place, edges(MANY));
  const file = join(project, ".zpm", "kb", "bench.pl");
  const plain: Times = [await untilAnswered(project)];
  const calls = await beside(project);
  const withImage = await repeated(ROUNDS, () => untilAnswered(project));
  const consulted = await repeated(ROUNDS, () => native(file, "true"));
  await native(file, `qcompile('${file}')`);
  const compiled = await repeated(ROUNDS, () => native(file.replace(/\.pl$/, ".qlf"), "true"));
  const many = `${MANY.toLocaleString("en")} facts`;
  return [
    measured(`native swipl, start and consult of ${many}`, consulted),
    against(`start to the first answer, ${many} in a file, without image`, plain, consulted, 0.6),
    measured(`native swipl, start and load of ${many}, compiled`, compiled),
    against("start to the first answer, with image", withImage, compiled, 1),
    ...calls,
  ];
}

async function untilAnswered(project: string): Promise<number> {
  const started = performance.now();
  const session = await serveZpm(project);
  await session.call("query_logic", { goal: "edge(n5, X, _)", timeout_ms: 50_000 });
  const took = performance.now() - started;
  // The image is written when the first question is answered already.
  await session.call("get_persistence_status", {});
  await session.end();
  return took;
}

async function beside(project: string): Promise<Row[]> {
  const session = await serveZpm(project);
  const call = (name: string, input: Record<string, unknown>) =>
    timed(() => session.call(name, input));
  await call("query_logic", { goal: "edge(n5, X, _)", timeout_ms: 50_000 });
  const beside = `beside ${MANY.toLocaleString("en")} facts`;
  const rows = [
    measured(
      `remember_fact ${beside}`,
      await repeated(CALLS, (n) => call("remember_fact", { fact: `edge(w${n}, x, y)` })),
    ),
    measured(
      `query_logic by the first argument ${beside}`,
      await repeated(CALLS, (n) => call("query_logic", { goal: `edge(n${n * 77}, X, _)` })),
    ),
  ];
  for (const name of ["get_kb_overview", "get_knowledge_schema"]) {
    rows.push(measured(`${name}, once, ${beside}`, [await call(name, {})]));
  }
  await session.end();
  return rows;
}
