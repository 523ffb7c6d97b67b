/** `zpm serve --config` as a process: what it may still do once it listens, and how it ends. */
import assert from "node:assert/strict";
import { sumOf } from "../support/authority_rig.ts";
import { withProject } from "../support/fake_io.ts";
import { answer, postModern } from "../support/http_server.ts";
import { sentBy, tokenOf } from "../support/principals.ts";
import { startServer } from "../support/server_process.ts";
import { ROOT } from "../support/transcript_program.ts";

async function withConfig(test: (cwd: string, words: string[]) => Promise<void>): Promise<void> {
  await withProject(async (cwd) => {
    const principals: Record<string, unknown> = {};
    for (const name of ["ann", "bob"]) {
      const token_sha256 = await sumOf(tokenOf(name));
      principals[name] = { token_sha256, fork_id: name, lifecycle: "durable" };
    }
    const folders = { state_dir: "state", forks_dir: "forks", audit_dir: `${cwd}/audit` };
    const text = JSON.stringify({ ...folders, principals, tools: "all" });
    await Deno.writeTextFile(`${cwd}/server.json`, text);
    await test(cwd, ["serve", "--config", "server.json", "--port", "0"]);
  });
}

/** All of it lies among temporary files, where an audit must not. */
const elsewhere = (cwd: string) => ({ env: { TMPDIR: `${cwd}/elsewhere` } });

Deno.test("once it serves, its main thread may do nothing, and every fork still opens", () =>
  withConfig(async (cwd, words) => {
    const script = `${ROOT}/tests/support/http_revoked.ts`;
    const { address, printed, end } = await startServer(script, cwd, words, elsewhere(cwd));
    const tried = JSON.parse(await printed);
    assert.deepEqual([...new Set(Object.values(tried))], ["NotCapable"]);
    for (const name of ["ann", "bob"]) {
      const ask = async (method: string, params: Record<string, unknown>) =>
        (await answer(await postModern(address, method, params, sentBy(name)))).result;
      const declared = { sentence: "(arity likes 2)", context: "CxUniverse" };
      const stored = await ask("tools/call", { name: "assert", arguments: declared });
      assert.equal(stored.isError, false, JSON.stringify(stored));
      const saved = await ask("tools/call", {
        name: "save_snapshot",
        arguments: { name: "first" },
      });
      assert.equal(saved.isError, false, JSON.stringify(saved));
      assert.ok((await ask("resources/list", {})).resources.length > 0);
      assert.ok((await ask("prompts/list", {})).prompts.length > 0);
    }
    assert.equal(await end(), 0);
  }));

Deno.test("a second server on the same state is refused", () =>
  withConfig(async (cwd, words) => {
    const main = `${ROOT}/main.ts`;
    const first = await startServer(main, cwd, words, elsewhere(cwd));
    const second = await startServer(main, cwd, words, elsewhere(cwd));
    assert.match(second.said[0], /is used by process \d+/);
    assert.equal(await first.end(), 0);
  }));
