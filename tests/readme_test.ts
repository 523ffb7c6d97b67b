/** The documents a newcomer follows are true: README's sessions are run, its commands exist. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { brokenJson, promptsOutsideConsole, unknownTasks } from "./support/readme_rules.ts";
import { runTranscript } from "./support/transcript.ts";
import { ROOT } from "./support/transcript_program.ts";

const DOCUMENTS = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "src/README.md"]
  .filter((name) => existsSync(join(ROOT, name)));
const TASKS = Object.keys(JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json"))).tasks);

if (DOCUMENTS.includes("README.md")) {
  Deno.test("README.md runs as it is written", () => runTranscript(join(ROOT, "README.md")));
}

for (const name of DOCUMENTS) {
  Deno.test(`${name}: its tasks exist, its JSON parses, its sessions are run`, () => {
    const markdown = Deno.readTextFileSync(join(ROOT, name));
    const problems = [
      ...unknownTasks(name, markdown, TASKS),
      ...brokenJson(name, markdown),
      ...promptsOutsideConsole(name, markdown),
    ];
    assert.ok(problems.length === 0, "\n\n" + problems.join("\n") + "\n");
  });
}
