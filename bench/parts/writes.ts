/** How long a durable fact takes: alone, in a crowd, and when there are many already. */
import { join } from "node:path";
import { median, repeated, timed, type Times } from "../measure.ts";
import { edges, installServerMemory, newProject, ROOT, serveZpm, Session } from "../subjects.ts";
import { against, counted, measured, over, type Row } from "../table.ts";

const WRITES = 300;
/** Writes before those that count: engines and runtimes compile what is called often while it runs. */
const WARM = 300;
/** Writes that follow one another, as an agent's do, before the next of what is compared has its turn. */
const BLOCK = 30;
const MANY = 50_000;
const PIPELINED = 1_000;

export async function writes(place: string): Promise<Row[]> {
  const [few, many] = [await newProject(place), await newProject(place, edges(MANY))];
  const [small, large] = [await serveZpm(few), await serveZpm(many)];
  const disk = await Deno.open(join(few, "bench"), { create: true, append: true });
  const line = new TextEncoder().encode(`${"x".repeat(150)}\n`);
  const [alone, crowded, syncs]: Times[] = [[], [], []];
  // The first writes make indexes; they are told apart, for they come once.
  const first = await repeated(
    8,
    (n) => large.call("remember_fact", { fact: `edge(w${n}, x, y)` }),
  );
  const remember = (session: Session, first: number, count: number) =>
    repeated(count, (n) => session.call("remember_fact", { fact: fact(first + n) }));
  const cold = await remember(small, -WARM, WARM);
  await remember(large, -WARM, WARM);
  for (let done = 0; done < WRITES; done += BLOCK) {
    alone.push(...await remember(small, done, BLOCK));
    crowded.push(...await remember(large, done, BLOCK));
    syncs.push(
      ...await repeated(BLOCK, async () => {
        await disk.write(line);
        disk.syncDataSync();
      }),
    );
  }
  disk.close();
  const pipelined = await timed(() => pipeline(small));
  await small.end();
  await large.end();
  const plan = await planTimes();
  return [
    measured("append and fsync of one line", syncs),
    over("remember_fact over MCP, one after the other", alone, syncs, {
      name: "fsync",
      most_ms: 2,
    }),
    against(`the same beside ${MANY.toLocaleString("en")} facts`, crowded, alone, 1.25),
    measured(`the first ${WARM}, not beside them`, cold),
    measured("the first eight beside them, which make indexes", first),
    measured("plan and apply of one fact in an engine", plan),
    against(
      `${PIPELINED.toLocaleString("en")} remember_fact at once, each`,
      [pipelined / PIPELINED],
      plan,
      1.5,
    ),
    ...await fsyncs(place),
    ...await againstPeer(place, crowded),
  ];
}

function fact(n: number): string {
  return `edge('x ${n}', 'y ${n}', 'z ${n}')`;
}

async function pipeline(session: Session): Promise<void> {
  const calls = Array.from({ length: PIPELINED }, (_, n) =>
    session.call("remember_fact", {
      fact: `piped(${n})`,
    }));
  await Promise.all(calls);
}

/** Counted from outside, where there is a tool to do it. */
async function fsyncs(place: string): Promise<Row[]> {
  const project = await newProject(place);
  const session = await serveZpm(project);
  await session.call("remember_fact", { fact: "first(1)" });
  const counts = join(project, "counts");
  const words = ["-f", "-c", "-e", "trace=fsync,fdatasync", "-o", counts, "-p", `${session.pid}`];
  let strace: Deno.ChildProcess;
  try {
    strace = new Deno.Command("strace", { args: words, stdout: "null", stderr: "piped" }).spawn();
  } catch {
    console.log("skipped: fsyncs are not counted without strace");
    await session.end();
    return [];
  }
  const told = strace.stderr.getReader();
  await told.read(); // "attached"
  await pipeline(session);
  strace.kill("SIGINT");
  await strace.status;
  await told.cancel();
  await session.end();
  const table = await Deno.readTextFile(counts);
  // Columns: share, seconds, microseconds each, calls, errors if there were any, name.
  const lines = table.split("\n").map((line) => line.trim().split(/\s+/));
  const synced = lines.filter((columns) => /^f(data)?sync$/.test(columns.at(-1)!));
  if (synced.length === 0) throw new Error(`strace counted nothing: ${table.trim()}`);
  const count = synced.reduce((sum, columns) => sum + Number(columns[3]), 0);
  const what = `fsyncs of ${PIPELINED.toLocaleString("en")} remember_fact at once`;
  return [counted(what, count, { unit: "fsyncs", most: 100 })];
}

/** The peer writes its whole file for each change. */
async function againstPeer(place: string, ours: Times): Promise<Row[]> {
  const peer = await installServerMemory(await Deno.makeTempDir({ dir: place }));
  const file = join(place, "peer.jsonl");
  const entity = (n: number) => ({ name: `n${n}`, entityType: "node", observations: [`${n}`] });
  const lines = Array.from({ length: MANY }, (_, n) => {
    return JSON.stringify({ type: "entity", ...entity(n) });
  });
  await Deno.writeTextFile(file, lines.join("\n"));
  const session = await Session.start(peer, place, { MEMORY_FILE_PATH: file });
  const times = await repeated(
    7,
    (n) => session.call("create_entities", { entities: [entity(MANY + n)] }),
  );
  await session.end();
  const name = `remember_fact beside ${MANY.toLocaleString("en")} facts, against server-memory`;
  return [{ ...against(name, ours, times, 1 / 40), target: "at most 0.025 x" }];
}

async function planTimes(): Promise<Times> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "bench/engines.ts", "plan", String(WRITES)],
    cwd: ROOT,
  }).output();
  const times: Times = JSON.parse(new TextDecoder().decode(stdout));
  if (median(times) > 0) return times;
  throw new Error("no plan was timed");
}
