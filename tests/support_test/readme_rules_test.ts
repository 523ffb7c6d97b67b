/** The checks of documents can fail. */
import assert from "node:assert/strict";
import { brokenJson, promptsOutsideConsole, unknownTasks } from "../support/readme_rules.ts";

Deno.test("a task that is not in deno.json is named with its line", () => {
  const text =
    "Run `npx --yes deno@2.9.6 task test`,\n`deno task test:update` or `deno task fly`.\n";
  assert.deepEqual(unknownTasks("a.md", text, ["test", "test:update"]), [
    "a.md:2: 'deno task fly' is not in deno.json (it has test, test:update)",
  ]);
  assert.equal(unknownTasks("a.md", text, ["fly"]).length, 2);
});

Deno.test("a JSON fence has to parse", () => {
  assert.match(
    brokenJson("a.md", "\n```json\n{,}\n```\n").join(),
    /^a\.md:3: this fence is no JSON/,
  );
  assert.deepEqual(brokenJson("a.md", '```json\n{}\n```\n```jsonc\n// why\n{ "a": 1 }\n```\n'), []);
});

Deno.test("a session outside of console is refused: nobody would run it", () => {
  const text = "```sh\nnpx x\n$ zpm y\n```\n```console\n$ zpm z\n```\n";
  assert.match(promptsOutsideConsole("a.md", text).join(), /^a\.md:3: '\$ ' in a 'sh' fence/);
});
