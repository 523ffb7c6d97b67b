/** `zpm http --persist` as a process: what it may still do, who else has the file, and files that cannot be changed. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type FileProcess, startFileProcess } from "../support/file_process.ts";
import { ordinaryRights } from "../support/less_rights.ts";
import { cacheSource, ROOT, sourceProgram } from "../support/transcript_program.ts";

const TEXT = `:- dynamic note/1.

%! note(-Text:string) is nondet.
%  @collection notes key(Text)
note("a").
`;

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "zpm-persist-" });
  try {
    await cacheSource();
    await Deno.mkdir(join(folder, "real"));
    await Deno.writeTextFile(join(folder, "real/kb.pl"), TEXT);
    await Deno.symlink("real/kb.pl", join(folder, "link.pl"));
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function asked({ address }: FileProcess, line: string): Promise<string> {
  const [method, path] = line.split(" ");
  const response = await fetch(new URL(path, address), { method });
  return `${response.status} ${await response.text()}`.trim();
}

Deno.test("with its rights given away it still changes the file, through a link", async () => {
  await inFolder(async (folder) => {
    const file = join(folder, "real/kb.pl");
    const words = ["link.pl", "--persist", "--log", "info"];
    const program = sourceProgram(`${ROOT}/tests/support/http_revoked.ts`);
    const server = await startFileProcess({ folder, words, program });
    try {
      assert.deepEqual([...new Set(Object.values(JSON.parse(await server.out())))], ["NotCapable"]);
      assert.equal(await asked(server, "PUT /notes/b"), "201 true");
      assert.equal(await Deno.readTextFile(file), TEXT + `note("b").\n`);
      assert.ok((await Deno.lstat(join(folder, "link.pl"))).isSymlink);
      await Deno.writeTextFile(file, TEXT + `note("c").\n`);
      server.child.kill("SIGHUP");
      assert.equal(await server.err(), "zpm: info: link.pl was read again");
      assert.equal(await asked(server, "GET /notes"), '200 ["a","c"]');
      assert.equal(await asked(server, "DELETE /notes/a"), "204");
      assert.equal(await asked(server, "GET /notes"), '200 ["c"]');
    } finally {
      assert.equal(await server.end(), 0);
    }
    assert.deepEqual([...Deno.readDirSync(join(folder, "real"))].map(({ name }) => name), [
      "kb.pl",
    ]);
  });
});

Deno.test("one server changes a file; others may read it", async () => {
  await inFolder(async (folder) => {
    const first = await startFileProcess({ folder, words: ["link.pl", "--persist"] });
    try {
      const second = await startFileProcess({ folder, words: ["real/kb.pl", "--persist"] });
      assert.equal((await second.child.status).code, 1);
      await second.end();
      assert.match(
        second.said.join("\n"),
        new RegExp(
          `^"kb\\.pl" is already served with --persist, by process ${first.child.pid}, since .*Z\nOne server`,
        ),
      );
      const reader = await startFileProcess({ folder, words: ["real/kb.pl"] });
      assert.equal(await asked(reader, "GET /notes"), '200 ["a"]');
      assert.equal((await asked(reader, "PUT /notes/b")).slice(0, 3), "403");
      await reader.end();
    } finally {
      await first.end("SIGKILL");
    }
    const next = await startFileProcess({ folder, words: ["real/kb.pl", "--persist"] });
    assert.equal(await asked(next, "PUT /notes/b"), "201 true");
    assert.equal(await next.end(), 0);
  });
});

Deno.test("a file or a folder that cannot be written is told at the start", async () => {
  await inFolder(async (folder) => {
    const under = ordinaryRights();
    for (const [path, mode] of [["real/kb.pl", 0o444], ["real", 0o555]] as const) {
      const before = (await Deno.stat(join(folder, path))).mode!;
      await Deno.chmod(join(folder, path), mode);
      const server = await startFileProcess({ folder, words: ["link.pl", "--persist"], under });
      assert.equal((await server.child.status).code, 1);
      await server.end();
      assert.match(server.said.join("\n"), /^Cannot change "kb\.pl": .*[Pp]ermission denied/);
      await Deno.chmod(join(folder, path), before);
    }
  });
});

Deno.test("a start that fails leaves nothing beside the file", async () => {
  await inFolder(async (folder) => {
    const beside = () => [...Deno.readDirSync(join(folder, "real"))].map(({ name }) => name);
    const words = ["real/kb.pl", "--persist"];
    const wrong = await startFileProcess({ folder, words: [...words, "--interpreters", "0"] });
    assert.deepEqual([await wrong.end(), beside()], [1, ["kb.pl"]]);
    await Deno.writeTextFile(join(folder, "real/kb.pl"), "broken(");
    const broken = await startFileProcess({ folder, words });
    assert.deepEqual([await broken.end(), beside()], [1, ["kb.pl"]]);
    assert.match(broken.said.join("\n"), /^Cannot load "kb\.pl"/);
  });
});
