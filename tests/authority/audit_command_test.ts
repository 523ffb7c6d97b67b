/** `zpm audit`: what it says of an audit that is whole, and of one that somebody had in an editor. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { AuditLog } from "../../src/authority/audit_log.ts";
import { seal } from "../../src/authority/chain.ts";
import { denoFileSystem } from "../../src/store/file_system.ts";
import { inServerFolder } from "../support/authority_process.ts";
import { runZpm } from "../support/fake_io.ts";

const CALLS = [
  { operation: "op-1", principal: "ana", fork: "ana", verb: "assert" },
  { operation: "op-2", principal: "ben", fork: "ben", verb: "query" },
  { operation: "op-3", principal: "ana", fork: "ana", verb: "query" },
];

/** An audit of three calls, the last of them still open, and a denial. */
async function inAudited(test: (folder: string, audit: string) => Promise<void>): Promise<void> {
  await inServerFolder(async (folder) => {
    for (const name of ["state", "audit"]) await Deno.mkdir(join(folder, name));
    const log = await AuditLog.open(denoFileSystem, {
      state_dir: join(folder, "state"),
      audit_dir: join(folder, "audit"),
    });
    const digest = "c0ffee".padEnd(64, "0");
    for (const call of CALLS) log.append([{ kind: "attempt", ...call, digest }]);
    log.append([{ kind: "completion", operation: "op-1", outcome: "ok", commit: 7, handles: [3] }]);
    log.append([{ kind: "completion", operation: "op-2", outcome: "failed", code: "input" }]);
    log.append([{ kind: "denial", reason: "token", count: 12 }]);
    log.close();
    await test(folder, join(folder, "audit/audit.jsonl"));
  });
}

function audit(folder: string, ...words: string[]) {
  return runZpm(["audit", ...words], { cwd: folder });
}

const CONFIG = ["--config", "server.json"];

Deno.test("an audit that is whole is told as that, and what is not known of it", () =>
  inAudited(async (folder, file) => {
    const { code, out, err } = await audit(folder, "verify", ...CONFIG);
    strictEqual(`${code} ${err}`, "0 ");
    match(out, /^The audit is whole: 6 records, the last of 2\d{3}-[^\n]*Z\n$/);
    const alone = await audit(folder, "verify", "--audit-dir", "audit");
    strictEqual(alone.out, out);
    match(alone.err, /^Whether lines were cut off its end is not known: name the config/);
    const named = await runZpm(["audit", "verify"], {
      cwd: "/",
      env: { ZPM_AUDIT_DIR: join(folder, "audit") },
    });
    strictEqual(named.out, out);
    const json = JSON.parse((await audit(folder, "verify", ...CONFIG, "--format", "json")).out);
    deepStrictEqual({ ...json, last_at: "" }, {
      whole: true,
      file,
      records: 6,
      last_at: "",
      head: 6,
      behind_head: 0,
      unfinished_bytes: 0,
    });
    await Deno.writeTextFile(file, '{"at":', { append: true });
    const unfinished = await audit(folder, "verify", ...CONFIG);
    strictEqual(unfinished.code, 0);
    match(unfinished.err, /^6 bytes at its end are a record that is not finished/);
  }));

const TAMPERING: [string, (lines: string[]) => string[], RegExp][] = [
  ["changed", (lines) => lines.with(1, lines[1].replace("ben", "ana")), /line 2, changed: /],
  ["removed", (lines) => lines.toSpliced(2, 1), /line 3, removed: record 3 is missing before it/],
  ["removed", (lines) => lines.toSpliced(1, 3), /line 2, removed: records 2 to 4 are missing/],
  ["inserted", (lines) => lines.toSpliced(3, 0, lines[0]), /line 4, inserted: record 1 stands/],
  ["cut off", (lines) => lines.slice(0, 4), /line 5, cut off: it ends with record 4, .* record 6/],
  ["cut off", () => [], /line 1, cut off: it ends with record 0/],
];

Deno.test("the first line that is not what was written is named, and the status is 1", () =>
  inAudited(async (folder, file) => {
    const lines = (await Deno.readTextFile(file)).trim().split("\n");
    for (const [kind, change, said] of TAMPERING) {
      await Deno.writeTextFile(file, change(lines).map((line) => `${line}\n`).join(""));
      const { code, out, err } = await audit(folder, "verify", ...CONFIG);
      strictEqual(`${code} ${out}`, "1 ", kind);
      match(err, /^The audit .*audit\.jsonl is not what was written: /);
      match(err, said);
      const json = JSON.parse((await audit(folder, "verify", ...CONFIG, "--format", "json")).out);
      strictEqual(`${json.whole} ${json.fault.kind} ${json.error.code}`, `false ${kind} corrupt`);
    }
    await Deno.remove(file);
    match((await audit(folder, "verify", ...CONFIG)).err, /line 1, cut off: the file is gone/);
    match((await audit(folder, "verify", "--audit-dir", "audit")).err, /^There is no audit /);
  }));

