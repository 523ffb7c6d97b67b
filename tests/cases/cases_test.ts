/** Every hard case of `fixtures/cases.md` has one row in a table of this folder, and every row is one of them. */
import { deepStrictEqual } from "node:assert/strict";
import { join } from "node:path";
import { endRows, type Rows, runRow } from "../support/cases.ts";
import { ROOT } from "../support/transcript_program.ts";
import { beliefs } from "./beliefs.ts";
import { engine } from "./engine.ts";
import { files } from "./files.ts";
import { journal } from "./journal.ts";
import { operations } from "./operations.ts";
import { parsing } from "./parsing.ts";
import { proofs } from "./proofs.ts";
import { protocol } from "./protocol.ts";
import { roundtrip } from "./roundtrip.ts";
import { security } from "./security.ts";
import { updates } from "./updates.ts";

const tables: Rows[] = [
  engine,
  parsing,
  roundtrip,
  journal,
  beliefs,
  updates,
  proofs,
  security,
  protocol,
  files,
  operations,
];
const rows: Rows = Object.assign({}, ...tables);

const cases = [
  ...Deno.readTextFileSync(join(ROOT, "fixtures/cases.md"))
    .matchAll(/^\| ([A-Z]\d\d) \| (.*?) \|/gm),
].map(([, id, kind]) => ({ id, kind }));

Deno.test("every hard case has a row, and every row is a hard case", () => {
  const named = tables.flatMap((table) => Object.keys(table)).sort();
  deepStrictEqual(named, cases.map(({ id }) => id).sort());
});

for (const { id, kind } of cases) {
  Deno.test(`${id}: ${kind}`, () => runRow(rows[id]));
}

Deno.test.afterAll(endRows);
