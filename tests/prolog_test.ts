/** Runs the tests of tests/prolog inside an engine like any other, beside the texts that they test. */
import { strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { Engine } from "../src/engine/engine.ts";
import { readReply } from "../src/engine/reply.ts";
import { assets } from "./support/engines.ts";
import { ROOT } from "./support/transcript_program.ts";

const DIRECTORY = join(ROOT, "tests/prolog");

/** The last thing that zpm.pl does; the tests are loaded before it. */
const LAST = ":- close_guards.";

Deno.test("the Prolog half", async (context) => {
  const engine = new Engine(await withTests(), undefined);
  try {
    await engine.ready();
    const { outcomes } = readReply(await engine.ask({ op: "unit" }), "query");
    for (const { name, outcome } of outcomes as { name: string; outcome: string }[]) {
      await context.step(name, () => strictEqual(outcome, "passed"));
    }
  } finally {
    engine.stop();
  }
});

async function withTests() {
  const usual = await assets();
  const files: Record<string, string> = {};
  for (const { name } of Deno.readDirSync(DIRECTORY)) {
    if (name.endsWith(".pl")) files[name] = await Deno.readTextFile(join(DIRECTORY, name));
  }
  const loads = Object.keys(files).map((name) =>
    `:- load_files('/zpm/${name}', [if(not_loaded)]).`
  );
  const zpm = usual.files["zpm.pl"].replace(LAST, `${loads.join("\n")}\n${LAST}`);
  return { ...usual, files: { ...usual.files, ...files, "zpm.pl": zpm } };
}
