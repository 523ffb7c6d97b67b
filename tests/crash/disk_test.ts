/**
 * Disks that refuse, at the start and later, and the memory that goes on. Where the tests run as root, the programs
 * under test do not have root's rights, or permission bits would count for nothing.
 */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { commitsOf, inProject, runCommand, startCrashServer } from "../support/crash_server.ts";
import { fileSizeLimit, limitFileSize, ordinaryRights } from "../support/less_rights.ts";
import { withProjectSession } from "../support/project_session.ts";
import { cacheSource } from "../support/transcript_program.ts";

const under = ordinaryRights();
const JOURNAL = ".zpm/data/journal-000001.wal";

Deno.test("a folder that cannot be written at start: degraded, and every write says so", async () => {
  await cacheSource();
  await inProject(async (project) => {
    const folder = join(project, ".zpm");
    await withModes([[folder, 0o500]], async () => {
      const server = startCrashServer(project, { under });
      const status = await server.call("get_persistence_status");
      strictEqual(status.structure.status, "degraded");
      const written = await server.call("remember_fact", { fact: "p(1)" });
      strictEqual(written.isError, false);
      match(written.texts[1], /^Warning: not saved: .*kept only until the process ends/);
      match(String(written.structure.warnings), /not saved/);
      strictEqual((await server.call("query_logic", { goal: "p(X)" })).text, '[{"X":1}]');
      strictEqual(await server.end(), 0);
      match(server.stderr(), /data cannot be written, nothing is saved: .*Permission denied/);
      const { code, out, err } = await runCommand(project, ["remember-fact", "p(2)"], { under });
      deepStrictEqual([code, out], [0, "Asserted: p(2)\n"]);
      match(err, /Warning: not saved/);
    });
    deepStrictEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["kb"]);
  });
});

Deno.test("a journal that can only be read at start is read, and what follows is not saved", async () => {
  await cacheSource();
  await inProject(async (project) => {
    await withProjectSession(project, ({ told }) => told("remember_fact", { fact: "p(1)" }));
    const before = await Deno.readTextFile(join(project, JOURNAL));
    const data = join(project, ".zpm/data");
    const files = ["turn", "lock", "journal-000001.wal"].map((name): [string, number] => [
      join(data, name),
      0o400,
    ]);
    await withModes([...files, [data, 0o500]], async () => {
      const server = startCrashServer(project, { under });
      const { text, texts } = await server.call("remember_fact", { fact: "p(2)" });
      strictEqual(text, "Asserted: p(2)");
      match(texts[1], /^Warning: not saved/);
      strictEqual((await server.call("query_logic", { goal: "p(X)" })).text, '[{"X":1},{"X":2}]');
      await server.kill();
    });
    strictEqual(await Deno.readTextFile(join(project, JOURNAL)), before);
  });
});

Deno.test("a journal that may not even be read is no empty memory: every reply says so", async () => {
  await cacheSource();
  await inProject(async (project) => {
    await withProjectSession(project, ({ told }) => told("remember_fact", { fact: "p(1)" }));
    await withModes([[join(project, JOURNAL), 0o000]], async () => {
      const asked = await runCommand(project, ["query-logic", "p(X)"], { under });
      deepStrictEqual([asked.code, asked.out], [0, "[]\n"]);
      match(asked.err, /Warning: .*the journal cannot be read: Permission denied/);
      const told = await runCommand(project, ["remember-fact", "p(2)"], { under });
      strictEqual(told.code, 1);
      match(told.err, /^Memory is read-only: default\n.*the journal cannot be read/m);
    });
    strictEqual((await commitsOf(project)).length, 1);
  });
});

Deno.test("a folder that becomes read-only in mid-session costs no write that is answered as done", async () => {
  await cacheSource();
  await inProject(async (project) => {
    const data = join(project, ".zpm/data");
    const server = startCrashServer(project, { under });
    await server.call("remember_fact", { fact: "p(1)" });
    await withModes([[data, 0o500]], async () => {
      // The file is open and stays writable: a commit needs no new name.
      const written = await server.call("remember_fact", { fact: "p(2)" });
      deepStrictEqual([written.text, written.texts.length], ["Asserted: p(2)", 1]);
    });
    await withModes([[join(project, ".zpm"), 0o500]], async () => {
      await Deno.rename(data, join(project, "moved"));
      const refused = await server.call("remember_fact", { fact: "p(3)" });
      strictEqual(refused.isError, true);
      match(refused.text, /^Not saved: .*Permission denied/);
      const created = await server.call("create_memory", { name: "team" });
      match(created.text, /^Not saved: .*Permission denied/);
      const { text } = await server.call("query_logic", { goal: "p(X)" });
      strictEqual(text, '[{"X":1},{"X":2}]');
      await Deno.rename(join(project, "moved"), data);
    });
    strictEqual((await server.call("remember_fact", { fact: "p(4)" })).text, "Asserted: p(4)");
    await server.kill();
    deepStrictEqual((await commitsOf(project)).map(({ ops }) => ops[0][1]), [
      "p(1)",
      "p(2)",
      "p(4)",
    ]);
  });
});

