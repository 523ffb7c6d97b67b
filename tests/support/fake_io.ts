/** A command line without a process: what it would print, and what it would read. */
import type { Io } from "../../src/cli/io.ts";
import { run } from "../../src/cli/main.ts";
import type { OpenMemories } from "../../src/cli/session.ts";
import { type FakeMemories, fakeMemories } from "./fake_memories.ts";

export interface Ran {
  code: number;
  out: string;
  err: string;
  memories: FakeMemories;
}

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  input?: string;
  /** Real memories, in the place of the fake. */
  open?: OpenMemories;
}

/** Runs one command line, with a memory that has no engine unless one is given. */
export async function runZpm(words: string[], options: RunOptions = {}): Promise<Ran> {
  const memories = fakeMemories();
  const printed = { out: "", err: "" };
  const fake = () => Promise.resolve({ ...memories, close: () => Promise.resolve() });
  const code = await run(words, fakeIo(printed, options), options.open ?? fake);
  return { code, ...printed, memories };
}

function fakeIo(printed: { out: string; err: string }, options: RunOptions): Io {
  const bytes = new TextEncoder().encode(options.input ?? "");
  return {
    out(text) {
      printed.out += `${text}\n`;
      return Promise.resolve();
    },
    err(text) {
      printed.err += `${text}\n`;
    },
    readInput: () => Promise.resolve(bytes),
    readFile: (path) => Deno.readFile(path),
    env: (name) => options.env?.[name],
    cwd: () => options.cwd ?? "/",
    input: () => new Blob([bytes]).stream(),
    output: {
      write(bytes) {
        printed.out += new TextDecoder().decode(bytes);
        return Promise.resolve(bytes.length);
      },
    },
    stopSignal: () => new AbortController().signal,
    onReloadSignal: () => {},
  };
}

/** A directory that is a project, for one test. */
export async function withProject(work: (cwd: string) => Promise<void>): Promise<void> {
  const cwd = await Deno.realPath(await Deno.makeTempDir({ prefix: "zpm-cli-" }));
  try {
    await Deno.mkdir(`${cwd}/.zpm/kb`, { recursive: true });
    await work(cwd);
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}
