/** The help pages, as a person reads them. `deno task test:update` writes them anew. */
import assert from "node:assert/strict";
import { globalOptions } from "../../src/cli/settings.ts";
import { tools } from "../../src/tools/registry.ts";
import { runZpm } from "../support/fake_io.ts";

const folder = new URL("../../fixtures/help/", import.meta.url);

async function checkPage(name: string, page: string): Promise<void> {
  const file = new URL(`${name}.txt`, folder);
  if (Deno.env.get("ZPM_UPDATE")) await Deno.writeTextFile(file, page);
  assert.equal(page, await Deno.readTextFile(file));
}

const commands = [
  "init",
  "serve",
  "doctor",
  "http",
  "mcp",
  "check",
  "openapi",
  "principal",
  "audit",
  "version",
];

for (const name of [...commands, ...tools.map((tool) => tool.name.replaceAll("_", "-"))]) {
  Deno.test(`zpm ${name} --help`, async () => {
    const { code, out } = await runZpm([name, "--help"]);
    assert.equal(code, 0);
    await checkPage(name, out);
  });
}

Deno.test("zpm --help has every command, tool, option and variable on one page", async () => {
  const { code, out } = await runZpm(["--help"]);
  assert.equal(code, 0);
  await checkPage("zpm", out);
  const words = [
    ...commands,
    ...tools.map(({ summary }) => summary),
    ...globalOptions.map(({ name }) => `--${name}`),
    ...globalOptions.flatMap(({ env }) => env ?? []),
  ];
  for (const word of words) assert.ok(out.includes(word), word);
  for (const line of out.split("\n")) assert.ok(line.length <= 100, line);
  assert.equal((await runZpm(["-h"])).out, out);
});
