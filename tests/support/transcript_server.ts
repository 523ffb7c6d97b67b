/** One `zpm serve`, or `zpm mcp FILE --stdio`, over stdio: lines in, lines out, and a limit on every wait. */
import { type Place, quote } from "./transcript_program.ts";

const REPLY_MS_MAX = 60_000;
const QUIET_MS = 150;

export const PROTOCOL = "2025-11-25";

/** How a server ended: its status, or the reason it has none. */
export class ServerEnded extends Error {
  constructor(readonly status: number, readonly stderr: string[]) {
    super(`the server ended with status ${status}`);
  }
}

export interface Server {
  /** Sends a line as it is. */
  send(line: string): Promise<void>;
  /** Sends a request whose parameters are JSON text and returns the text of its answer. */
  request(method: string, params: string): Promise<string>;
  /** The next line that is an answer, with all lines before it. */
  untilAnswer(): Promise<string[]>;
  /** The lines on stderr nobody has asked for yet. */
  stderr(): Promise<string[]>;
  /** Makes it read its file again; the next line on stderr. */
  reload(): Promise<string>;
  /** End of input; resolves with the exit status. */
  close(): Promise<number>;
  kill(): Promise<number>;
}

/** Starts a command with further words (`serve ZPM_X=1 --flag`) and shakes hands. */
export async function startServer(place: Place, cwd: string, words: string): Promise<Server> {
  const server = spawnServer(place, cwd, words);
  const client = `{"name":"transcript","version":"1.0.0"}`;
  const params = `{"protocolVersion":"${PROTOCOL}","capabilities":{},"clientInfo":${client}}`;
  await server.request("initialize", params);
  await server.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`);
  return server;
}

function spawnServer(place: Place, cwd: string, words: string): Server {
  const settings = words.split(/\s+/).filter((word) => /^[A-Z_]+=/.test(word));
  const flags = words.split(/\s+/).filter((word) => word && !settings.includes(word));
  const line = ["exec env", ...settings, "zpm", ...flags].map((w) => w.includes("=") ? quote(w) : w)
    .join(" ");
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", line],
    cwd,
    clearEnv: true,
    env: place.env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return wrapChild(child);
}

function wrapChild(child: Deno.ChildProcess): Server {
  const writer = child.stdin.getWriter();
  const stdout = new Lines(child.stdout);
  const stderr = new Lines(child.stderr);
  let id = 0;

  async function send(line: string): Promise<void> {
    // A server that is gone is noticed at the next read, with its status and what it said.
    await writer.write(new TextEncoder().encode(line + "\n")).catch(() => {});
  }

  async function nextLine(): Promise<string> {
    const line = await stdout.next(REPLY_MS_MAX);
    if (line !== undefined) return line;
    const { code } = await child.status;
    throw new ServerEnded(code, await stderr.rest());
  }

  async function request(method: string, params: string): Promise<string> {
    id++;
    await send(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);
    while (true) {
      const line = await nextLine();
      if (parsed(line).id === id) return line;
    }
  }

  async function untilAnswer(): Promise<string[]> {
    const lines: string[] = [];
    while (true) {
      const line = await nextLine();
      lines.push(line);
      const message = parsed(line);
      if ("result" in message || "error" in message) return lines;
    }
  }

  async function close(): Promise<number> {
    await writer.close().catch(() => {});
    return await ended(child, stdout, stderr);
  }

  async function kill(): Promise<number> {
    Deno.kill(child.pid, "SIGKILL");
    await writer.abort().catch(() => {});
    return await ended(child, stdout, stderr);
  }

  const told = () => stderr.soon(QUIET_MS);
  return {
    send,
    request,
    untilAnswer,
    stderr: told,
    reload: () => reload(child, stderr),
    close,
    kill,
  };
}

/** Waits for the end of the process; one that does not end by itself is killed (status 137). */
async function ended(child: Deno.ChildProcess, ...streams: Lines[]): Promise<number> {
  const timer = setTimeout(() => Deno.kill(child.pid, "SIGKILL"), REPLY_MS_MAX);
  const [{ code }] = await Promise.all([child.status, ...streams.map((lines) => lines.end())]);
  clearTimeout(timer);
  return code;
}

async function reload(child: Deno.ChildProcess, stderr: Lines): Promise<string> {
  Deno.kill(child.pid, "SIGHUP");
  return await stderr.next(REPLY_MS_MAX) ?? "";
}

function parsed(line: string): Record<string, unknown> {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    throw new Error(`the server wrote a line that is not JSON: ${line}`);
  }
}

/** The lines of a stream, read as they come and kept until they are asked for. */
class Lines {
  #lines: string[] = [];
  #ended = false;
  #wake: () => void = () => {};
  #reading: Promise<void>;

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reading = this.#read(stream);
  }

  async #read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    let rest = "";
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split("\n");
      rest = parts.pop()!;
      this.#lines.push(...parts);
      this.#wake();
    }
    if (rest !== "") this.#lines.push(rest);
    this.#ended = true;
    this.#wake();
  }

  /** The next line; undefined at the end of the stream. */
  async next(limitMs: number): Promise<string | undefined> {
    while (this.#lines.length === 0 && !this.#ended) {
      if (!await this.#change(limitMs)) throw new Error(`no answer within ${limitMs} ms`);
    }
    return this.#lines.shift();
  }

  /** What is there once nothing has come for a while: two pipes have no common order. */
  async soon(quietMs: number): Promise<string[]> {
    while (!this.#ended && await this.#change(quietMs));
    return this.#lines.splice(0);
  }

  async rest(): Promise<string[]> {
    await this.#reading;
    return this.#lines.splice(0);
  }

  /** Resolves at the end of the stream. */
  async end(): Promise<void> {
    await this.#reading;
  }

  /** Resolves with whether something came within the time. */
  #change(limitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), limitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
