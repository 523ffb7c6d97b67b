/**
 * kill -9 of `zpm http --persist` while it changes its file: what was answered is in the file, what was under way is
 * there whole or not at all, all else is as it was, and the next server goes on.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startFileProcess } from "../support/file_process.ts";
import { generator } from "../support/random.ts";
import { cacheSource } from "../support/transcript_program.ts";

const seed = Number(Deno.env.get("ZPM_SEED") ?? 1);
const KILLS = Deno.env.get("ZPM_LONG") === "1" ? 60 : 4;
/** Requests that are under way at the same time. */
const AT_ONCE = 5;

const HEAD = `/* Before. */
:- dynamic item/2.
%! item(-Key:int, -Value:string) is nondet.
%  @collection items key(Key)
`;
const TAIL = "% Behind, without an end";

Deno.test(`${KILLS} kills while a file is changed (ZPM_SEED=${seed})`, async () => {
  await cacheSource();
  const random = generator(seed);
  const folder = await Deno.makeTempDir({ prefix: "zpm-persist-kill-" });
  try {
    const file = join(folder, "kb.pl");
    await Deno.writeTextFile(file, `${HEAD}item(0, "zero").\n${TAIL}`);
    const acknowledged = new Map([[0, "zero"]]);
    for (let kill = 1; kill <= KILLS; kill++) {
      const under_way = await killedAfter(5 + random(30), { folder, kill, acknowledged });
      holds(await Deno.readTextFile(file), acknowledged, under_way);
    }
    const words = ["kb.pl", "--persist", "--max-solutions", "0"];
    const server = await startFileProcess({ folder, words });
    assert.equal((await (await fetch(`${server.address}items`)).json()).length, acknowledged.size);
    assert.equal(await server.end(), 0);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["kb.pl"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

interface Round {
  folder: string;
  kill: number;
  /** What every file from now on must have; the answers of this round are added. */
  acknowledged: Map<number, string>;
}

/** Puts rows until so many were answered, and kills the server then; what nobody knows of is told. */
async function killedAfter(answers: number, { folder, kill, acknowledged }: Round) {
  const server = await startFileProcess({ folder, words: ["kb.pl", "--persist"] });
  const under_way = new Map<number, string>();
  let answered = 0;
  let next = 0;
  const lane = async () => {
    while (answered < answers) {
      const key = kill * 1_000 + next++;
      const value = `row ${key} ${"x".repeat(key % 50)}`;
      under_way.set(key, value);
      try {
        const url = `${server.address}items/${key}`;
        const headers = { "Content-Type": "application/json" };
        const response = await fetch(url, { method: "PUT", headers, body: JSON.stringify(value) });
        assert.equal(response.status, 201, await response.text());
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        return; // the server is gone
      }
      under_way.delete(key);
      acknowledged.set(key, value);
      answered++;
    }
    await server.end("SIGKILL");
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return under_way;
}

/** Rows that were answered, and of the others those that were written; what is one then stays one. */
function holds(text: string, acknowledged: Map<number, string>, under_way: Map<number, string>) {
  assert.ok(text.startsWith(HEAD) && text.endsWith(`\n${TAIL}`), text);
  const lines = text.slice(HEAD.length, -TAIL.length).trimEnd().split("\n");
  const found = new Map(lines.map((line) => {
    const [, key, value] = /^item\((\d+), "([^"]*)"\)\.$/.exec(line) ?? [];
    assert.ok(key !== undefined, `half a line: ${line}`);
    return [Number(key), value];
  }));
  assert.equal(found.size, lines.length, "a row stands twice");
  for (const [key, value] of acknowledged) assert.equal(found.get(key), value, `row ${key}`);
  for (const [key, value] of found) {
    if (acknowledged.has(key)) continue;
    assert.equal(value, under_way.get(key), `row ${key}, which nobody put`);
    acknowledged.set(key, value);
  }
}
