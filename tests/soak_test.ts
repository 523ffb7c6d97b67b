/**
 * Many principals on one server that is killed meanwhile: nothing that was acknowledged is lost, nothing is anybody
 * else's, and the audit has all of it. `deno task bench soak` does this for longer, with more of them.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { soak } from "../bench/soak.ts";
import { checked } from "../bench/soak_checks.ts";
import { verifyAudit } from "../src/authority/audit_verify.ts";
import { denoFileSystem } from "../src/store/file_system.ts";
import { ROOT } from "./support/transcript_program.ts";

const WORDS = [
  Deno.execPath(),
  "run",
  "--no-prompt",
  ...["read", "write", "env", "sys", "net"].map((name) => `--allow-${name}`),
  `${ROOT}/main.ts`,
];

Deno.test("principals who write while their server is killed lose nothing that was acknowledged", async () => {
  const place = await Deno.realPath(await Deno.makeTempDir({ prefix: "zpm-soak-" }));
  try {
    const soaked = await soak({
      words: WORDS,
      place,
      principals: 6,
      engines: 3,
      duration_ms: 9_000,
      think_ms: 30,
      kills: 2,
      seed: 1,
    });
    const { problems, commits } = await checked(place, soaked);
    deepStrictEqual(problems, []);
    const folders = { audit_dir: `${place}/audit`, state_dir: `${place}/state` };
    strictEqual(verifyAudit(denoFileSystem, folders).fault, undefined);
    ok(soaked.writes.length > 0 && commits >= soaked.writes.length, `${commits} commits`);
    ok(soaked.engines_most <= 3, `${soaked.engines_most} engines`);
  } finally {
    await Deno.remove(place, { recursive: true });
  }
});
