/**
 * Builds the base image: boots an engine cold, copies its memory, writes `dist/base.image`. Cheap when the
 * image is current, so every task that starts an engine calls it first.
 */
import { encodeImage, imageKey, loadAssets } from "../src/engine/assets.ts";
import { Engine } from "../src/engine/engine.ts";

const target = new URL("../dist/base.image", import.meta.url);
const quiet = Deno.args.includes("--quiet");

const assets = await loadAssets();
if (assets.image) {
  if (!quiet) console.error("dist/base.image is current");
  Deno.exit(0);
}
const engine = new Engine(assets, undefined);
const image = await engine.image();
await Deno.mkdir(new URL(".", target), { recursive: true });
// Several tasks may start at once: each writes its own file, the last rename wins, all are the same.
const temporary = new URL(`base.image.${Deno.pid}`, target);
await Deno.writeFile(temporary, encodeImage(await imageKey(), image));
await Deno.rename(temporary, target);
engine.stop();
if (!quiet) console.error(`dist/base.image: ${(image.bytes.length / 1e6).toFixed(1)} MB`);
Deno.exit(0);
