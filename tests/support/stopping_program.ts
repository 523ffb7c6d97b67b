/** A program from source whose file system stands still at a chosen call, so that it can be killed there. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Moment } from "./hooked_fs.ts";
import { PERMISSIONS, type Program, ROOT } from "./transcript_program.ts";

export interface Point {
  /** Counted from 1. */
  call: number;
  moment: Moment;
}

/** A point that no program reaches. */
export const NOWHERE: Point = { call: -1, moment: "before" };

/** Only a write can be done in part. */
export function momentsOf(call: string): Moment[] {
  return call.startsWith("write ") ? ["before", "within", "after"] : ["before", "after"];
}

/** `main` is a path in the project; the import map that does it is left in `folder`. */
export async function stoppingProgram(
  folder: string,
  main: string,
  point: Point,
): Promise<Program> {
  const config = join(ROOT, "deno.json");
  const packages: Record<string, string> = JSON.parse(await Deno.readTextFile(config)).imports;
  // An import map says by itself what a configuration implies: what lies inside of a package.
  const inside = Object.entries(packages).map(([name, at]) => [
    `${name}/`,
    `${at.replace("npm:", "npm:/")}/`,
  ]);
  const url = (path: string) => pathToFileURL(join(ROOT, path)).href;
  const file_system = url("src/store/file_system.ts");
  const stop = `export const point = ${JSON.stringify(point)};`;
  const map = {
    imports: {
      ...packages,
      ...Object.fromEntries(inside),
      [file_system]: url("tests/support/stopping_fs.ts"),
      [url("tests/support/stop_point.ts")]: `data:text/javascript,${encodeURIComponent(stop)}`,
    },
    // What stands in between uses the real one.
    scopes: {
      [url("tests/support/stopping_fs.ts")]: { [file_system]: file_system },
      [url("tests/support/hooked_fs.ts")]: { [file_system]: file_system },
    },
  };
  const path = join(folder, "import_map.json");
  await Deno.writeTextFile(path, JSON.stringify(map));
  const words = ["--quiet", "--no-check", "--config", config, "--import-map", path];
  return [Deno.execPath(), "run", ...words, ...PERMISSIONS, join(ROOT, main)];
}
