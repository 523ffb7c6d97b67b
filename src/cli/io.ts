/** What the command line touches of the world; the tests bring their own. */

export interface Io {
  /** Writes text and a line break to standard output. */
  out(text: string): Promise<void>;
  /** The same for standard error, at once: it must be read even if the process ends. */
  err(text: string): void;
  /** All of standard input. */
  readInput(): Promise<Uint8Array>;
  /** A file that was named on the command line. */
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  env(name: string): string | undefined;
  cwd(): string;
  /** Standard input and output as bytes, for a protocol. */
  input(): AsyncIterable<Uint8Array>;
  output: { write(bytes: Uint8Array): Promise<number> };
  /** Aborted when the process is asked to end (SIGTERM, SIGINT). */
  stopSignal(): AbortSignal;
  /** Calls the listener when the process is asked to read its files again (SIGHUP; never on Windows). */
  onReloadSignal(listener: () => void): void;
}

/** The process's own. */
export function processIo(): Io {
  const encoder = new TextEncoder();
  return {
    async out(text) {
      let bytes = encoder.encode(`${text}\n`);
      try {
        while (bytes.length > 0) bytes = bytes.subarray(await Deno.stdout.write(bytes));
      } catch (error) {
        // `zpm query-logic ... | head`: whoever read has seen enough.
        if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
      }
    },
    err(text) {
      let bytes = encoder.encode(`${text}\n`);
      while (bytes.length > 0) bytes = bytes.subarray(Deno.stderr.writeSync(bytes));
    },
    readInput: () => new Response(Deno.stdin.readable).bytes(),
    readFile: (path) => Deno.readFile(path),
    env: (name) => Deno.env.get(name),
    cwd: () => Deno.cwd(),
    input: () => Deno.stdin.readable,
    output: Deno.stdout,
    stopSignal,
    onReloadSignal(listener) {
      if (Deno.build.os !== "windows") Deno.addSignalListener("SIGHUP", listener);
    },
  };
}

function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  for (const signal of signals) {
    Deno.addSignalListener(signal, () => {
      // Whoever asks a second time does not want to wait.
      if (stop.signal.aborted) Deno.exit(1);
      stop.abort();
    });
  }
  return stop.signal;
}
