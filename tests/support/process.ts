/** `zpm serve` as a process of its own, told everything at once: what it wrote, and how it ended. */
import { strictEqual } from "node:assert/strict";
import { type Answer, handshake } from "./mcp_session.ts";
import { cacheSource, projectProgram } from "./transcript_program.ts";

export interface Spoken {
  /** What it called itself in its answer to `initialize`. */
  version: string;
  /** The answers by the number of their call, from 1; a call that was answered twice is there twice. */
  answers: (Answer & { id: number })[];
  status: number;
  stderr: string;
}

/**
 * Sends the calls in one piece and closes the input when all are answered, or at once, without the end of the last
 * line. `fileBytes` is how large a file may get. Whatever the process writes to its standard output is a line of JSON-RPC, or this throws.
 */
export async function tellProcess(
  project: string,
  calls: { name: string; arguments?: Record<string, unknown> }[],
  { unfinished = false, fileBytes = 0 } = {},
): Promise<Spoken> {
  await cacheSource();
  const limit = fileBytes > 0 ? `trap "" XFSZ; ulimit -f ${fileBytes / 512}; ` : "";
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", `${limit}exec "$@"`, "sh", ...projectProgram(), "serve", "--project", project],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const requests = calls.map((params, index) => (
    { jsonrpc: "2.0", id: index + 1, method: "tools/call", params }
  ));
  const text = [...handshake(), ...requests].map((message) => JSON.stringify(message)).join("\n");
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(unfinished ? text : text + "\n"));
  if (unfinished) await writer.close();
  const answers: Spoken["answers"] = [];
  let version = "";
  const stderr = new Response(child.stderr).text();
  for await (const line of linesOf(child.stdout)) {
    const message = JSON.parse(line);
    strictEqual(message.jsonrpc, "2.0");
    if (message.id === 0) version = message.result.serverInfo.version;
    if (message.id > 0) answers.push(message);
    if (!unfinished && answers.length === calls.length) await writer.close().catch(() => {});
  }
  const { code } = await child.status;
  return { version, answers, status: code, stderr: await stderr };
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  strictEqual(rest, "");
}
