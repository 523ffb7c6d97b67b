/**
 * Many principals at once: each on a fork of its own, asking and writing at random for a while, against one server in a
 * process of its own. What was acknowledged is kept, and held against audit and journals by `soak_checks.ts`.
 */
import { join } from "node:path";
import { generator } from "../tests/support/random.ts";
import { linesOf } from "../tests/support/lines.ts";

export interface SoakOptions {
  /** The program up to its command. */
  words: string[];
  /** A folder for all of it. */
  place: string;
  principals: number;
  /** Engines of all forks together. */
  engines: number;
  duration_ms: number;
  /** How long a principal thinks between two calls, at most. */
  think_ms: number;
  seed: number;
}

/** An acknowledged write. */
export interface Acknowledged {
  who: string;
  operation: string;
  commit: number;
}

export interface Soaked {
  /** Calls by verb, answers that were errors besides. */
  calls: Map<string, number>;
  failures: string[];
  writes: Acknowledged[];
  /** What each principal believes it has stored, as canonical sentences. */
  stored: Map<string, Set<string>>;
  /** What each finds at the end. */
  found: Map<string, Set<string>>;
  /** The first call of each principal, for which an engine is started. */
  cold: number[];
  /** Small queries on forks that are warm. */
  queries: number[];
  asserts: number[];
  /** Of the server's process, the largest seen. */
  rss_bytes: number;
  engines_most: number;
}

const BASE = Array.from({ length: 100 }, (_, n) => `edge(n${n}, n${n + 1}).\n`).join("") +
  "next(X, Y) :- edge(X, Y).\nnote(nobody, 0).\n";

export async function soak(options: SoakOptions): Promise<Soaked> {
  const names = Array.from({ length: options.principals }, (_, n) => `p${n}`);
  const server = await serve(options, names);
  const soaked: Soaked = {
    calls: new Map(),
    failures: [],
    writes: [],
    stored: new Map(names.map((name) => [name, new Set()])),
    found: new Map(),
    cold: [],
    queries: [],
    asserts: [],
    rss_bytes: 0,
    engines_most: 0,
  };
  const watch = setInterval(() => void server.look(soaked).catch(() => {}), 500);
  try {
    const until = performance.now() + options.duration_ms;
    await Promise.all(names.map((name, n) => work({ name, server, soaked, until, options, n })));
    await server.look(soaked);
    for (const name of names) soaked.found.set(name, await notesOf(server, name));
  } finally {
    clearInterval(watch);
    await server.end();
  }
  return soaked;
}

interface Worker {
  name: string;
  server: Server;
  soaked: Soaked;
  until: number;
  options: SoakOptions;
  n: number;
}

/** One principal, from its first call to the end of time. */
async function work({ name, server, soaked, until, options, n }: Worker): Promise<void> {
  const random = generator(options.seed + n);
  const handles: { handle: number; sentence: string }[] = [];
  const stored = soaked.stored.get(name)!;
  let notes = 0;
  const called = async (verb: string, args: Record<string, unknown>, times?: number[]) => {
    const began = performance.now();
    const { structuredContent, isError, _meta } = await server.call(name, verb, args);
    times?.push(performance.now() - began);
    soaked.calls.set(verb, (soaked.calls.get(verb) ?? 0) + 1);
    if (isError) soaked.failures.push(`${name} ${verb}: ${JSON.stringify(structuredContent)}`);
    const { operation, commit } = _meta["zpm/receipt"] ?? {};
    if (commit !== undefined) soaked.writes.push({ who: name, operation, commit });
    return structuredContent;
  };
  const query = (times: number[]) =>
    called("query", { goal: `(next n${random(100)} ?x)`, context: "CxUniverse" }, times);
  await query(soaked.cold);
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, random(options.think_ms + 1)));
    const die = random(100);
    if (die < 50) await query(soaked.queries);
    else if (die < 85) {
      const sentence = `(note ${name} ${notes++})`;
      const { handle } = await called(
        "assert",
        { sentence, context: "CxUniverse" },
        soaked.asserts,
      );
      handles.push({ handle, sentence });
      stored.add(sentence);
    } else if (die < 90 && handles.length > 0) {
      const [{ handle, sentence }] = handles.splice(random(handles.length), 1);
      await called("unassert_handle", { handle });
      stored.delete(sentence);
    } else if (die < 95) {
      await called("matching", { pattern: `(note ${name} ${random(notes + 1)})` });
    } else await called("argue", { sentence: `(edge n1 n2)`, context: "CxUniverse" });
  }
}

async function notesOf(server: Server, name: string): Promise<Set<string>> {
  const goal = `(note ${name} ?n)`;
  const { structuredContent } = await server.call(name, "query", {
    goal,
    context: "CxUniverse",
    limit: 10_000,
  });
  return new Set(
    structuredContent.answers.map((answer: Record<string, string>) =>
      `(note ${name} ${answer["?n"]})`
    ),
  );
}

interface Server {
  // deno-lint-ignore no-explicit-any -- a result of any shape
  call(who: string, verb: string, args: Record<string, unknown>): Promise<any>;
  /** Notes how large it is now. */
  look(soaked: Soaked): Promise<void>;
  end(): Promise<void>;
}

const tokenOf = (name: string) => `a-token-for-the-soak-of-${name}`;

async function serve(options: SoakOptions, names: string[]): Promise<Server> {
  const { words: [command, ...args], place, engines } = options;
  await Deno.mkdir(join(place, ".zpm", "kb"), { recursive: true });
  await Deno.writeTextFile(join(place, ".zpm", "kb", "base.pl"), BASE);
  const principals: Record<string, unknown> = {};
  for (const name of names) {
    const token_sha256 = await sumOf(tokenOf(name));
    principals[name] = { token_sha256, fork_id: name, lifecycle: "durable" };
  }
  const folders = { state_dir: "state", forks_dir: "forks", audit_dir: join(place, "audit") };
  const config = join(place, "server.json");
  await Deno.writeTextFile(config, JSON.stringify({ ...folders, principals, engines }));
  const child = new Deno.Command(command, {
    args: [...args, "serve", "--config", config, "--port", "0"],
    cwd: place,
    // The audit must not lie among temporary files, and all of this does.
    env: { TMPDIR: join(place, "temporary") },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const line = linesOf(child.stderr);
  const address = / (http:\/\/\S+)\/mcp$/.exec(await line())?.[1];
  if (!address) throw new Error("the server did not say where it listens");
  return {
    call: (who, verb, args) => call(`${address}/mcp`, who, verb, args),
    async look(soaked) {
      const metrics = await (await fetch(`${address}/metrics`)).text();
      const running = Number(/^zpm_engines_running (\d+)/m.exec(metrics)?.[1]);
      soaked.engines_most = Math.max(soaked.engines_most, running);
      soaked.rss_bytes = Math.max(soaked.rss_bytes, await rssOf(child.pid));
    },
    async end() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

async function call(address: string, who: string, name: string, args: Record<string, unknown>) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name, arguments: args, _meta };
  const response = await fetch(address, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      Authorization: `Bearer ${tokenOf(who)}`,
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": name,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const text = await response.text();
  const last = text.startsWith("{") ? text : text.trim().split("\n").at(-1)!.replace(/^data: /, "");
  const { result, error } = JSON.parse(last);
  if (!result) throw new Error(`${who} ${name}: ${response.status} ${JSON.stringify(error)}`);
  return result;
}

async function rssOf(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

async function sumOf(text: string): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(sum).toHex();
}
