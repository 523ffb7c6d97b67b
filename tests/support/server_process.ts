/** A server that listens, as a process of its own: what it prints, and how it ends. */
import { sourceProgram } from "./transcript_program.ts";

export interface ServerProcess {
  address: string;
  /** The lines of standard error so far. */
  said: string[];
  /** The first line of standard output. */
  printed: Promise<string>;
  /** SIGTERM; the exit status, when everything it wrote has been read. */
  end(): Promise<number>;
}

/** Starts a server from source and waits until it has said so many lines, the first when it listens. */
export async function startServer(
  main: string,
  cwd: string,
  words: string[],
  { lines = 1, env = {} }: { lines?: number; env?: Record<string, string> } = {},
): Promise<ServerProcess> {
  const [command, ...args] = sourceProgram(main);
  const child = new Deno.Command(command, {
    args: [...args, ...words],
    cwd,
    env: { ZPM_TOKEN: "", ZPM_SERVER_TOKEN: "", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const said: string[] = [];
  const ready = Promise.withResolvers<void>();
  const printed = Promise.withResolvers<string>();
  const reading = Promise.all([
    eachLine(child.stderr, (line) => said.push(line) >= lines && ready.resolve()),
    eachLine(child.stdout, printed.resolve),
  ]);
  await Promise.race([ready.promise, reading]);
  return {
    address: / (http:\S+)$/.exec(said[0] ?? "")?.[1] ?? said.join("\n"),
    said,
    printed: printed.promise,
    async end() {
      child.kill("SIGTERM");
      await reading;
      return (await child.status).code;
    },
  };
}

async function eachLine(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (line: string) => unknown,
): Promise<void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    lines.forEach((line) => take(line));
  }
}