Deno.test("a full disk refuses the write, keeps what was acknowledged, and may have room again", async () => {
  await cacheSource();
  await inProject(async (project) => {
    const server = startCrashServer(project, { under: fileSizeLimit(6_000) });
    const acknowledged: string[] = [];
    const facts = Array.from({ length: 12 }, (_, i) => `p(${i},${"x".repeat(1_000)})`);
    const refused = [];
    for (const fact of facts) {
      const told = await server.call("remember_fact", { fact });
      if (told.isError) refused.push(told);
      else acknowledged.push(fact);
    }
    ok(acknowledged.length > 2 && refused.length > 2, `${acknowledged.length} were written`);
    for (const { texts } of refused) {
      match(texts[0], /^Not saved: .*File too large/);
      match(texts[1], /Nothing was changed; retry when the cause is gone/);
    }
    const small = await server.call("remember_fact", { fact: "small(1)" });
    if (!small.isError) acknowledged.push("small(1)");
    const count = async () =>
      (await server.call("query_logic", { goal: "aggregate_all(count, p(_, _), N)" })).text;
    const before = await count();
    strictEqual(before, `[{"N":${acknowledged.filter((fact) => fact.startsWith("p")).length}}]`);
    const assumed = await server.call("assume_fact", { fact: facts[11], assumption: "h1" });
    strictEqual(assumed.isError, true);
    await limitFileSize(server.pid, 1_000);
    const saved = await server.call("save_snapshot", { name: "too_large" });
    match(saved.text, /^Not saved: .*File too large/);
    const created = await server.call("create_memory", { name: "team" });
    strictEqual(created.text, "Created memory 'team' (project scope)");
    strictEqual(await count(), before);
    deepStrictEqual([...Deno.readDirSync(join(project, ".zpm/kb"))], []);

    await limitFileSize(server.pid, "unlimited");
    strictEqual((await server.call("remember_fact", { fact: "q(1)" })).text, "Asserted: q(1)");
    strictEqual((await server.call("save_snapshot", { name: "now" })).isError, false);
    await server.kill();
    // The snapshot began a new segment, with a checkpoint that also says which predicates are known.
    const added = (await commitsOf(project)).flatMap(({ ops }) => ops).filter(([kind]) =>
      kind === "+"
    );
    deepStrictEqual(added.map(([, text]) => text), [...acknowledged, "q(1)"]);
  });
});

Deno.test("a snapshot that cannot be read is reported, is left alone, and the journal has it all", async () => {
  await cacheSource();
  await inProject(async (project) => {
    await withProjectSession(project, async ({ told }) => {
      await told("remember_fact", { fact: "p(1)" });
      for (const name of ["forbidden", "emptied"]) await told("save_snapshot", { name });
    });
    const [forbidden, emptied] = ["forbidden", "emptied"].map((name) =>
      join(project, `.zpm/kb/${name}.pl`)
    );
    const bytes = await Deno.readTextFile(forbidden);
    await Deno.writeTextFile(emptied, "");
    await withModes([[forbidden, 0o000]], async () => {
      const server = startCrashServer(project, { under });
      strictEqual((await server.call("remember_fact", { fact: "x(1)" })).text, "Asserted: x(1)");
      const { structure } = await server.call("get_persistence_status");
      const problems = String(structure.problems);
      match(problems, /kb\/forbidden\.pl is not read: .*Permission denied/);
      match(problems, /kb\/emptied\.pl is empty/);
      const { text } = await server.call("query_logic", { goal: "p(X), x(Y)" });
      strictEqual(text, '[{"X":1,"Y":1}]');
      const again = await server.call("save_snapshot", { name: "forbidden" });
      match(again.text, /^Not saved: .*Permission denied/);
      strictEqual(await server.end(), 0);
      match(server.stderr(), /kb\/forbidden\.pl is not read/);
    });
    strictEqual(await Deno.readTextFile(forbidden), bytes);
    strictEqual(await Deno.readTextFile(emptied), "");
    await withProjectSession(project, async ({ told }) => {
      strictEqual(await told("query_logic", { goal: "p(X), x(Y)" }), '[{"X":1,"Y":1}]');
    });
  });
});

/** Sets permission bits for as long as `use` runs. */
async function withModes(modes: [string, number][], use: () => Promise<void>): Promise<void> {
  const before = modes.map(([path]) => Deno.statSync(path).mode! & 0o777);
  for (const [path, mode] of modes) await Deno.chmod(path, mode);
  try {
    await use();
  } finally {
    for (const [index, [path]] of [...modes.entries()].reverse()) {
      await Deno.chmod(path, before[index]);
    }
  }
}
