/**
 * One `zpm serve` for the crash tests: lines in, acknowledgements out, and an end without warning. What is on
 * disk afterwards is read with the store alone, without an engine that could mend anything.
 */
import { join } from "node:path";
import { Journal } from "../../src/store/journal.ts";
import type { Commit } from "../../src/store/protocol.ts";
import { type Program, projectProgram } from "./transcript_program.ts";

/** A write of a crash test, as the tool and its arguments. */
export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** What a tool said, in text and in structure. */
export interface Told {
  text: string;
  /** All texts, warnings among them. */
  texts: string[];
  isError: boolean;
  structure: Record<string, unknown>;
}

export interface CrashServer {
  readonly pid: number;
  /** Sends calls in one piece, without waiting. Their ids are their numbers, from 1. */
  send(...calls: Call[]): Promise<void>;
  /** Sends one and waits for its answer. */
  call(name: string, args?: Record<string, unknown>): Promise<Told>;
  /** Resolves when so many calls have been answered, or the server is gone. */
  answered(count: number): Promise<void>;
  /** Numbers of the calls that were answered as done. */
  readonly acknowledged: ReadonlySet<number>;
  /** The texts of the answers, by number. */
  readonly texts: ReadonlyMap<number, string>;
  /** What it has printed on standard error so far. */
  stderr(): string;
  /** Resolves when standard error says that. */
  says(pattern: RegExp): Promise<void>;
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>;
  /** The end of its input; resolves with the exit code. */
  end(): Promise<number>;
  /** Resolves with the exit code when it ends by itself. */
  ended(): Promise<number>;
}

export interface StartOptions {
  /** Words in front of the program: other rights, a limit. */
  under?: string[];
  program?: Program;
  env?: Record<string, string>;
}

/** A slow machine is no reason for a write to be refused. */
const PATIENCE = ["--deadline-ms", "50000"];

/** Starts a server on a project. */
export function startCrashServer(project: string, options: StartOptions = {}): CrashServer {
  const { under = [], program = projectProgram(), env } = options;
  const words = ["serve", "--project", project, ...PATIENCE];
  const [command, ...args] = [...under, ...program, ...words];
  const child = new Deno.Command(command, {
    args,
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const answers = new Answers();
  const errors = new Said();
  const reading = Promise.all([answers.read(child.stdout), errors.read(child.stderr)]);
  let sent = 0;
  const send = async (...calls: Call[]) => {
    const lines = calls.map((params) =>
      JSON.stringify({ jsonrpc: "2.0", id: ++sent, method: "tools/call", params }) + "\n"
    );
    await writer.write(new TextEncoder().encode(lines.join("")));
  };
  return {
    pid: child.pid,
    acknowledged: answers.acknowledged,
    texts: answers.texts,
    answered: (count) => answers.atLeast(count),
    send,
    async call(name, args = {}) {
      const id = sent + 1;
      await send({ name, arguments: args });
      return await answers.of(id);
    },
    stderr: () => errors.text,
    says: (pattern) => errors.says(pattern),
    async kill() {
      Deno.kill(child.pid, "SIGKILL");
      await child.status;
      await writer.abort().catch(() => {});
      await reading;
    },
    async end() {
      await writer.close();
      return await this.ended();
    },
    async ended() {
      const { code } = await child.status;
      await reading;
      await writer.abort().catch(() => {});
      return code;
    },
  };
}

/** What came back, as it comes. */
class Answers {
  readonly acknowledged = new Set<number>();
  readonly texts = new Map<number, string>();
  readonly #told = new Map<number, Told>();
  #ended = false;
  readonly #woken = new Bell();

  async read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    let rest = "";
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.#take(JSON.parse(line));
      this.#woken.ring();
    }
    this.#ended = true;
    this.#woken.ring();
  }

  #take({ id, result }: { id: number; result?: Result }): void {
    const texts = result?.content.map(({ text }) => text) ?? [];
    this.texts.set(id, texts[0] ?? "");
    if (result) {
      const { isError = false, structuredContent: structure = {} } = result;
      this.#told.set(id, { text: texts[0], texts, isError, structure });
    }
    if (result && !result.isError) this.acknowledged.add(id);
  }

  async atLeast(count: number): Promise<void> {
    while (this.texts.size < count && !this.#ended) await this.#woken.rings();
  }

  async of(id: number): Promise<Told> {
    while (!this.texts.has(id) && !this.#ended) await this.#woken.rings();
    const told = this.#told.get(id);
    if (!told) throw new Error(`call ${id} was not answered`);
    return told;
  }
}

interface Result {
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
  isError: boolean;
}

/** Standard error, as it comes. */
class Said {
  text = "";
  #ended = false;
  readonly #woken = new Bell();

  async read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      this.text += text;
      this.#woken.ring();
    }
    this.#ended = true;
    this.#woken.ring();
  }

  async says(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.text)) {
      if (this.#ended) throw new Error(`it ended and had said: ${this.text}`);
      await this.#woken.rings();
    }
  }
}

/** Wakes everybody who waits. */
class Bell {
  #next = Promise.withResolvers<void>();

  ring(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  rings(): Promise<void> {
    return this.#next.promise;
  }
}

/** What a command that ran to its end left. */
export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs one command line of zpm on a project. */
export async function runCommand(
  project: string,
  words: string[],
  options: StartOptions = {},
): Promise<Ran> {
  const { under = [], program = projectProgram() } = options;
  const [command, ...args] = [...under, ...program, ...words, "--project", project, ...PATIENCE];
  const { code, stdout, stderr } = await new Deno.Command(command, { args }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** What a killed server left on disk. */
export async function commitsOf(project: string): Promise<Commit[]> {
  const journal = new Journal(join(project, ".zpm"));
  try {
    const { commits, health } = await journal.open();
    if (health.status !== "active") throw new Error(`the journal is ${health.status}`);
    return commits;
  } finally {
    journal.close();
  }
}

/** Makes a project, runs the test in it, and takes it away. */
export async function inProject(test: (project: string) => Promise<void>): Promise<void> {
  const project = await Deno.realPath(await Deno.makeTempDir({ prefix: "zpm-crash-" }));
  try {
    await Deno.mkdir(join(project, ".zpm/kb"), { recursive: true });
    await test(project);
  } finally {
    await Deno.remove(project, { recursive: true });
  }
}
