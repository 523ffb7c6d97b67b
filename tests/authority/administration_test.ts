/** What `zpm principal` does to a config, and what becomes of it when the disk or the process fails. */
import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { Administration } from "../../src/authority/administration.ts";
import { withPrincipal } from "../../src/authority/config_edit.ts";
import { readConfig } from "../../src/authority/config.ts";
import { fingerprint } from "../../src/authority/tokens.ts";
import { tokenPattern } from "../../src/mcp/bearer.ts";
import type { FileSystem } from "../../src/store/file_system.ts";
import { inServerFolder } from "../support/authority_process.ts";
import { runZpm } from "../support/fake_io.ts";
import { ForgetfulFileSystem } from "../support/forgetful_fs.ts";
import { crashingFileSystem } from "../support/hooked_fs.ts";
import { seenFileSystem } from "../support/seen_fs.ts";

const CONFIG = `{
\t"tools": "all",
\t"state_dir": "/state",
\t"forks_dir": "/forks",
\t"principals": {
\t\t"zoe": {
\t\t\t"fork_id": "zoe",
\t\t\t"lifecycle": "durable",
\t\t\t"token_sha256": "${"a".repeat(64)}"
\t\t}
\t},
\t"origins": ["https://app.example"]
}
`;

Deno.test("a principal comes into the config, and everything else stays where it was", () => {
  const added = withPrincipal(CONFIG, {
    name: "ana",
    token_sha256: "b".repeat(64),
    fork_id: "ana",
    lifecycle: "leased",
    lease_ttl_ms: 5,
  });
  const expected = CONFIG.replace(
    "\n\t\t}\n\t},",
    `\n\t\t},\n\t\t"ana": {\n\t\t\t"token_sha256": "${
      "b".repeat(64)
    }",\n\t\t\t"fork_id": "ana",\n` +
      `\t\t\t"lifecycle": "leased",\n\t\t\t"lease_ttl_ms": 5\n\t\t}\n\t},`,
  ).replace('["https://app.example"]', '[\n\t\t"https://app.example"\n\t]');
  strictEqual(added, expected);
  const rotated = withPrincipal(added, {
    name: "zoe",
    token_sha256: "c".repeat(64),
    fork_id: "elsewhere",
    lifecycle: "leased",
  });
  strictEqual(rotated, expected.replace("a".repeat(64), "c".repeat(64)));
  match(withPrincipal('{"state_dir":"s"}', { ...ANA, name: "ana" }), /^ {2}"state_dir": "s",$/m);
});

const ANA = { token_sha256: "d".repeat(64), fork_id: "ana", lifecycle: "durable" } as const;

Deno.test("a token is shown once, kept as its fingerprint, and never the same", () =>
  inServerFolder(async (folder) => {
    const path = join(folder, "server.json");
    await Deno.chmod(path, 0o600);
    const tokens = new Set<string>();
    for (const name of ["ben", "eve", "zoe"]) {
      const { code, out, err } = await zpm(folder, "add", name);
      strictEqual(code, 0);
      const token = out.trim();
      match(token, /^zpm_[A-Za-z0-9_-]{43}$/);
      match(token, tokenPattern);
      ok(!err.includes(token));
      tokens.add(token);
      const config = await Deno.readTextFile(path);
      ok(!config.includes(token) && config.includes(await fingerprint(token)));
    }
    strictEqual(tokens.size, 3);
    strictEqual((await Deno.stat(path)).mode! & 0o777, 0o600);
    for (const entry of ["state/authority.jsonl"]) {
      const text = await Deno.readTextFile(join(folder, entry));
      for (const token of tokens) ok(!text.includes(token));
    }
  }));

Deno.test("a config that is a link is replaced where it lies", () =>
  inServerFolder(async (folder) => {
    await Deno.mkdir(join(folder, "etc"));
    await Deno.rename(join(folder, "server.json"), join(folder, "etc/real.json"));
    await Deno.symlink(join(folder, "etc/real.json"), join(folder, "server.json"));
    strictEqual((await zpm(folder, "add", "ben")).code, 0);
    ok((await Deno.lstat(join(folder, "server.json"))).isSymlink);
    match(await Deno.readTextFile(join(folder, "etc/real.json")), /"ben"/);
  }));

Deno.test("whoever only looks makes nothing", () =>
  inServerFolder(async (folder) => {
    strictEqual((await zpm(folder, "list")).out, "ana: fork ana, durable\n");
    await rejects(Deno.stat(join(folder, "state")), Deno.errors.NotFound);
  }));

Deno.test("many who add at the same time lose nobody", () =>
  inServerFolder(async (folder) => {
    const names = Array.from({ length: 12 }, (_, i) => `user${i}`);
    const done = await Promise.all(names.map((name) => zpm(folder, "add", name)));
    deepStrictEqual(done.map(({ code }) => code), names.map(() => 0));
    const { principals } = JSON.parse((await zpm(folder, "list", "--format", "json")).out);
    deepStrictEqual(
      principals.map(({ name }: { name: string }) => name).sort(),
      ["ana", ...names].sort(),
    );
  }));

