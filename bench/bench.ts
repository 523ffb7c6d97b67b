/**
 * How fast, as ratios measured in one run: `deno task bench [--json|--markdown] [PART...]`. Medians of interleaved runs, held
 * against the targets; a part that cannot run here says why. Never a test: a busy machine is no fault of the program.
 *
 * Needs `dist/zpm` (`deno task compile`). The program it is compared with prints one line and is compiled here, by
 * the Deno that ZPM_COMPILE_DENO names, else by this one; the peers are server-memory (by npm) and native `swipl`.
 */
import { boots } from "./parts/boots.ts";
import { http } from "./parts/http.ts";
import { limits } from "./parts/limits.ts";
import { million } from "./parts/million.ts";
import { queries } from "./parts/queries.ts";
import { sizes } from "./parts/sizes.ts";
import { soaking } from "./parts/soak.ts";
import { starts } from "./parts/starts.ts";
import { writes } from "./parts/writes.ts";
import { needBinary } from "./subjects.ts";
import { markdown, type Row, table } from "./table.ts";

const parts: Record<string, (place: string) => Promise<Row[]>> = {
  starts,
  writes,
  queries,
  sizes,
  limits,
  boots,
  million,
  http,
  soak: soaking,
};

/** How the rows are told; as lines for a person unless the command line says otherwise. */
const forms: Record<string, (rows: Row[]) => string> = {
  "--json": (rows) => JSON.stringify(rows, null, 2),
  "--markdown": markdown,
};
const form = Deno.args.find((word) => word in forms);
const words = Deno.args.filter((word) => word !== form);
const unknown = words.find((word) => !(word in parts));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}"; there are ${Object.keys(parts).join(", ")}`);
  Deno.exit(1);
}
const place = await Deno.makeTempDir({ prefix: "zpm-bench-" });
try {
  await needBinary();
  const rows: Row[] = [];
  for (const name of words.length > 0 ? words : Object.keys(parts)) {
    rows.push(...await attempted(name, place));
  }
  console.log(form ? forms[form](rows) : table(rows));
} finally {
  await Deno.remove(place, { recursive: true });
}
Deno.exit(0);

/** The rows of a part, or the line that says why there are none. */
async function attempted(name: string, place: string): Promise<Row[]> {
  try {
    return await parts[name](await Deno.makeTempDir({ dir: place }));
  } catch (error) {
    console.error(`skipped: ${name}: ${error instanceof Error ? error.message : error}`);
    return [];
  }
}
