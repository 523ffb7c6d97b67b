/**
 * How fast, as ratios measured in one run: `deno task bench [ROUNDS]`. Medians of interleaved runs, held against
 * the targets; a part that cannot run here says why. Never a test: a busy machine is no fault of the program.
 *
 * Needs `dist/zpm` (`deno task compile`). The program it is compared with prints one line and is compiled here, by
 * the Deno that ZPM_COMPILE_DENO names, else by this one.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleaved, LineProcess, median, shown, type Times, wholeProcess } from "./measure.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BINARY = join(ROOT, "dist", "zpm");
const ROUNDS = Number(Deno.args[0] ?? 21);
const WRITES = 300;

const HELLO = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
};

/** One line of the table; without a target it only explains the others. */
interface Row {
  what: string;
  took: string;
  result?: string;
  target?: string;
  met?: boolean;
}

if (import.meta.main) {
  const place = await Deno.makeTempDir({ prefix: "zpm-bench-" });
  try {
    const rows: Row[] = [];
    for (const part of [processes, writes, boots]) rows.push(...await attempted(part, place));
    console.log(table(rows));
  } finally {
    await Deno.remove(place, { recursive: true });
  }
  Deno.exit(0);
}

/** The rows of a part, or the line that says why there are none. */
async function attempted(
  part: (place: string) => Promise<Row[]>,
  place: string,
): Promise<Row[]> {
  try {
    return await part(place);
  } catch (error) {
    console.log(`skipped: ${part.name}: ${error instanceof Error ? error.message : error}`);
    return [];
  }
}

async function processes(place: string): Promise<Row[]> {
  await needBinary();
  const bare = await compileBare(place);
  const project = await projectWith(place, 10);
  const times = await interleaved(ROUNDS, {
    bare: () => wholeProcess([bare], place),
    version: () => wholeProcess([BINARY, "version"], project),
    initialize: () => untilInitialized(project),
    query: () => wholeProcess([BINARY, "query-logic", "fact(X)"], project),
    write: () => wholeProcess([BINARY, "remember-fact", "more(1)"], project),
  });
  return [
    { what: "a compiled program of one line", took: shown(times.bare) },
    { what: "zpm version", took: shown(times.version), result: ratio(times.version, times.bare) },
    against("start to 'initialize' answered", times.initialize, times.bare, 2.2),
    against("zpm query-logic, 10 facts", times.query, times.bare, 5),
    { what: "zpm remember-fact", took: shown(times.write), result: ratio(times.write, times.bare) },
  ];
}

async function writes(place: string): Promise<Row[]> {
  await needBinary();
  const project = await projectWith(place, 10);
  const session = await startSession(project);
  const [commits, syncs, queries]: Times[] = [[], [], []];
  const disk = await Deno.open(join(project, ".zpm", "data", "bench"), {
    create: true,
    append: true,
  });
  const line = new TextEncoder().encode(`${"x".repeat(150)}\n`);
  for (let n = 0; n < WRITES; n++) {
    commits.push(await timed(() => session.call("remember_fact", { fact: `bench(${n})` })));
    queries.push(await timed(() => session.call("query_logic", { goal: "bench(0)" })));
    syncs.push(
      await timed(async () => {
        await disk.write(line);
        disk.syncDataSync();
      }),
    );
  }
  disk.close();
  await session.end();
  const over = median(commits) - median(syncs);
  return [
    { what: "append and fsync of one line", took: shown(syncs) },
    {
      what: "remember_fact over MCP, one after the other",
      took: shown(commits),
      result: `fsync + ${over.toFixed(2)} ms`,
      target: "fsync + 2 ms",
      met: over <= 2,
    },
    { what: "query_logic over MCP", took: shown(queries) },
  ];
}

async function boots(): Promise<Row[]> {
  const [cold, first, later]: Times[] = [[], [], []];
  for (let round = 0; round < Math.ceil(ROUNDS / 3); round++) {
    cold.push((await bootTimes("cold", 1))[0]);
    const [once, ...others] = await bootTimes("image", 5);
    first.push(once);
    later.push(...others);
  }
  return [
    { what: "engine, cold boot, from source", took: shown(cold) },
    against("engine from the image, first in a process", first, cold, 0.7),
    against("engine from the image, later ones", later, cold, 0.35),
  ];
}

async function needBinary(): Promise<void> {
  try {
    await Deno.stat(BINARY);
  } catch {
    throw new Error("there is no dist/zpm; make it with 'deno task compile'");
  }
}

async function compileBare(place: string): Promise<string> {
  const [source, program] = [join(place, "bare.js"), join(place, "bare")];
  await Deno.writeTextFile(source, `console.log("hello");\n`);
  const { success, stderr } = await new Deno.Command(
    Deno.env.get("ZPM_COMPILE_DENO") ?? Deno.execPath(),
    {
      args: ["compile", "--quiet", "--no-config", "--no-lock", "--output", program, source],
    },
  ).output();
  if (success) return program;
  const why = new TextDecoder().decode(stderr).trim().split("\n")[0];
  throw new Error(`the program to compare with does not compile: ${why}`);
}

/** A project with so many facts, written through the binary itself. */
async function projectWith(place: string, facts: number): Promise<string> {
  const project = await Deno.makeTempDir({ dir: place });
  await wholeProcess([BINARY, "init"], project);
  const session = await startSession(project);
  for (let n = 0; n < facts; n++) await session.call("remember_fact", { fact: `fact(${n})` });
  await session.end();
  return project;
}

async function untilInitialized(project: string): Promise<number> {
  let server: LineProcess | undefined;
  const took = await timed(async () => {
    server = new LineProcess([BINARY, "serve"], project);
    await server.send(HELLO);
    await server.line();
  });
  await server!.end();
  return took;
}

async function startSession(project: string) {
  const server = new LineProcess([BINARY, "serve"], project);
  await server.send(HELLO);
  await server.line();
  await server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  let id = 0;
  return {
    async call(name: string, input: Record<string, unknown>): Promise<void> {
      const params = { name, arguments: input };
      await server.send({ jsonrpc: "2.0", id: ++id, method: "tools/call", params });
      const answer = await server.line();
      if (!answer.includes('"isError":false')) throw new Error(answer);
    },
    end: () => server.end(),
  };
}

async function bootTimes(kind: "cold" | "image", count: number): Promise<Times> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", fileURLToPath(new URL("boot.ts", import.meta.url)), kind, String(count)],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function ratio(times: Times, base: Times): string {
  return `${(median(times) / median(base)).toFixed(2)} x`;
}

function against(what: string, times: Times, base: Times, most: number): Row {
  return {
    what,
    took: shown(times),
    result: ratio(times, base),
    target: `${most} x`,
    met: median(times) / median(base) <= most,
  };
}

function table(rows: Row[]): string {
  const cells = rows.map(({ what, took, result = "", target = "", met }) => [
    what,
    took,
    result,
    target && `at most ${target}`,
    met === undefined ? "" : met ? "met" : "MISSED",
  ]);
  const all = [["", "median (middle half)", "", "target", ""], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd()
  )
    .join("\n");
}
