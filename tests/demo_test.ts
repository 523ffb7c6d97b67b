/** The demo is a promise: what it tells happens. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

Deno.test("the demo goes as it is told, and leaves nothing behind", async () => {
  const place = await Deno.makeTempDir({ prefix: "zpm-demo-test-" });
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", fileURLToPath(new URL("../demo/demo.ts", import.meta.url))],
    env: { TMPDIR: place, NO_COLOR: "1" },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.equal(code, 0, out + err);
  for (const step of [1, 2, 3, 4, 5, 6]) assert.match(out, new RegExp(`^${step}\\. `, "m"));
  assert.match(out, /All of it went as told/);
  const left = [...Deno.readDirSync(place)].map(({ name }) => name);
  assert.deepEqual(left.filter((name) => name.startsWith("zpm-demo-")), []);
  await Deno.remove(place, { recursive: true });
});
