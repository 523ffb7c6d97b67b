/**
 * The library files of the engine without those that nobody loads: a third is left.
 *
 * The package has them in one file, in compressed blocks, and the glue knows which bytes of the unpacked whole are
 * which file and where each block begins. Files and blocks stay where they are; the blocks that no loaded file
 * touches become zeros, which compress to nothing.
 */
import type { Assets } from "../src/engine/assets.ts";
import { Engine } from "../src/engine/engine.ts";
import { readReply } from "../src/engine/reply.ts";

const BLOCK = 2048;
/** What a boot reads before it loads libraries, and to find them. */
const ALWAYS = /\/(ABI|boot\.prc|INDEX\.pl)$/;

interface Entry {
  name: string;
  start: number;
  end: number;
}

export async function loadedLibrary(assets: Assets): Promise<Uint8Array> {
  const loaded = await loadedFiles(assets);
  const needed = new Set<number>();
  for (const { name, start, end } of entries(assets.worker)) {
    if (!ALWAYS.test(name) && !loaded.has(stem(name))) continue;
    for (let block = Math.floor(start / BLOCK); block * BLOCK < end; block++) needed.add(block);
  }
  const bytes = assets.data.bytes.slice();
  const begins = blocks(assets.worker);
  for (const [block, at] of begins.entries()) {
    if (!needed.has(block)) bytes.fill(0, at, begins[block + 1] ?? at);
  }
  await boots({ ...assets, data: { ...assets.data, bytes } });
  return bytes;
}

/** All that was loaded when the image was taken; without endings, since libraries come compiled. */
async function loadedFiles(assets: Assets): Promise<Set<string>> {
  const engine = new Engine(assets, assets.image);
  await engine.ask({ op: "create", memory: "default", mode: "rw" });
  const limits = { offset: 0, limit: 10_000, inferences: 1e7, answer_bytes: 1e7 };
  const request = { op: "query", memory: "default", goal: "source_file(File)", ...limits };
  const { answers } = readReply(await engine.ask(request), "query") as {
    answers: { File: string }[];
  };
  engine.stop();
  return new Set(answers.map(({ File }) => stem(File)));
}

function stem(name: string): string {
  return name.replace(/\.\w+$/, "");
}

function entries(glue: string): Entry[] {
  const found = glue.matchAll(/\{filename:"([^"]+)",start:([\de]+),end:([\de]+)/g);
  return [...found].map(([, name, start, end]) => ({ name, start: +start, end: +end }));
}

function blocks(glue: string): number[] {
  const table = /compressedData=\{[^[]*cachedIndexes:[^{]*?offsets:(\[[\de,]+\])/.exec(glue);
  if (!table) throw new Error("the glue has no table of blocks");
  return JSON.parse(table[1]);
}

/** The proof: an engine that boots cold from what is left. */
async function boots(assets: Assets): Promise<void> {
  const engine = new Engine(assets, undefined);
  await engine.ready();
  engine.stop();
}
