/**
 * Engines in a process of their own, timed and printed as JSON. `cold`: booted from the Prolog texts; `image`: from
 * the memory image, the first of a process among them, which meets cold JavaScript. `plan`: what one of them takes
 * for one fact.
 */
import { loadAssets } from "../src/engine/assets.ts";
import { Engine } from "../src/engine/engine.ts";
import { timed, type Times } from "./measure.ts";

const [kind, count] = Deno.args;
const assets = await loadAssets();
const image = kind === "cold" ? undefined : assets.image;
if (kind !== "cold" && !image) throw new Error("dist/base.image is not current");
console.log(JSON.stringify(kind === "plan" ? await plans() : await boots()));
Deno.exit(0);

async function boots(): Promise<Times> {
  const times: Times = [];
  for (let n = 0; n < Number(count); n++) {
    let engine: Engine | undefined;
    times.push(await timed(() => (engine = new Engine(assets, image)).ready()));
    engine!.stop();
  }
  return times;
}

async function plans(): Promise<Times> {
  const engine = new Engine(assets, image);
  await engine.ready();
  await engine.ask({ op: "create", memory: "default", mode: "rw" });
  const times: Times = [];
  for (let seq = 1; seq <= Number(count); seq++) {
    const request = { op: "remember", fact: `piped(${seq})` };
    const plan = { op: "plan", memory: "default", seq, announce: false, request };
    times.push(await timed(() => engine.ask(plan)));
  }
  return times;
}
