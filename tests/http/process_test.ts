/** `zpm http` and `zpm mcp` as processes: once they listen they may do nothing, and still they read their file again. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT, sourceProgram } from "../support/transcript_program.ts";
import { answer, postModern } from "../support/http_server.ts";
import { linesOf } from "../support/lines.ts";

const TEXT = "%! answer(-X:int) is det.\nanswer(1).\n%! odd(?X) is det.\nodd(_).\n";
const SKIPPED = /^zpm: warn: kb\.pl:3: not exposed, the mode \? .*: odd\(\?X\) is det\.$/;

/** The value of a tool's answer. */
async function called(address: string): Promise<string> {
  const response = await postModern(address, "tools/call", { name: "answer", arguments: {} });
  return String((await answer(response)).result.structuredContent.result);
}

/** Command, what it says when it listens, and how it is asked. */
const SERVERS: [string, RegExp, (address: string) => Promise<string>][] = [
  [
    "http",
    /^zpm: kb\.pl is served at (http:\S+)$/,
    async (address) => await (await fetch(`${address}answer`)).text(),
  ],
  ["mcp", /^zpm: kb\.pl is served over MCP at (http:\S+)$/, called],
];

for (const server of SERVERS) {
  Deno.test(`zpm ${server[0]} gives everything away but the one file`, () => exercise(...server));
}

async function exercise(
  name: string,
  listening: RegExp,
  ask: (address: string) => Promise<string>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "zpm-http-" });
  const file = join(folder, "kb.pl");
  await Deno.writeTextFile(file, TEXT);
  const [command, ...args] = sourceProgram(`${ROOT}/tests/support/http_revoked.ts`);
  const words = [name, "kb.pl", "--port", "0", "--log", "info"];
  const child = new Deno.Command(command, {
    args: [...args, ...words],
    cwd: folder,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const err = linesOf(child.stderr);
  const out = linesOf(child.stdout);
  try {
    assert.match(await err(), SKIPPED);
    const [, address] = listening.exec(await err()) ?? [];
    assert.deepEqual([...new Set(Object.values(JSON.parse(await out())))], ["NotCapable"]);
    const asked = () => ask(address);
    assert.equal(await asked(), "1");
    await Deno.writeTextFile(file, TEXT.replace("(1)", "(2)"));
    child.kill("SIGHUP");
    assert.match(await err(), SKIPPED);
    assert.equal(await err(), "zpm: info: kb.pl was read again");
    assert.equal(await asked(), "2");
    await Deno.remove(file);
    child.kill("SIGHUP");
    assert.match(
      await err(),
      /^zpm: warn: kb\.pl was not read again, the version before is served: Cannot read "kb\.pl" again: /,
    );
    assert.equal(await asked(), "2");
    child.kill("SIGTERM");
    assert.equal((await child.status).code, 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
    await err.end();
    await out.end();
  }
}
