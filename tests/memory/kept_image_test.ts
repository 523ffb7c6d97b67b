/** The image of a large memory on disk: used when it fits, and never believed when it does not. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { crc32 } from "node:zlib";
import { openMemories } from "../../src/memory/service.ts";
import { initProject } from "../../src/store/project.ts";

const context = { by: "test", client: "test", deadline_ms: 50_000 };
/** So many that their image is kept. */
const FACTS = 20_000;
/** Put into the header of an image: whoever tells it has used the image. */
const SIGN = { file: "kb/sign.pl", line: 1, severity: "note", message: "from the image" };

interface Seen {
  count: number;
  own: string[];
  used: boolean;
}

/** Opens the project's memories as a server does, remembers a fact, and tells what there is. */
async function opened(folder: string, fact?: string): Promise<Seen> {
  const memories = await openMemories({ folder, longLived: true });
  try {
    const memory = await memories.memory("default", context);
    const ask = async (goal: string) => {
      const query = { op: "query", goal, offset: 0, limit: 100 };
      const { answers } = await memory.ask<{ answers: Record<string, unknown>[] }>(query);
      return answers;
    };
    const [{ N: count }] = await ask("aggregate_all(count, edge(_, _), N)");
    if (fact !== undefined) await memory.commit({ op: "remember", fact });
    const own = (await ask("own(X)")).map(({ X }) => String(X));
    const used = memories.diagnosis!.reports().some((line) => line.includes(SIGN.message));
    return { count: Number(count), own, used };
  } finally {
    await memories.close();
  }
}

async function withLarge(test: (folder: string) => Promise<void>): Promise<void> {
  const directory = await Deno.realPath(await Deno.makeTempDir());
  const folder = `${directory}/.zpm`;
  try {
    initProject(directory);
    const lines = Array.from({ length: FACTS }, (_, n) => `edge(n${n}, n${n + 1}).\n`);
    await Deno.writeTextFile(`${folder}/kb/edges.pl`, lines.join(""));
    const first = await opened(folder, "own(1)");
    deepStrictEqual(first, { count: FACTS, own: ["1"], used: false });
    await test(folder);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

function imageOf(folder: string): string | undefined {
  const names = [...Deno.readDirSync(`${folder}/data`)].map(({ name }) => name);
  const images = names.filter((name) => name.startsWith("engine-"));
  ok(images.length <= 1, "one image takes the place of another");
  return images.length === 1 ? `${folder}/data/${images[0]}` : undefined;
}

/** Changes the header of the image, or else its bytes. */
async function edit(folder: string, change: (header: Header) => void, flip = false): Promise<void> {
  const path = imageOf(folder);
  ok(path, "an image is kept");
  const file = (await Deno.readFile(path)).slice(0, -4);
  const end = file.indexOf(10);
  const header: Header = JSON.parse(new TextDecoder().decode(file.subarray(0, end)));
  change(header);
  const bytes = file.slice(end + 1);
  if (flip) bytes[bytes.length >> 1] ^= 1;
  const line = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  const whole = new Uint8Array([...line, ...bytes, 0, 0, 0, 0]);
  // Flipped bytes keep the checksum that they had.
  const sum = flip ? crc32(file) : crc32(whole.subarray(0, -4));
  new DataView(whole.buffer).setUint32(whole.length - 4, sum);
  await Deno.writeFile(path, whole);
}

interface Header {
  memories: { clauses: number; reports: unknown[] }[];
}

const sign = ({ memories }: Header) => memories[0].reports.push(SIGN);

Deno.test("a large memory opens from its image, and goes on from there", async () => {
  await withLarge(async (folder) => {
    await edit(folder, sign);
    deepStrictEqual(await opened(folder, "own(2)"), { count: FACTS, own: ["1", "2"], used: true });
    deepStrictEqual(await opened(folder, "own(3)"), {
      count: FACTS,
      own: ["1", "2", "3"],
      used: true,
    });
  });
});

Deno.test("an image with other bytes, or other clauses than it says, is thrown away", async () => {
  await withLarge(async (folder) => {
    for (
      const damage of [
        () => edit(folder, sign, true),
        () =>
          edit(folder, (header) => {
            sign(header);
            header.memories[0].clauses++;
          }),
        () => Deno.writeTextFile(imageOf(folder)!, "no image at all"),
        () => Deno.truncate(imageOf(folder)!, 1_000_000),
      ]
    ) {
      const before = imageOf(folder);
      await damage();
      deepStrictEqual(await opened(folder), { count: FACTS, own: ["1"], used: false });
      strictEqual(imageOf(folder), before, "made again");
    }
  });
});

Deno.test("an image is of these files and of this journal", async () => {
  await withLarge(async (folder) => {
    // Made again, so that it holds a commit.
    await Deno.remove(imageOf(folder)!);
    await opened(folder);
    await edit(folder, sign);
    const image = await Deno.readFile(imageOf(folder)!);
    const name = imageOf(folder)!;
    await Deno.writeTextFile(`${folder}/kb/more.pl`, "edge(a, b).\n");
    deepStrictEqual(await opened(folder), { count: FACTS + 1, own: ["1"], used: false });
    await Deno.remove(`${folder}/kb/more.pl`);
    // Another journal, as after a change of branches: the files are those of the image, the commits are not.
    await Deno.remove(imageOf(folder)!);
    await Deno.writeFile(name, image);
    for (const { name } of Deno.readDirSync(`${folder}/data`)) {
      if (name.startsWith("journal")) await Deno.remove(`${folder}/data/${name}`);
    }
    deepStrictEqual(await opened(folder, "own(9)"), { count: FACTS, own: ["9"], used: false });
  });
});

Deno.test("where no image can be written, everything else works", async () => {
  await withLarge(async (folder) => {
    const name = imageOf(folder)!;
    await Deno.remove(name);
    await Deno.mkdir(`${name}/in the way`, { recursive: true });
    deepStrictEqual(await opened(folder, "own(2)"), { count: FACTS, own: ["1", "2"], used: false });
    match(name, /engine-[0-9a-f]{32}\.image$/);
  });
});
