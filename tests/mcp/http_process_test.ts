/** `zpm serve --http` as a process: what it prints, what it may still do, how it ends. */
import assert from "node:assert/strict";
import { answer, post, postModern, TOKEN } from "../support/http_server.ts";
import { handshake } from "../support/mcp_session.ts";
import { runZpm, withProject } from "../support/fake_io.ts";
import { startServer } from "../support/server_process.ts";
import { ROOT } from "../support/transcript_program.ts";

Deno.test("it prints address and token once, serves real memories, and ends with 0", async () => {
  await withProject(async (cwd) => {
    const { address, said, end } = await startServer(`${ROOT}/main.ts`, cwd, [
      "serve",
      "--port",
      "0",
    ], { lines: 2 });
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const [, token] = /^zpm: bearer token ([\w-]{43})$/.exec(said[1])!;
    const headers = { Authorization: `Bearer ${token}` };
    assert.equal((await postModern(address, "tools/list")).status, 401);
    const remember = { name: "remember_fact", arguments: { fact: "human(socrates)" } };
    const stored = await answer(await postModern(address, "tools/call", remember, { headers }));
    assert.equal(stored.result.structuredContent.commit, 1);
    const opened = await post(address, handshake()[0], { headers });
    const session = { ...headers, "Mcp-Session-Id": opened.headers.get("mcp-session-id")! };
    await opened.body?.cancel();
    const query = { name: "query_logic", arguments: { goal: "human(X)" } };
    const asked = { jsonrpc: "2.0", id: 2, method: "tools/call", params: query };
    const { result } = await answer(await post(address, asked, { headers: session }));
    assert.equal(result.content[0].text, '[{"X":"socrates"}]');
    assert.equal(await end(), 0);
    assert.equal(said.length, 2);
  });
});

Deno.test("once it serves, its main thread may do nothing, and still it serves", async () => {
  await withProject(async (cwd) => {
    const script = `${ROOT}/tests/support/http_revoked.ts`;
    const words = ["serve", "--http", "--port", "0", "--token", TOKEN];
    const { address, said, printed, end } = await startServer(script, cwd, words);
    const tried = JSON.parse(await printed);
    assert.deepEqual([...new Set(Object.values(tried))], ["NotCapable"]);
    const remember = { name: "remember_fact", arguments: { fact: "human(socrates)" } };
    const { result } = await answer(await postModern(address, "tools/call", remember));
    assert.equal(result.isError, false);
    assert.equal(await end(), 0);
    assert.equal(said.length, 1);
  });
});

Deno.test("what it cannot be told stops the start", async () => {
  await withProject(async (cwd) => {
    const refused = async (
      words: string[],
      message: RegExp,
      env: Record<string, string> = { ZPM_SERVER_TOKEN: TOKEN },
    ) => {
      const { code, err } = await runZpm(["serve", ...words], { cwd, env });
      assert.equal(code, 1);
      assert.match(err, message);
    };
    for (const host of ["0.0.0.0", "example.com", "192.168.1.4", "::"]) {
      await refused(["--host", host], /^--host must be this machine's own/);
    }
    await refused(["--port", "70000"], /^--port must be an integer from 0 to 65535/);
    await refused(["--http", "--token", "short"], /^--token must be at least 16/);
    for (const said of ["a b c d e f g h i", "short"]) {
      await refused(["--http"], /^ZPM_SERVER_TOKEN must be at least 16/, {
        ZPM_SERVER_TOKEN: said,
      });
    }
    await refused(["--token", TOKEN], /^--token is for HTTP: add --http/);
    const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = taken.addr as Deno.NetAddr;
    await refused(["--port", String(port)], new RegExp(`^Cannot listen at 127.0.0.1:${port}: `));
    taken.close();
    const { code, err } = await runZpm(["serve", "--http"], { cwd: "/" });
    assert.equal(code, 1);
    assert.match(err, /run 'zpm init'/);
  });
});