const REFUSED: [string[], RegExp][] = [
  [[], /^Say what to do: add, revoke, restore or list, not nothing/],
  [["remove", "ana"], /^Say what to do: .*, not "remove"/],
  [["add"], /^Name the principal: zpm principal add NAME/],
  [["list", "ana"], /^list takes no name, not "ana"/],
  [["add", "ana"], /^There is a principal "ana" already\nGive it a new token with --rotate/],
  [["add", "eve", "--rotate"], /^There is no principal "eve"/],
  [["add", "ana", "--rotate", "--fork", "x"], /^--rotate changes the token only/],
  [["add", "../ana"], /the name "..\/ana" must be at most 64 letters/],
  [["add", "eve", "--fork", "a/b"], /principals.eve.fork_id must be at most 64/],
  [["add", "eve", "--lifecycle", "short"], /^--lifecycle must be durable or leased, not "short"/],
  [["add", "eve", "--lifecycle", "leased"], /principals.eve.lease_ttl_ms is required/],
  [["add", "eve", "--lease-ttl-ms", "0"], /^--lease-ttl-ms must be an integer from 1/],
  [
    ["add", "eve", "--fork", "ana", "--lease-ttl-ms", "5"],
    /principals.eve.lease_ttl_ms is only for a leased fork/,
  ],
  [["revoke", "eve"], /^There is no principal "eve"/],
  [["restore", "anna"], /^There is no principal "anna", perhaps "ana" is meant/],
  [["revoke", "ana", "--fork", "x"], /^--fork goes with 'add' only, not with 'revoke'/],
];

Deno.test("what is refused changes nothing", () =>
  inServerFolder(async (folder) => {
    const before = await Deno.readTextFile(join(folder, "server.json"));
    for (const [words, said] of REFUSED) {
      const { code, out, err } = await zpm(folder, ...words);
      strictEqual(`${code} ${out}`, "1 ", words.join(" "));
      match(err, said);
    }
    strictEqual(await Deno.readTextFile(join(folder, "server.json")), before);
    const { code, err } = await runZpm(["principal", "list"], { cwd: folder });
    strictEqual(code, 1);
    match(err, /^Name the config of the server: --config FILE/);
  }));

Deno.test("an end at any call leaves the config that was or the one that comes, and the next try works", async () => {
  for (const moment of ["before", "within", "after"] as const) {
    let call = 1;
    while (await endsAt(call, moment)) call++;
    ok(call > 20, `adding makes ${call - 1} calls`);
  }
});

async function endsAt(call: number, moment: "before" | "within" | "after"): Promise<boolean> {
  const disk = diskWithConfig();
  const { fs, state } = crashingFileSystem(disk, "/", { call, moment });
  const added = await administration(fs, disk).add("ana", {}).catch((fault) => {
    if (state.crashed === undefined) throw fault;
    return undefined;
  });
  if (state.crashed === undefined) return false;
  const power = disk.powerFails();
  disk.processDies();
  for (const left of [disk, power]) {
    const principals = readConfig(left.text("/etc/server.json"), "/etc/server.json", () =>
      undefined)
      .principals;
    ok(principals.has("zoe"), state.crashed);
    if (added) strictEqual(principals.get("ana")?.token_sha256, await fingerprint(added.token));
    const admin = administration(left, left);
    const again = principals.has("ana") ? await admin.rotate("ana") : await admin.add("ana", {});
    match(left.text("/etc/server.json"), new RegExp(await fingerprint(again.token)));
    strictEqual((await admin.list()).length, 2);
  }
  return true;
}

Deno.test("when the log cannot be written, no token takes the place of the one before", async () => {
  const disk = diskWithConfig();
  const admin = administration(disk, disk);
  const { token } = await admin.add("ana", {});
  const before = disk.text("/etc/server.json");
  // The log is synced once when it is read, and then when it is written.
  let syncs = 0;
  const fs = seenFileSystem(disk, (path, handle) => ({
    sync() {
      if (path.endsWith(".jsonl") && ++syncs > 1) throw new Error("Input/output error");
      handle.sync();
    },
  }));
  await rejects(administration(fs, disk).rotate("ana"), { code: "not_saved" });
  strictEqual(disk.text("/etc/server.json"), before);
  ok(syncs > 1);
  ok(disk.text("/etc/server.json").includes(await fingerprint(token)));
});

function diskWithConfig(): ForgetfulFileSystem {
  const disk = new ForgetfulFileSystem();
  disk.makeDirectory("/state");
  disk.put("/etc/server.json", CONFIG);
  return disk;
}

function administration(fs: FileSystem, disk: ForgetfulFileSystem): Administration {
  return new Administration({
    fs,
    path: "/etc/server.json",
    file: "/etc/server.json",
    env: () => undefined,
    readText: (path) => Promise.resolve(disk.text(path)),
    makeFolder: (_, folder) => folder,
  });
}

function zpm(folder: string, ...words: string[]) {
  return runZpm(["principal", ...words, "--config", "server.json"], { cwd: folder });
}
