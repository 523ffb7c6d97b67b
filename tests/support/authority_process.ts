/** Starts and asks `authority_server.ts`, in a folder of its own with a config. */
import { join } from "node:path";
import { fingerprint } from "../../src/authority/tokens.ts";
import type { Order } from "./authority_server.ts";
import { linesOf } from "./lines.ts";
import { type Program, ROOT, sourceProgram } from "./transcript_program.ts";

export const ANA = "token of ana";
const SERVER = "tests/support/authority_server.ts";

export interface AuthorityProcess {
  readonly pid: number;
  /** Sends an order, and reads the answer. */
  ask(order: Order | "go on"): Promise<unknown>;
  /** The next line that it says. */
  said(): Promise<unknown>;
  /** What it says first: "open", or why it did not; undefined when it ends without a word. */
  first: Promise<unknown>;
  /** True when its file system stands still, false when it is gone without that. */
  stands: Promise<boolean>;
  /** All that it says on standard error, when it is gone. */
  errors: Promise<string>;
  kill(): Promise<void>;
  end(): Promise<number>;
}

/** A folder with `server.json`, `state`, `forks` and `audit`, which is not among temporary files there. */
export async function inServerFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "zpm-authority-" }));
  try {
    await Deno.mkdir(join(folder, "tmp"));
    const ana = { token_sha256: await fingerprint(ANA), fork_id: "ana", lifecycle: "durable" };
    const config = {
      state_dir: "state",
      forks_dir: "forks",
      audit_dir: join(folder, "audit"),
      principals: { ana },
    };
    await Deno.writeTextFile(join(folder, "server.json"), JSON.stringify(config, null, 2) + "\n");
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The same, when its first line has come. */
export async function openAuthorityProcess(
  folder: string,
): Promise<Omit<AuthorityProcess, "first"> & { first: unknown }> {
  const process = startAuthorityProcess(folder);
  return { ...process, first: await process.first };
}

export function startAuthorityProcess(
  folder: string,
  program: Program = sourceProgram(join(ROOT, SERVER)),
): AuthorityProcess {
  const [command, ...args] = [...program, join(folder, "server.json")];
  const child = new Deno.Command(command, {
    args,
    env: { TMPDIR: join(folder, "tmp") },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const lines = linesOf(child.stdout);
  const said = async () => JSON.parse(await lines());
  const { stands, errors } = listening(child.stderr);
  const gone = async () => {
    const { code } = await child.status;
    await writer.abort().catch(() => {});
    await lines.end();
    await errors;
    return code;
  };
  return {
    pid: child.pid,
    first: said().catch(() => undefined),
    stands,
    errors,
    said,
    async ask(order) {
      await writer.write(new TextEncoder().encode(JSON.stringify(order) + "\n"));
      return await said();
    },
    async kill() {
      Deno.kill(child.pid, "SIGKILL");
      await gone();
    },
    async end() {
      await writer.close();
      return await gone();
    },
  };
}

function listening(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const stands = Promise.withResolvers<boolean>();
  const errors = (async () => {
    let text = "";
    for await (const part of stream.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (text.includes("\nstands still")) stands.resolve(true);
    }
    stands.resolve(false);
    return text;
  })();
  return { stands: stands.promise, errors };
}

export { SERVER };
