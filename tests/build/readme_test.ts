/** What README.md says of the tools is what they declare. */
import assert from "node:assert/strict";
import { withSections } from "../../build/readme.ts";

Deno.test("README.md: the generated parts are current", async () => {
  const text = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  assert.equal(text, withSections(text), "run 'deno task docs' and commit README.md");
});

Deno.test("README.md: a part without its comments is an error, not silence", () => {
  assert.throws(() => withSections("# zpm\n"), /no part between/);
});
