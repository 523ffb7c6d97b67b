/**
 * Boots engines in a process of its own and prints how long each took, as JSON. `cold`: from the Prolog texts;
 * `image`: from the memory image. The first one in a process meets cold JavaScript, so it is told apart.
 */
import { loadAssets } from "../src/engine/assets.ts";
import { Engine } from "../src/engine/engine.ts";

const [kind, count] = Deno.args;
const assets = await loadAssets();
const image = kind === "image" ? assets.image : undefined;
if (kind === "image" && !image) throw new Error("dist/base.image is not current");

const times: number[] = [];
for (let n = 0; n < Number(count); n++) {
  const started = performance.now();
  const engine = new Engine(assets, image);
  await engine.ready();
  times.push(performance.now() - started);
  engine.stop();
}
console.log(JSON.stringify(times));
Deno.exit(0);