Deno.test("records that a server does not know of are told, for their chain says nothing against them", () =>
  inAudited(async (folder, file) => {
    const { seq, hash } = JSON.parse((await Deno.readTextFile(file)).trim().split("\n").at(-1)!);
    const place = { seq, hash };
    const { line } = seal({ kind: "denial", reason: "forged" }, { place, at: "2026-12-01" });
    await Deno.writeTextFile(file, `${line}\n`, { append: true });
    const { code, err } = await audit(folder, "verify", ...CONFIG);
    strictEqual(code, 0);
    match(err, /^1 record at its end came after the last one that the server knows of, 6: /);
  }));

Deno.test("an end that nobody can tell is no whole audit", () =>
  inAudited(async (folder) => {
    await Deno.writeTextFile(join(folder, "state/audit-head"), "nothing");
    const broken = await audit(folder, "verify", ...CONFIG);
    match(broken.err, /line 7, cut off: .*audit-head, which tells where it ends, is gone or does/);
    await Deno.remove(join(folder, "state/audit-head"));
    strictEqual((await audit(folder, "verify", ...CONFIG)).code, 1);
  }));

Deno.test("a part is shown: of somebody, of a verb, of a time, the last ones", () =>
  inAudited(async (folder, file) => {
    const numbers = async (...words: string[]) => {
      const { out } = await audit(folder, "show", ...CONFIG, ...words);
      return [...out.matchAll(/^(\d+) /gm)].map(([, number]) => Number(number));
    };
    deepStrictEqual(await numbers(), [1, 2, 3, 4, 5, 6]);
    deepStrictEqual(await numbers("--principal", "ana"), [1, 3, 4]);
    deepStrictEqual(await numbers("--verb", "query"), [2, 3, 5]);
    deepStrictEqual(await numbers("--principal", "ana", "--verb", "query"), [3]);
    deepStrictEqual(await numbers("--principal", "zoe"), []);
    deepStrictEqual(await numbers("--limit", "2"), [5, 6]);
    deepStrictEqual(await numbers("--since", "2020-01-01"), [1, 2, 3, 4, 5, 6]);
    deepStrictEqual(await numbers("--since", "2999-01-01T00:00:00Z"), []);
    const { out } = await audit(folder, "show", ...CONFIG, "--limit", "3");
    const [first, ...lines] = out.trimEnd().split("\n");
    strictEqual(first, "... 3 before, which --limit leaves out");
    deepStrictEqual(lines.map((line) => line.replace(/ 2\S+Z /, " ")), [
      "4 completion op-1: commit 7, handles [3], outcome ok",
      "5 completion op-2: code input, outcome failed",
      "6 denial: count 12, reason token",
    ]);
    match(
      (await audit(folder, "show", ...CONFIG, "--verb", "assert")).out,
      /^1 \S+ attempt op-1: fork ana, principal ana, verb assert, arguments c0ffee000000\n4 /,
    );
    const { records, matching } = JSON.parse(
      (await audit(folder, "show", ...CONFIG, "--format", "json", "--limit", "1")).out,
    );
    deepStrictEqual([records.length, records[0].seq, matching], [1, 6, 6]);
    // What is before a fault is shown, and the fault is told.
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, text.replace('"verb":"query"', '"verb":"argue"'));
    const damaged = await audit(folder, "show", ...CONFIG);
    match(damaged.out, /^1 [^\n]*\n$/);
    match(damaged.err, /line 2, changed/);
  }));

Deno.test("what the disk does not give is told with the folder", () =>
  inAudited(async (folder, file) => {
    await Deno.remove(file);
    await Deno.mkdir(file);
    for (const action of ["verify", "show"]) {
      const { code, err } = await audit(folder, action, ...CONFIG);
      strictEqual(code, 1);
      match(
        err,
        /^Cannot use the audit in ".*audit": .*\nNothing was changed; run zpm as the user/,
      );
    }
    await Deno.mkdir(join(folder, "state/authority.jsonl"));
    for (const words of [["list"], ["revoke", "ana"], ["add", "ben"]]) {
      const { code, err } = await runZpm(["principal", ...words, ...CONFIG], { cwd: folder });
      strictEqual(code, 1);
      match(err, /^Cannot use the state in ".*state": Is a directory/);
    }
  }));

Deno.test("a command line that says nothing that can be done is refused", () =>
  inAudited(async (folder) => {
    const refused: [string[], RegExp][] = [
      [[], /^Say what to do: verify or show, not nothing/],
      [["check"], /^Say what to do: verify or show, not "check"/],
      [["verify"], /^Name the config of the server, --config FILE, or the folder/],
      [["verify", ...CONFIG, "--audit-dir", "audit"], /^Give --config or --audit-dir, not both/],
      [["verify", ...CONFIG, "--verb", "x"], /^--verb goes with 'show' only/],
      [["show", ...CONFIG, "--since", "1"], /^--since must be a time, not "1"/],
      [["show", ...CONFIG, "--limit", "0"], /^--limit must be an integer from 1/],
      [["verify", "--config", "none.json"], /^Cannot read the file ".*none.json": there is none/],
    ];
    for (const [words, said] of refused) {
      const { code, err } = await audit(folder, ...words);
      strictEqual(code, 1);
      match(err, said);
    }
  }));
