/** What a server does when it is told to end, or to read its files again. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { commitsOf, inProject, startCrashServer } from "../support/crash_server.ts";
import { cacheSource } from "../support/transcript_program.ts";

Deno.test({
  name: "SIGHUP reads edited files at once; a broken one leaves the version that loads",
  ignore: Deno.build.os === "windows",
  async fn() {
    await cacheSource();
    await inProject(async (project) => {
      const file = join(project, ".zpm/kb/team.pl");
      const members = ":- discontiguous member_of/2.\n";
      await Deno.writeTextFile(file, `${members}member_of(ann, core).\nmember_of(bob, core).\n`);
      const server = startCrashServer(project, { env: { ZPM_LOG: "info" } });
      const who = () => server.call("query_logic", { goal: "member_of(X, core)" });
      strictEqual((await who()).text, '[{"X":"ann"},{"X":"bob"}]');
      await Deno.writeTextFile(file, `${members}member_of(ann, core).\nmember_of(cid, core).\n`);
      Deno.kill(server.pid, "SIGHUP");
      // Nobody has asked anything meanwhile: the files are read because of the signal.
      await server.says(/files of kb were read again/);
      strictEqual((await who()).text, '[{"X":"ann"},{"X":"cid"}]');
      await Deno.writeTextFile(file, `${members}member_of(ann, core\n`);
      Deno.kill(server.pid, "SIGHUP");
      await server.says(/team\.pl.*(kept|stays|before)/);
      strictEqual((await who()).text, '[{"X":"ann"},{"X":"cid"}]');
      strictEqual(await server.end(), 0);
    });
  },
});

Deno.test({
  name: "SIGTERM answers what was asked, saves it, and ends well",
  ignore: Deno.build.os === "windows",
  async fn() {
    await cacheSource();
    await inProject(async (project) => {
      const server = startCrashServer(project);
      await server.call("remember_fact", { fact: "p(0)" });
      await server.send(...Array.from({ length: 50 }, (_, i) => ({
        name: "remember_fact",
        arguments: { fact: `p(${i + 1})` },
      })));
      await server.answered(10);
      Deno.kill(server.pid, "SIGTERM");
      strictEqual(await server.ended(), 0);
      const commits = await commitsOf(project);
      ok(commits.length >= server.acknowledged.size);
      deepStrictEqual(
        commits.map(({ ops }) => ops[0][1]),
        Array.from({ length: commits.length }, (_, i) => `p(${i})`),
      );
    });
  },
});
