/** `zpm http FILE` as a process of its own, for tests that end it, or let it do without its rights. */
import { type Lines, linesOf } from "./lines.ts";
import { projectProgram } from "./transcript_program.ts";

export interface FileProcess {
  child: Deno.ChildProcess;
  /** `http://127.0.0.1:PORT/`; empty when it did not come so far. */
  address: string;
  /** The next line that it says on standard error, or on standard output. */
  err: Lines;
  out: Lines;
  /** What it said on standard error before it listened, or ended. */
  said: string[];
  /** Ends it, waits until it is gone, and tells its exit code. */
  end(signal?: Deno.Signal): Promise<number>;
}

interface StartOptions {
  folder: string;
  /** Words behind `http`. */
  words: string[];
  /** Words in front of the program. */
  under?: string[];
  program?: string[];
}

/** Starts it, and waits until it listens or has ended. */
export async function startFileProcess(options: StartOptions): Promise<FileProcess> {
  const { folder, words, under = [], program = projectProgram() } = options;
  const [command, ...args] = [...under, ...program, "http", ...words, "--port", "0"];
  const child = new Deno.Command(command, {
    args,
    cwd: folder,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [err, out] = [linesOf(child.stderr), linesOf(child.stdout)];
  const said: string[] = [];
  const end = async (signal: Deno.Signal = "SIGTERM") => {
    try {
      child.kill(signal);
    } catch {
      // It has ended already.
    }
    const { code } = await child.status;
    await Promise.all([err.end(), out.end()]);
    return code;
  };
  let address = "";
  try {
    while (!address) {
      said.push(await err());
      address = / (http:\/\/\S+)$/.exec(said.at(-1)!)?.[1] ?? "";
    }
  } catch {
    await child.status;
  }
  return { child, address, err, out, said, end };
}
