/**
 * One `zpm serve` for the crash tests: lines in, acknowledgements out, and an end without warning. What is on
 * disk afterwards is read with the store alone, without an engine that could mend anything.
 */
import { join } from "node:path";
import { Journal } from "../../src/store/journal.ts";
import type { Commit } from "../../src/store/protocol.ts";
import { projectProgram } from "./transcript_program.ts";

/** A write of a crash test, as the tool and its arguments. */
export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

export interface CrashServer {
  /** Sends calls in one piece, without waiting. Their ids are their numbers, from 1. */
  send(...calls: Call[]): Promise<void>;
  /** Resolves when so many calls have been answered, or the server is gone. */
  answered(count: number): Promise<void>;
  /** Numbers of the calls that were answered as done. */
  readonly acknowledged: ReadonlySet<number>;
  /** The texts of the answers, by number. */
  readonly texts: ReadonlyMap<number, string>;
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>;
}

/** Starts a server on a project. */
export function startCrashServer(project: string): CrashServer {
  const [command, ...args] = projectProgram();
  const child = new Deno.Command(command, {
    args: [...args, "serve", "--project", project],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const answers = new Answers();
  const reading = answers.read(child.stdout);
  let sent = 0;
  return {
    acknowledged: answers.acknowledged,
    texts: answers.texts,
    answered: (count) => answers.atLeast(count),
    async send(...calls) {
      const lines = calls.map((params) =>
        JSON.stringify({ jsonrpc: "2.0", id: ++sent, method: "tools/call", params }) + "\n"
      );
      await writer.write(new TextEncoder().encode(lines.join("")));
    },
    async kill() {
      Deno.kill(child.pid, "SIGKILL");
      await child.status;
      await writer.abort().catch(() => {});
      await reading;
    },
  };
}

/** What came back, as it comes. */
class Answers {
  readonly acknowledged = new Set<number>();
  readonly texts = new Map<number, string>();
  #ended = false;
  #wake: () => void = () => {};

  async read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    let rest = "";
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.#take(JSON.parse(line));
      this.#wake();
    }
    this.#ended = true;
    this.#wake();
  }

  #take({ id, result }: { id: number; result?: Result }): void {
    this.texts.set(id, result?.content[0].text ?? "");
    if (result && !result.isError) this.acknowledged.add(id);
  }

  async atLeast(count: number): Promise<void> {
    while (this.texts.size < count && !this.#ended) {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}

interface Result {
  content: { text: string }[];
  isError: boolean;
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
