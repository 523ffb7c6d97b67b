/**
 * Compiles a script of the tests just as the program is compiled (build/compile.ts), beside the engine's files
 * that lie in `dist/bundle` since then. Where a program can be compiled is said by ZPM_COMPILE_DENO and
 * DENORT_BIN, as there; without them the compiled half of a test is left out.
 */
import { join } from "node:path";
import { PERMISSIONS, type Program, ROOT, sourceProgram } from "./transcript_program.ts";

const BUNDLE = join(ROOT, "dist/bundle");

/** Whether the environment names what compiles. */
export function canCompile(): boolean {
  return Boolean(Deno.env.get("ZPM_COMPILE_DENO") && Deno.env.get("DENORT_BIN"));
}

/** A script of `tests/support` as a program run from source. */
export function asSource(name: string): Program {
  return sourceProgram(join(ROOT, "tests/support", name));
}

/** The same as an executable in `directory`. */
export async function compiled(name: string, directory: string): Promise<Program> {
  const bundle = join(directory, "bundle");
  await run(Deno.execPath(), [
    "bundle",
    "--quiet",
    "--minify",
    "--platform",
    "browser",
    "--code-splitting",
    "--outdir",
    bundle,
    join(ROOT, "tests/support", name),
  ]);
  const workers = ["store_worker.js", "source_worker.js"];
  const beside = ["assets", ...workers].map((name) => join(BUNDLE, name));
  await run("/bin/cp", ["-r", ...beside, bundle]);
  const target = join(directory, "program");
  await run(Deno.env.get("ZPM_COMPILE_DENO")!, [
    "compile",
    "--quiet",
    "--no-config",
    "--no-lock",
    "--no-check",
    ...PERMISSIONS,
    "--unstable-worker-options",
    "--unstable-raw-imports",
    ...workers.flatMap((name) => ["--include", join(bundle, name)]),
    "--include",
    join(bundle, "assets"),
    "--output",
    target,
    join(bundle, name.replace(/\.ts$/, ".js")),
  ]);
  return [target];
}

async function run(command: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args, cwd: ROOT }).output();
  if (!success) throw new Error(`${command} ${args[0]}: ${new TextDecoder().decode(stderr)}`);
}
