/** Authority, audit and handles as processes see them: a server with its worker, and commands beside it. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import {
  ANA,
  inServerFolder,
  openAuthorityProcess,
  SERVER,
  startAuthorityProcess,
} from "../support/authority_process.ts";
import { runZpm } from "../support/fake_io.ts";
import { fileSizeLimit, limitFileSize } from "../support/less_rights.ts";
import { ROOT, sourceProgram } from "../support/transcript_program.ts";

function zpm(folder: string, ...words: string[]) {
  return runZpm([...words, "--config", "server.json"], { cwd: folder });
}

Deno.test("commands beside a running server take effect on it at once", () =>
  inServerFolder(async (folder) => {
    const server = await openAuthorityProcess(folder);
    strictEqual(server.first, "open");
    const who = (token: string) => server.ask({ do: "who", token });
    strictEqual(await who(ANA), "ana");
    strictEqual((await zpm(folder, "principal", "revoke", "ana")).code, 0);
    strictEqual(await who(ANA), null);
    strictEqual((await zpm(folder, "principal", "restore", "ana")).code, 0);
    strictEqual(await who(ANA), "ana");
    const ben = (await zpm(folder, "principal", "add", "ben")).out.trim();
    strictEqual(await who(ben), "ben");
    const fresh = (await zpm(folder, "principal", "add", "ana", "--rotate")).out.trim();
    strictEqual(await who(ANA), null);
    strictEqual(await who(fresh), "ana");
    const listed = JSON.parse((await zpm(folder, "principal", "list", "--format", "json")).out);
    deepStrictEqual(await server.ask({ do: "list" }), listed.principals);
    // And the other way round.
    await server.ask({ do: "revoke", name: "ben" });
    match(
      (await zpm(folder, "principal", "list")).out,
      /^ben: fork ben, durable, revoked since 2/m,
    );
    strictEqual(await server.end(), 0);
  }));

Deno.test("a revocation that comes before the write fences it, one that comes after it is told", () =>
  inServerFolder(async (folder) => {
    const server = await openAuthorityProcess(folder);
    strictEqual(await server.ask({ do: "write", token: ANA }), "admitted");
    await zpm(folder, "principal", "revoke", "ana");
    const { error } = await server.ask("go on") as { error: { code: string; message: string } };
    strictEqual(error.code, "not_allowed");
    match(error.message, /^Nothing was stored: the rights of "ana" changed/);
    await zpm(folder, "principal", "restore", "ana");

    strictEqual(await server.ask({ do: "write", token: ANA }), "admitted");
    strictEqual(await server.ask("go on"), "inside");
    let revoked = false;
    const revoking = zpm(folder, "principal", "revoke", "ana").then(() => revoked = true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    strictEqual(revoked, false);
    const went_on = server.ask("go on");
    await revoking;
    // Whether the server looked before or after the revocation was written, it tells one of the two, not both.
    const { revoked: told, generation } = await went_on as { revoked: boolean; generation: number };
    strictEqual(told, generation === 3);
    strictEqual(await server.ask({ do: "who", token: ANA }), null);
    await server.end();
  }));

Deno.test("a second server is refused and told who the first one is; a killed one leaves nothing behind", () =>
  inServerFolder(async (folder) => {
    const first = await openAuthorityProcess(folder);
    await first.ask({ do: "attempt", operation: "1" });
    deepStrictEqual(await first.ask({ do: "handles", sentences: ["p(1)"] }), [1]);
    const second = await openAuthorityProcess(folder);
    const { error } = second.first as { error: { code: string; message: string } };
    strictEqual(error.code, "conflict");
    match(error.message, new RegExp(`process ${first.pid} since `));
    strictEqual(await second.end(), 1);
    await first.kill();
    const third = await openAuthorityProcess(folder);
    strictEqual(third.first, "open");
    deepStrictEqual(await third.ask({ do: "unresolved" }), ["1"]);
    deepStrictEqual(await third.ask({ do: "handles", sentences: ["p(2)", "p(1)"] }), [2, 1]);
    await third.end();
  }));

Deno.test("the main thread may write nothing any more, the worker only where it must", () =>
  inServerFolder(async (folder) => {
    const server = await openAuthorityProcess(folder);
    for (const path of ["state/x", "audit/x", "server.json"]) {
      const { error } = await server.ask({ do: "probe", path: join(folder, path) }) as {
        error: { message: string };
      };
      match(error.message, /NotCapable/);
    }
    strictEqual(await server.ask({ do: "attempt", operation: "1" }), "done");
    await server.end();
    const { isFile, mode } = await Deno.stat(join(folder, "audit/audit.jsonl"));
    ok(isFile);
    if (Deno.build.os !== "windows") {
      strictEqual(mode! & 0o777, 0o600);
      strictEqual((await Deno.stat(join(folder, "audit"))).mode! & 0o777, 0o700);
    }
  }));

Deno.test({
  name: "a disk that is full: nothing is acknowledged, and it goes on when there is room",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inServerFolder(async (folder) => {
      const program = [...fileSizeLimit(100_000_000), ...sourceProgram(join(ROOT, SERVER))];
      const server = startAuthorityProcess(folder, program);
      strictEqual(await server.first, "open");
      strictEqual(await server.ask({ do: "attempt", operation: "1" }), "done");
      const path = join(folder, "audit/audit.jsonl");
      const { size } = await Deno.stat(path);
      await limitFileSize(server.pid, size + 20);
      const { error } = await server.ask({ do: "attempt", operation: "2" }) as {
        error: { code: string; message: string };
      };
      strictEqual(error.code, "not_saved");
      match(error.message, /^The audit cannot be written: File too large/);
      strictEqual((await Deno.stat(path)).size, size);
      await limitFileSize(server.pid, "unlimited");
      strictEqual(await server.ask({ do: "attempt", operation: "3" }), "done");
      // Its name is what others go by: without the file nothing is written.
      await Deno.rename(path, `${path}.away`);
      const gone = await server.ask({ do: "attempt", operation: "4" }) as typeof error & {
        error: { message: string };
      };
      // Where it lies is no business of a caller.
      match(gone.error.message, /: audit\.jsonl is gone/);
      await Deno.rename(`${path}.away`, path);
      strictEqual(await server.ask({ do: "attempt", operation: "5" }), "done");
      strictEqual(await server.end(), 0);
      const { out } = await zpm(folder, "audit", "show", "--format", "json");
      const { records } = JSON.parse(out);
      deepStrictEqual(
        records.map(({ operation }: { operation: string }) => operation),
        ["1", "3", "5"],
      );
    }),
});

Deno.test("an audit among temporary files, over a link, or open to all is refused", () =>
  inServerFolder(async (folder) => {
    const path = join(folder, "server.json");
    const config = JSON.parse(await Deno.readTextFile(path));
    const audit = async (audit_dir: string) => {
      await Deno.writeTextFile(path, JSON.stringify({ ...config, audit_dir }));
      const server = await openAuthorityProcess(folder);
      await server.end();
      return (server.first as { error: { message: string } }).error.message;
    };
    match(await audit(join(folder, "tmp/audit")), /audit_dir must not lie among temporary files/);
    await Deno.mkdir(join(folder, "elsewhere"));
    await Deno.symlink(join(folder, "elsewhere"), join(folder, "link"));
    match(await audit(join(folder, "link/audit")), /audit_dir leads over a link: .*elsewhere/);
    match(await audit(join(folder, "link")), /audit_dir leads over a link: /);
    deepStrictEqual([...Deno.readDirSync(join(folder, "elsewhere"))], []);
    if (Deno.build.os !== "windows") {
      await Deno.mkdir(join(folder, "open"));
      await Deno.chmod(join(folder, "open"), 0o777);
      match(await audit(join(folder, "open")), /audit_dir can be written by everybody/);
    }
    await Deno.writeTextFile(join(folder, "file"), "");
    match(await audit(join(folder, "file")), /audit_dir cannot be made/);
  }));
