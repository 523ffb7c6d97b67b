/**
 * An `mcp` fence: `> tool_name {json}` calls a tool of one long-lived `zpm serve`, and the lines below it
 * are the result:
 *
 *     < text            a content item; its further lines are indented by two blanks
 *     x text            the same when the result says isError
 *     = {json}          structuredContent, compact, as the server wrote it
 *     ! CODE message    a JSON-RPC error
 *     | line            a raw line of the server (`!raw`)
 *     ? N               an exit status
 *
 * Other commands: `!request METHOD {json}` (any method, the result behind `= `), `!raw LINE`,
 * `!serve ZPM_X=1 --flag` (start again like that), `!restart`, `!kill`, `!exit`, `!stderr`;
 * `!mcp FILE --flag` (a server of that file instead), `!reload` (it reads the file again).
 */
import type { Place } from "./transcript_program.ts";
import { rawMember } from "../../src/base/raw_json.ts";
import { compactJson } from "./transcript_json.ts";
import { type Server, ServerEnded, startServer } from "./transcript_server.ts";

/** The MCP client of one transcript: its server is started by the first command that needs one. */
export class Session {
  readonly #place: Place;
  #server: Server | undefined;
  /** The command, with its settings and flags. */
  #words = "serve";
  /** What servers wrote to stderr and no command has shown yet. */
  #unread: string[] = [];

  readonly #controls: Record<string, (rest: string, cwd: string) => Promise<string[]>> = {
    exit: () => this.#stop("close", true),
    kill: () => this.#stop("kill", false),
    restart: (_rest, cwd) => this.#startAgain(this.#words, cwd),
    serve: (rest, cwd) => this.#startAgain(`serve ${rest}`, cwd),
    mcp: (rest, cwd) => this.#startAgain(`mcp ${rest} --stdio --log info`, cwd),
    reload: async (_rest, cwd) => [`! ${await (await this.#running(cwd)).reload()}`],
    stderr: () => this.#showStderr(),
    raw: async (rest, cwd) => await sendRaw(await this.#running(cwd), rest),
    request: async (rest, cwd) => await sendRequest(await this.#running(cwd), rest),
  };

  constructor(place: Place) {
    this.#place = place;
  }

  /** Runs one command in a directory and returns what a transcript shows of it. */
  async run(command: string, cwd: string): Promise<string[]> {
    const [, control, rest] = /^!(\w+) ?(.*)$/.exec(command) ?? [];
    if (control && !(control in this.#controls)) {
      throw new Error(`'!${control}' is none of ${Object.keys(this.#controls).join(", ")}`);
    }
    try {
      return control
        ? await this.#controls[control](rest, cwd)
        : await callTool(await this.#running(cwd), command);
    } catch (error) {
      if (!(error instanceof ServerEnded)) throw error;
      this.#server = undefined;
      this.#unread.push(...error.stderr);
      return [`? ${error.status}`, ...this.#takeUnread()];
    }
  }

  /** Ends a server that still runs; what there is to say about that, or nothing. */
  end(): Promise<string[]> {
    return this.#stop("close", false);
  }

  async #running(cwd: string): Promise<Server> {
    this.#server ??= await startServer(this.#place, cwd, this.#words);
    return this.#server;
  }

  /** Ends the server; its status is shown when it is asked for or is a bad one. */
  async #stop(how: "close" | "kill", show: boolean): Promise<string[]> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return [];
    const status = await server[how]();
    this.#unread.push(...await server.stderr());
    if (status === 0 || how === "kill") return show ? [`? ${status}`] : [];
    return [`? ${status}`, ...this.#takeUnread()];
  }

  async #startAgain(words: string, cwd: string): Promise<string[]> {
    const shown = await this.end();
    this.#words = words;
    await this.#running(cwd);
    return shown;
  }

  async #showStderr(): Promise<string[]> {
    if (this.#server) this.#unread.push(...await this.#server.stderr());
    return this.#takeUnread();
  }

  #takeUnread(): string[] {
    return marked("!", this.#unread.splice(0));
  }
}

async function callTool(server: Server, command: string): Promise<string[]> {
  const [name, args] = splitWord(command);
  const params = `{"name":${JSON.stringify(name)},"arguments":${checkedJson(args || "{}")}}`;
  return showResult(await server.request("tools/call", params));
}

async function sendRequest(server: Server, rest: string): Promise<string[]> {
  const [method, params] = splitWord(rest);
  const answer = await server.request(method, checkedJson(params || "{}"));
  const result = rawMember(answer, ["result"]);
  return result === undefined ? showError(answer) : [`= ${compactJson(result)}`];
}

/** Sends a line as it is. A message without an id gets no answer, so none is waited for. */
async function sendRaw(server: Server, line: string): Promise<string[]> {
  await server.send(line);
  if (line.trim() === "" || isNotification(line)) return [];
  return marked("|", await server.untilAnswer());
}

function isNotification(line: string): boolean {
  try {
    const message = JSON.parse(line);
    return typeof message?.method === "string" && !("id" in message);
  } catch {
    return false;
  }
}

function checkedJson(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new Error(`the arguments are no JSON (to send broken lines use '!raw'): ${error}`);
  }
}

function splitWord(text: string): [string, string] {
  const [word] = text.split(/\s/, 1);
  return [word, text.slice(word.length).trim()];
}

/** A line of the server's answer to tools/call, as a transcript shows it. */
export function showResult(answer: string): string[] {
  const { result } = JSON.parse(answer);
  if (result === undefined) return showError(answer);
  const mark = result.isError ? "x" : "<";
  const items: Record<string, unknown>[] = result.content ?? [];
  const lines = items.flatMap((item) => showItem(mark, item));
  const structure = rawMember(answer, ["result", "structuredContent"]);
  if (structure !== undefined) lines.push(`= ${compactJson(structure)}`);
  return lines;
}

function showItem(mark: string, item: Record<string, unknown>): string[] {
  const text = item.type === "text" ? String(item.text) : JSON.stringify(item);
  const [first, ...further] = text.split("\n");
  return [...marked(mark, [first]), ...further.map((line) => line === "" ? "" : `  ${line}`)];
}

function showError(answer: string): string[] {
  const { error } = JSON.parse(answer);
  return marked("!", [`${error.code} ${error.message}`]);
}

function marked(mark: string, lines: string[]): string[] {
  return lines.map((line) => line === "" ? mark : `${mark} ${line}`);
}
