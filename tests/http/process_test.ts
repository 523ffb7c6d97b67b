/** `zpm http` as a process: once it listens it may do nothing, and still it reads its file again. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT, sourceProgram } from "../support/transcript_program.ts";
import { linesOf } from "../support/lines.ts";

const TEXT = "%! answer(-X:int) is det.\nanswer(1).\n";

Deno.test("zpm http gives everything away but the one file", async () => {
  const folder = await Deno.makeTempDir({ prefix: "zpm-http-" });
  const file = join(folder, "kb.pl");
  await Deno.writeTextFile(file, TEXT);
  const [command, ...args] = sourceProgram(`${ROOT}/tests/support/http_revoked.ts`);
  const words = ["http", "kb.pl", "--port", "0", "--log", "info"];
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
    const [, address] = /^zpm: kb\.pl is served at (http:\S+)$/.exec(await err()) ?? [];
    assert.deepEqual([...new Set(Object.values(JSON.parse(await out())))], ["NotCapable"]);
    const asked = async () => await (await fetch(`${address}answer`)).text();
    assert.equal(await asked(), "1");
    await Deno.writeTextFile(file, TEXT.replace("(1)", "(2)"));
    child.kill("SIGHUP");
    assert.equal(await err(), "zpm: info: kb.pl was read again");
    assert.equal(await asked(), "2");
    await Deno.remove(file);
    child.kill("SIGHUP");
    assert.match(
      await err(),
      /^zpm: warn: kb\.pl was not read again, the version before is served/,
    );
    assert.equal(await asked(), "2");
    child.kill("SIGTERM");
    assert.equal((await child.status).code, 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
    await err.end();
    await out.end();
  }
});
