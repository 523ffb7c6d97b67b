/** The server of a soak: a process that is killed now and then, and what its clients send. */
import { join } from "node:path";
import { linesOf } from "../tests/support/lines.ts";
import type { Soaked, SoakOptions } from "./soak.ts";

const BASE = Array.from({ length: 100 }, (_, n) => `edge(n${n}, n${n + 1}).\n`).join("") +
  "next(X, Y) :- edge(X, Y).\nnote(nobody, 0).\n";

interface Running {
  child: Deno.ChildProcess;
  address: string;
}

export class SoakServer {
  readonly #options: SoakOptions;
  readonly #config: string;
  /** Settles when it can be spoken to again. */
  #running: Promise<Running>;

  private constructor(options: SoakOptions, config: string) {
    this.#options = options;
    this.#config = config;
    this.#running = this.#start();
  }

  static async start(options: SoakOptions, names: string[]): Promise<SoakServer> {
    const server = new SoakServer(options, await writeConfig(options, names));
    await server.#running;
    return server;
  }

  /** Rejects when the server is killed meanwhile. */
  // deno-lint-ignore no-explicit-any -- a result of any shape
  async call(who: string, verb: string, args: Record<string, unknown>): Promise<any> {
    const { address } = await this.#running;
    return await call(`${address}/mcp`, who, verb, args);
  }

  /** kill -9, and another one in its place. */
  async exchange(): Promise<void> {
    const { child } = await this.#running;
    child.kill("SIGKILL");
    this.#running = child.status.then(() => this.#start());
    await this.#running;
  }

  /** Notes how large it is now. */
  async look(soaked: Soaked): Promise<void> {
    const { child, address } = await this.#running;
    const metrics = await (await fetch(`${address}/metrics`)).text();
    const running = Number(/^zpm_engines_running (\d+)/m.exec(metrics)?.[1]);
    soaked.engines_most = Math.max(soaked.engines_most, running);
    soaked.rss_bytes = Math.max(soaked.rss_bytes, await rssOf(child.pid));
  }

  async end(): Promise<void> {
    const { child } = await this.#running;
    child.kill("SIGTERM");
    await child.status;
  }

  async #start(): Promise<Running> {
    const { words: [command, ...args], place } = this.#options;
    const child = new Deno.Command(command, {
      args: [...args, "serve", "--config", this.#config, "--port", "0"],
      cwd: place,
      env: elsewhere(place),
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const line = linesOf(child.stderr);
    while (true) {
      const address = / (http:\/\/\S+)\/mcp$/.exec(await line())?.[1];
      if (address) return { child, address };
    }
  }
}

/** A project with a few facts, and the config of these principals, each with a fork of its own. */
export async function writeConfig(
  { place, engines }: Pick<SoakOptions, "place" | "engines">,
  names: string[],
): Promise<string> {
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
  return config;
}

/** The audit must not lie among temporary files, and all of this does. */
export function elsewhere(place: string): Record<string, string> {
  return { TMPDIR: join(place, "temporary"), NO_COLOR: "1" };
}

export const tokenOf = (name: string) => `a-token-for-the-soak-of-${name}`;

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
