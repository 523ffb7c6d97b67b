/**
 * An `http` fence: `> METHOD /path` sends a request to the one `zpm http` of a transcript, with a JSON body when
 * one follows the path. Below it stand the status, then headers that say more than that it is JSON, behind `: `,
 * then the body, behind `< `.
 *
 * `!serve FILE --flags` starts the server, or another one in its place; `!reload` makes it read the file again.
 * `!principals FILE --flags` starts `zpm serve --config FILE` instead, with its audit in the folder `audit`. Then
 * `@TOKEN` behind the path names the file with the caller's token, and `@TOKEN verb {json}` calls a verb or tool over
 * MCP: `< ` its structure, `x ` that of a failed one.
 */
import { answer, postModern } from "./http_server.ts";
import type { Place } from "./transcript_program.ts";
import { linesOf } from "./lines.ts";

/** Headers that a reader wants to see. */
const SHOWN = ["allow", "x-charon-truncated"];
const WAIT_MS = 60_000;

interface Running {
  child: Deno.ChildProcess;
  address: string;
  /** Resolves with the next line of standard error. */
  line(): Promise<string>;
}

export class HttpSession {
  readonly #place: Place;
  #server: Running | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  async run(command: string, cwd: string): Promise<string[]> {
    if (command.startsWith("!serve ")) {
      return await this.#serve(`http ${command.slice("!serve ".length)} --log info`, cwd);
    }
    if (command.startsWith("!principals ")) {
      return await this.#serve(`serve --config ${command.slice("!principals ".length)}`, cwd);
    }
    if (!this.#server) throw new Error("no server: begin with '!serve FILE'");
    if (command === "!reload") return await this.#reload(this.#server);
    const call = /^@(\S+) (\w+) (.*)$/.exec(command);
    if (call) {
      return await called(this.#server.address, await tokenIn(cwd, call[1]), call[2], call[3]);
    }
    const [, method, path, token, body] = /^([A-Z]+) (\S+)(?: @(\S+))?(?: (.*))?$/.exec(command) ??
      [];
    if (!method) throw new Error("a request is written 'METHOD /path', or with a body behind it");
    return await answered(
      await fetch(new URL(path, this.#server.address), {
        method,
        body,
        headers: {
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...(token && authorization(await tokenIn(cwd, token))),
        },
      }),
    );
  }

  async end(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.child.kill("SIGTERM");
    const timer = setTimeout(() => server.child.kill("SIGKILL"), WAIT_MS);
    await server.child.status;
    clearTimeout(timer);
  }

  async #serve(words: string, cwd: string): Promise<string[]> {
    await this.end();
    const child = new Deno.Command("/bin/sh", {
      args: ["-c", `exec zpm ${words} --port 0`],
      cwd,
      clearEnv: true,
      env: { ...this.#place.env, ZPM_AUDIT_DIR: `${cwd}/audit` },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const line = linesOf(child.stderr);
    const said: string[] = [];
    while (true) {
      said.push(await line());
      const address = / (http:\/\/\S+)$/.exec(said.at(-1)!)?.[1];
      if (!address) continue;
      this.#server = { child, address, line };
      return said.map((text) => `! ${text}`);
    }
  }

  async #reload({ child, line }: Running): Promise<string[]> {
    child.kill("SIGHUP");
    const told: string[] = [];
    do told.push(`! ${await line()}`); while (!/ was (not )?read again/.test(told.at(-1)!));
    return told;
  }
}

async function answered(response: Response): Promise<string[]> {
  const text = await response.text();
  const headers = SHOWN.filter((name) => response.headers.has(name))
    .map((name) => `: ${name}: ${response.headers.get(name)}`);
  const lines = text === "" ? [] : text.trimEnd().split("\n");
  return [String(response.status), ...headers, ...lines.map((line) => `< ${line}`)];
}

async function tokenIn(cwd: string, file: string): Promise<string> {
  return (await Deno.readTextFile(`${cwd}/${file}`)).trim();
}

function authorization(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

async function called(
  address: string,
  token: string,
  name: string,
  json: string,
): Promise<string[]> {
  const params = { name, arguments: JSON.parse(json) };
  const response = await postModern(address, "tools/call", params, {
    headers: authorization(token),
  });
  const { result, error } = await answer(response);
  if (error) return [`${response.status}`, `x ${error.message}`];
  return [`${result.isError ? "x" : "<"} ${JSON.stringify(result.structuredContent)}`];
}
