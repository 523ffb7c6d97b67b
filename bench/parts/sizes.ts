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
  const opened = async (project: string, image?: "without image") => {
    const memory_mb: number[] = [];
    const times: Times = [];
    for (let round = 0; round < ROUNDS; round++) {
      if (image) await removeImages(project);
      const started = performance.now();
      const session = await serveZpm(project);
      await session.call("query_logic", { goal: "edge(n5, X, _)" });
      times.push(performance.now() - started);
      memory_mb.push(await residentMegabytes(session.pid));
      await session.end();
    }
    return { times, memory_mb: median(memory_mb) };
  };
  const start = await opened(empty);
  const [file, journal] = [
    await opened(inFile, "without image"),
    await opened(inJournal, "without image"),
  ];
  const [fileImage, journalImage] = [await opened(inFile), await opened(inJournal)];
  const many = `${MANY.toLocaleString("en")} facts`;
  const more = (what: string, { times }: { times: Times }, most_ms: number) =>
    over(`the same, ${many} in ${what}`, times, start.times, { name: "start", most_ms });
  const resident = (what: string, memory_mb: number, most: number) =>
    counted(`resident after the first answer, ${what}`, memory_mb, { unit: "MB", most });
  return [
    measured("start to the first answer, 10 facts", start.times),
    more("a file, without image", file, 600),
    more("the journal, without image", journal, 600),
    more("a file, with image", fileImage, 150),
    more("the journal, with image", journalImage, 150),
    ...await consulted(inFile),
    resident("10 facts", start.memory_mb, 190),
    resident(`${many} in a file`, file.memory_mb, 320),
    resident(`${many} in the journal`, journal.memory_mb, 320),
    resident(`${many} in a file, with image`, fileImage.memory_mb, 320),
    ...await growth(place),
  ];
}

/** What a server keeps of a large memory it has opened. */
async function removeImages(project: string): Promise<void> {
  const folder = `${project}/.zpm/data`;
  for await (const { name } of Deno.readDir(folder)) {
    if (name.startsWith("engine-")) await Deno.remove(`${folder}/${name}`);
  }
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
