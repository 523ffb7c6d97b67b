/** What is measured, and what it is measured against: programs, servers, projects. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LineProcess, wholeProcess } from "./measure.ts";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const BINARY = join(ROOT, "dist", "zpm");
/** What users have today; its newest version when this was written. */
const SERVER_MEMORY = "@modelcontextprotocol/server-memory@2026.8.31";

export async function needBinary(): Promise<void> {
  try {
    await Deno.stat(BINARY);
  } catch {
    throw new Error("there is no dist/zpm; make it with 'deno task compile'");
  }
}

/** A compiled program of one line: what any compiled program takes. */
export async function compileBare(place: string): Promise<string> {
  const [source, program] = [join(place, "bare.js"), join(place, "bare")];
  await Deno.writeTextFile(source, `console.log("hello");\n`);
  const deno = Deno.env.get("ZPM_COMPILE_DENO") ?? Deno.execPath();
  const words = ["compile", "--quiet", "--no-config", "--no-lock", "--output", program, source];
  await succeed(deno, words, "the program to compare with does not compile");
  return program;
}

/** The peer's command line, installed into `place`. */
export async function installServerMemory(place: string): Promise<string[]> {
  const folder = join(place, "peer");
  await Deno.mkdir(folder);
  const words = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", folder];
  await succeed("npm", [...words, SERVER_MEMORY], `${SERVER_MEMORY} is not installed`);
  return ["node", join(folder, "node_modules/@modelcontextprotocol/server-memory/dist/index.js")];
}

/** Seconds that native SWI-Prolog says a goal took, after loading a file. */
export async function native(file: string, goal: string): Promise<string> {
  return await succeed("swipl", ["-q", "-g", goal, "-t", "halt", file], "no native SWI-Prolog");
}

async function succeed(command: string, args: string[], otherwise: string): Promise<string> {
  const run = new Deno.Command(command, { args, stdin: "null" });
  const { success, stdout, stderr } = await run.output().catch((error) => {
    throw new Error(`${otherwise}: ${error.message}`);
  });
  const decoder = new TextDecoder();
  if (success) return decoder.decode(stdout);
  throw new Error(`${otherwise}: ${decoder.decode(stderr).trim().split("\n")[0]}`);
}

/** An empty project, perhaps with a file of clauses. */
export async function newProject(place: string, clauses = ""): Promise<string> {
  const project = await Deno.makeTempDir({ dir: place });
  await wholeProcess([BINARY, "init"], project);
  if (clauses !== "") await Deno.writeTextFile(join(project, ".zpm", "kb", "bench.pl"), clauses);
  return project;
}

/** Facts of three arguments, each different from the others in all. */
export function edges(count: number, first = 0): string {
  const line = (n: number) => `edge(n${n}, n${n + 1}, ${n}).\n`;
  return Array.from({ length: count }, (_, at) => line(first + at)).join("");
}

const HELLO = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" },
};

/** An MCP session over standard input and output. */
export class Session {
  readonly #server: LineProcess;
  readonly #waiting = new Map<number, (line: string) => void>();
  #id = 0;

  constructor(server: LineProcess) {
    this.#server = server;
    this.#readAll();
  }

  /** Started, and through the handshake. */
  static async start(words: string[], cwd: string, env?: Record<string, string>) {
    const session = new Session(new LineProcess(words, cwd, env));
    await session.request("initialize", HELLO);
    await session.#server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return session;
  }

  get pid(): number {
    return this.#server.pid;
  }

  async request(method: string, params: unknown): Promise<string> {
    const id = ++this.#id;
    const answer = new Promise<string>((resolve) => this.#waiting.set(id, resolve));
    await this.#server.send({ jsonrpc: "2.0", id, method, params });
    return await answer;
  }

  /** A call of a tool, which must succeed. */
  async call(name: string, input: unknown): Promise<string> {
    const answer = await this.try(name, input);
    if (answer.includes('"isError":true') || !answer.includes('"result"')) throw new Error(answer);
    return answer;
  }

  async try(name: string, input: unknown): Promise<string> {
    return await this.request("tools/call", { name, arguments: input });
  }

  end(): Promise<void> {
    return this.#server.end();
  }

  async #readAll(): Promise<void> {
    for (let line; (line = await this.#server.line().catch(() => undefined)) !== undefined;) {
      const { id } = JSON.parse(line);
      this.#waiting.get(id)?.(line);
      this.#waiting.delete(id);
    }
  }
}

export function serveZpm(project: string): Promise<Session> {
  return Session.start([BINARY, "serve"], project);
}
