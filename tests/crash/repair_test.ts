/** `zpm doctor --repair` where it is not as simple as in the transcript: a server that runs, a disk that is full. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { Journal } from "../../src/store/journal.ts";
import { commit } from "../support/commits.ts";
import { inProject, runCommand, startCrashServer } from "../support/crash_server.ts";
import { fileSizeLimit, ordinaryRights } from "../support/less_rights.ts";
import { withProjectSession } from "../support/project_session.ts";
import { cacheSource } from "../support/transcript_program.ts";

const JOURNAL = ".zpm/data/journal-000001.wal";

Deno.test("a server that runs on a damaged memory goes on when another process has repaired it", async () => {
  await cacheSource();
  await inProject(async (project) => {
    await damaged(project);
    const server = startCrashServer(project);
    const before = await server.call("query_logic", { goal: "a(X)" });
    strictEqual(before.text, '[{"X":1},{"X":2}]');
    match(before.texts[1], /record 3 is damaged/);
    strictEqual((await server.call("remember_fact", { fact: "a(6)" })).isError, true);
    const { code } = await runCommand(project, ["doctor", "--repair"]);
    strictEqual(code, 0);
    const after = await server.call("query_logic", { goal: "a(X)" });
    deepStrictEqual(after.texts, ['[{"X":1},{"X":2}]']);
    deepStrictEqual((await server.call("remember_fact", { fact: "a(6)" })).texts, [
      "Asserted: a(6)",
    ]);
    strictEqual((await server.call("get_persistence_status")).structure.status, "active");
    strictEqual(await server.end(), 0);
  });
});

Deno.test("damage that comes while a server runs is told with its next answer", async () => {
  await cacheSource();
  await inProject(async (project) => {
    const server = startCrashServer(project);
    await server.call("remember_fact", { fact: "a(1)" });
    await Deno.writeTextFile(join(project, JOURNAL), "garbage\nmore\n", { append: true });
    const { text, texts } = await server.call("query_logic", { goal: "a(X)" });
    strictEqual(text, '[{"X":1}]');
    match(texts[1], /^Warning: .*record 2 is damaged at byte \d+, 1 record behind it is not read/);
    const refused = await server.call("remember_fact", { fact: "a(2)" });
    strictEqual(refused.text, "Memory is read-only: default");
    strictEqual(await server.end(), 0);
  });
});

Deno.test("a commit that no engine can apply is told, and a repair cuts the journal before it", async () => {
  await cacheSource();
  await inProject(async (project) => {
    await withProjectSession(project, async ({ told }) => {
      for (let n = 1; n <= 3; n++) await told("remember_fact", { fact: `a(${n})` });
    });
    const journal = new Journal(join(project, ".zpm"));
    await journal.begin(3, 1000);
    journal.append([commit(4, "not(prolog"), commit(5, "a(5)")]);
    journal.close();
    const rotten = await Deno.readTextFile(join(project, JOURNAL));
    await withProjectSession(project, async ({ call }) => {
      const sentence = /Commit 4 cannot be applied .* read-only until 'zpm doctor --repair'/;
      const asked = await call("query_logic", { goal: "a(X)" });
      strictEqual(asked.text, '[{"X":1},{"X":2},{"X":3}]');
      match(asked.texts[1], sentence);
      match((await call("remember_fact", { fact: "a(6)" })).texts[1], sentence);
      const { structure } = await call("get_persistence_status");
      deepStrictEqual([structure.status, structure.commits], ["damaged", 3]);
      match(String(structure.problems), sentence);
    });
    const found = await runCommand(project, ["doctor"]);
    strictEqual(found.code, 1);
    match(
      found.out + found.err,
      /repair_would: .*keep commits up to 3, cut \d+ bytes, with 2 records/,
    );
    const repaired = await runCommand(project, ["doctor", "--repair"]);
    strictEqual(repaired.code, 0);
    strictEqual(await Deno.readTextFile(join(project, `${JOURNAL}.damaged-1`)), rotten);
    await withProjectSession(project, async ({ told }) => {
      strictEqual(await told("remember_fact", { fact: "a(6)" }), "Asserted: a(6)");
      strictEqual(await told("query_logic", { goal: "a(X), X > 2" }), '[{"X":3},{"X":6}]');
    });
  });
});

Deno.test("a repair that finds no room for the damaged file changes nothing and says so", async () => {
  await cacheSource();
  await inProject(async (project) => {
    const rotten = await damaged(project);
    const under = fileSizeLimit(300);
    const { code, out, err } = await runCommand(project, ["doctor", "--repair"], { under });
    strictEqual(code, 1);
    match(err, /about to repair journal-000001\.wal: keep commits up to 2/);
    match(out + err, /^repaired: Cannot repair: .*File too large.*; Nothing was lost/m);
    match(out + err, /^status: damaged$/m);
    strictEqual(await Deno.readTextFile(join(project, JOURNAL)), rotten);
    strictEqual((await runCommand(project, ["doctor", "--repair"])).code, 0);
  });
});

Deno.test("a folder that cannot be written is no damage: there is nothing to repair", async () => {
  await cacheSource();
  await inProject(async (project) => {
    const folder = join(project, ".zpm");
    await Deno.chmod(folder, 0o500);
    const { code, out, err } = await runCommand(project, ["doctor", "--repair"], {
      under: ordinaryRights(),
    });
    await Deno.chmod(folder, 0o700);
    strictEqual(code, 1);
    match(out + err, /^repaired: nothing to repair$/m);
    match(out + err, /^status: degraded$/m);
  });
});

/** Five facts, the third of which is not what it was. */
async function damaged(project: string): Promise<string> {
  await withProjectSession(project, async ({ told }) => {
    for (let n = 1; n <= 5; n++) await told("remember_fact", { fact: `a(${n})` });
  });
  const path = join(project, JOURNAL);
  const rotten = (await Deno.readTextFile(path)).replace("a(3)", "a(8)");
  await Deno.writeTextFile(path, rotten);
  return rotten;
}
