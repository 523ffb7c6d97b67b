/** What a large memory costs: to open it, and to have it open. */
import { median, repeated, timed, type Times } from "../measure.ts";
import { BINARY, edges, native, newProject, serveZpm, type Session } from "../subjects.ts";
import { counted, measured, over, type Row } from "../table.ts";

const MANY = 100_000;
const ROUNDS = 5;
/** Facts of one call of load_knowledge. */
const BATCH = 5_000;

export async function sizes(place: string): Promise<Row[]> {
  const empty = await newProject(place, edges(10));
  const inFile = await newProject(place, edges(MANY));
  const inJournal = await newProject(place);
  await write(inJournal);
  const opened = async (project: string) => {
    const memory_mb: number[] = [];
    const times = await repeated(ROUNDS, async () => {
      const session = await serveZpm(project);
      await session.call("query_logic", { goal: "edge(n5, X, _)" });
      memory_mb.push(await residentMegabytes(session.pid));
      await session.end();
    });
    return { times, memory_mb: median(memory_mb) };
  };
  const [start, file, journal] = [
    await opened(empty),
    await opened(inFile),
    await opened(inJournal),
  ];
  const more = { name: "start", most_ms: 600 };
  const many = `${MANY.toLocaleString("en")} facts`;
  return [
    measured("start to the first answer, 10 facts", start.times),
    over(`the same, ${many} in a file`, file.times, start.times, more),
    over(`the same, ${many} in the journal`, journal.times, start.times, more),
    ...await consulted(inFile),
    counted("resident after the first answer, 10 facts", start.memory_mb, {
      unit: "MB",
      most: 190,
    }),
    counted(`the same, ${many} in a file`, file.memory_mb, { unit: "MB", most: 320 }),
    counted(`the same, ${many} in the journal`, journal.memory_mb, { unit: "MB", most: 320 }),
    ...await growth(place),
  ];
}

async function write(project: string): Promise<void> {
  const session = await serveZpm(project);
  for (let n = 0; n < MANY; n += BATCH) {
    await session.call("load_knowledge", { text: edges(BATCH, n) });
  }
  await session.end();
}

async function consulted(project: string): Promise<Row[]> {
  const file = `${project}/.zpm/kb/bench.pl`;
  const times: Times = await repeated(3, () => native(file, "true"));
  return [measured(`native swipl, start and consult of ${MANY.toLocaleString("en")} facts`, times)];
}

/** What a client calls, beside 1,000, 10,000 and 100,000 facts: it must not grow faster than its answer. */
async function growth(place: string): Promise<Row[]> {
  const calls: [string, Record<string, unknown>][] = [
    ["get_kb_overview", {}],
    ["get_knowledge_schema", {}],
    ["get_persistence_status", {}],
    ["forget_fact", { fact: "edge(n7, n8, 7)" }],
    ["upsert_fact", { fact: "edge(n9, x, y)" }],
    ["history", {}],
    ["save_snapshot", { name: "all" }],
  ];
  const rows = new Map<string, number[]>(calls.map(([name]) => [name, []]));
  for (const size of [1_000, 10_000, MANY]) {
    const session: Session = await serveZpm(await newProject(place, edges(size)));
    await session.call("query_logic", { goal: "edge(n5, X, _)" });
    for (const [name, input] of calls) {
      const took = await timed(() => session.call(name, input));
      rows.get(name)!.push(took);
    }
    await session.end();
  }
  return [...rows].map(([name, values]) => ({
    what: `${name}, once, beside 1,000, 10,000, ${MANY.toLocaleString("en")} facts`,
    took: values.map((took) => took.toFixed(0)).join(", ") + " ms",
    values,
  }));
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`).catch(() => {
    throw new Error(`the memory of ${BINARY} cannot be read here`);
  });
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
