/** Times and how they are summed up; processes and how they are timed. */

/** Milliseconds of several runs of one thing. */
export type Times = number[];

export function quantile(times: Times, part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

export function median(times: Times): number {
  return quantile(times, 0.5);
}

/** `83 ms (81 to 90)`: the median, and where the middle half lies. */
export function shown(times: Times): string {
  const digits = median(times) < 10 ? 2 : 0;
  const [low, mid, high] = [0.25, 0.5, 0.75].map((part) => quantile(times, part).toFixed(digits));
  return `${mid} ms (${low} to ${high})`;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** So many runs of one thing; it is told which run it is. */
export async function repeated(runs: number, work: (run: number) => Promise<unknown>) {
  const times: Times = [];
  for (let run = 0; run < runs; run++) times.push(await timed(() => work(run)));
  return times;
}

/** From the start of a process to its end. */
export async function wholeProcess(words: string[], cwd: string): Promise<number> {
  const [command, ...args] = words;
  const started = performance.now();
  const child = new Deno.Command(command, { args, cwd, stdin: "null", stdout: "piped" });
  const { success, stderr } = await child.output();
  const took = performance.now() - started;
  if (!success) throw new Error(`${words.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return took;
}

/** Runs each of several things in turn, again and again, so that noise of the machine meets all alike. */
export async function interleaved<Name extends string>(
  rounds: number,
  things: Record<Name, () => Promise<number>>,
): Promise<Record<Name, Times>> {
  const names = Object.keys(things) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Times
  >;
  for (const name of names) await things[name](); // the first run reads the file into the cache
  for (let round = 0; round < rounds; round++) {
    for (const name of names) times[name].push(await things[name]());
  }
  return times;
}

/** A process that answers lines with lines. */
export class LineProcess {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #rest = "";

  constructor(words: string[], cwd: string, env: Record<string, string> = {}) {
    const [command, ...args] = words;
    this.#child = new Deno.Command(command, {
      args,
      cwd,
      env,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reader = this.#child.stdout.getReader();
  }

  get pid(): number {
    return this.#child.pid;
  }

  async send(message: unknown): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end >= 0) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return line;
      }
      const { value, done } = await this.#reader.read();
      if (done) throw new Error("the process ended without an answer");
      this.#rest += new TextDecoder().decode(value);
    }
  }

  async end(): Promise<void> {
    await this.#writer.close();
    await this.#child.status;
    await this.#reader.cancel();
  }
}

/** What a client saw of a server that it kept busy. */
export interface Load {
  /** Of every request, in order of the answers. */
  took: Times;
  elapsed_ms: number;
  /** Processor time of the client itself. */
  client_ms: number;
}
