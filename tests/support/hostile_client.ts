/** One `zpm serve` and a client that believes nothing: every line must be protocol, every answer fit its schema. */
import { ok, strictEqual } from "node:assert/strict";
import { type Answer, handshake } from "./mcp_session.ts";
import { cacheSource, projectProgram } from "./transcript_program.ts";
import { readAnswer, type Result } from "./world.ts";

/** A call that is not answered by then hangs: the deadline of the server is far below. */
const ANSWER_MS = 60_000;

export class HostileClient {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<
    number,
    { name: string; answered: (result: Result) => void; failed: (why: unknown) => void }
  >();
  readonly #reading: Promise<void>;
  #next = 1;
  #fault: unknown;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#writer = child.stdin.getWriter();
    this.#reading = this.#read().catch((error) => this.#fail(error));
  }

  static async start(project: string): Promise<HostileClient> {
    await cacheSource();
    const [command, ...args] = projectProgram();
    const child = new Deno.Command(command, {
      args: [...args, "serve", "--project", project, "--deadline-ms", "150", "--log", "error"],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const client = new HostileClient(child);
    for (const message of handshake()) client.line(JSON.stringify(message));
    return client;
  }

  /** Sends a line as it is, without waiting for anything. */
  line(text: string): void {
    // What breaks lines apart is not what is tried here.
    const line = text.replaceAll("\n", " ") + "\n";
    this.#writer.write(new TextEncoder().encode(line)).catch((error) => this.#fail(error));
  }

  /** The answer to a call, checked. */
  async call(params: { name: string; arguments: unknown }): Promise<Result> {
    if (this.#fault) throw this.#fault;
    const id = this.#next++;
    const answer = Promise.withResolvers<Result>();
    this.#waiting.set(id, { name: params.name, answered: answer.resolve, failed: answer.reject });
    this.line(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }));
    const timer = setTimeout(
      () => answer.reject(new Error(`no answer to ${JSON.stringify(params).slice(0, 2_000)}`)),
      ANSWER_MS,
    );
    try {
      return await answer.promise;
    } catch (error) {
      throw new Error(`${JSON.stringify(params).slice(0, 2_000)}: ${error}`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** What the process has in memory. */
  residentMb(): number {
    const status = Deno.readTextFileSync(`/proc/${this.#child.pid}/status`);
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
  }

  /** Ends the input; the exit status. */
  async end(): Promise<number> {
    await this.#writer.close();
    const { code } = await this.#child.status;
    await this.#reading;
    if (this.#fault) throw this.#fault;
    return code;
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.#take(JSON.parse(line));
    }
    strictEqual(rest, "");
    if (this.#waiting.size > 0) throw new Error("the server ended");
  }

  #take(message: Answer & { jsonrpc: string; id?: unknown; method?: string }): void {
    strictEqual(message.jsonrpc, "2.0");
    if (message.method !== undefined || typeof message.id !== "number" || message.id === 0) {
      return ok(message.method?.startsWith("notifications/") ?? (message.result || message.error));
    }
    const call = this.#waiting.get(message.id);
    ok(call, `an answer to call ${message.id}, which is not waiting for one`);
    this.#waiting.delete(message.id);
    try {
      const result = readAnswer(call.name, message);
      ok(result.texts.length > 0, "no text");
      ok(!result.texts[0].startsWith("Internal fault"), result.texts.join("\n"));
      call.answered(result);
    } catch (error) {
      call.failed(error);
    }
  }

  #fail(error: unknown): void {
    this.#fault ??= error;
    for (const { failed } of this.#waiting.values()) failed(error);
    this.#waiting.clear();
  }
}
