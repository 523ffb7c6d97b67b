/** Files of `kb/` that are hard on engines: a clause that kills one is found, passed over and told. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { loadedEngine } from "../../src/memory/files.ts";
import type { KbFile } from "../../src/store/protocol.ts";
import { answers, bareEngine } from "../support/engines.ts";

const deadly = `deep(${"f(".repeat(5_000)}a${")".repeat(5_000)}).`;

/** What the supervisor does with the files of the default memory. */
async function loaded(files: KbFile[]) {
  const memory = { name: "default", mode: "rw", files };
  const { engine, reports } = await loadedEngine([memory], () => bareEngine());
  return { engine, reports: reports.get("default")! };
}

function file(name: string, ...lines: string[]) {
  return { name, bytes: new TextEncoder().encode(lines.join("\n") + "\n") };
}

Deno.test("a deadly clause is passed over with its line, and all others are loaded", async () => {
  const files = [
    file("a.pl", "p(1).", deadly, "p(2).", "% a comment", "q(1).", "q(2).", deadly, "p(3)."),
    file("b.pl", "p(4)."),
  ];
  const { engine, reports } = await loaded(files);
  strictEqual(await answers(engine, "p(X)"), '[{"X":1},{"X":2},{"X":3},{"X":4}]');
  deepStrictEqual(reports.map(({ file, line, severity }) => [file, line, severity]), [
    ["kb/a.pl", 2, "error"],
    ["kb/a.pl", 7, "error"],
  ]);
  for (const { message } of reports) match(message, /stops the engine/);
  engine.stop();
});

Deno.test("deep lists and long clauses are no danger", async () => {
  const long = Array.from({ length: 20_000 }, (_, i) => i).join(", ");
  const body = Array.from({ length: 200 }, (_, i) => `q(${i})`).join(", ");
  const files = [file("a.pl", `list([${long}]).`, `all :- ${body}.`)];
  const { engine, reports } = await loaded(files);
  deepStrictEqual(reports, []);
  strictEqual(await answers(engine, "list(L), length(L, N), L = []"), "[]");
  strictEqual(await answers(engine, "once((list(_L), length(_L, N)))"), '[{"N":20000}]');
  engine.stop();
});
