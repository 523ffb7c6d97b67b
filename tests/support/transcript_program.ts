/**
 * The program a transcript talks to: the source, or the binary that ZPM_BIN names. It is put on PATH as
 * `zpm`, in an environment that holds nothing of the machine it runs on.
 */
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's top directory. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** What running from source is allowed, as in the tasks of deno.json. */
export const PERMISSIONS = [
  "--no-prompt",
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-sys",
  "--allow-net",
];

/** How to start a program: its words, without the arguments of a call. */
export type Program = string[];

/** The project's own program. */
export function projectProgram(): Program {
  const binary = Deno.env.get("ZPM_BIN");
  if (binary) return [resolve(binary)];
  return sourceProgram(join(ROOT, "main.ts"));
}

/** A TypeScript file as a program, with the permissions and the configuration of the project. */
export function sourceProgram(main: string): Program {
  const config = join(ROOT, "deno.json");
  return [Deno.execPath(), "run", "--quiet", "--config", config, ...PERMISSIONS, main];
}

/** The places one transcript works in. */
export interface Place {
  /** Where its commands start; the `[DIR]` of the transcript. */
  dir: string;
  /** Holds the `zpm` on PATH; apart from `dir`, so that a listing shows only what zpm made. */
  tools: string;
  env: Record<string, string>;
}

/** Makes the directories of one transcript; `remove` takes them away. */
export async function makePlace(program: Program): Promise<Place> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "zpm-transcript-" }));
  const tools = await Deno.makeTempDir({ prefix: "zpm-tools-" });
  const wrapper = join(tools, "zpm");
  await Deno.writeTextFile(wrapper, `#!/bin/sh\nexec ${program.map(quote).join(" ")} "$@"\n`);
  await Deno.chmod(wrapper, 0o755);
  await Deno.mkdir(join(tools, "tmp"));
  return { dir, tools, env: await environment(dir, tools) };
}

export async function removePlace(place: Place): Promise<void> {
  await Deno.remove(place.dir, { recursive: true });
  await Deno.remove(place.tools, { recursive: true });
}

async function environment(dir: string, tools: string): Promise<Record<string, string>> {
  const path = Deno.env.get("PATH") ?? "/usr/local/bin:/usr/bin:/bin";
  return {
    PATH: `${tools}:${path}`,
    HOME: dir,
    // Apart from `dir`, for an audit must not lie among temporary files.
    TMPDIR: join(tools, "tmp"),
    LANG: "C.UTF-8",
    TZ: "UTC",
    NO_COLOR: "1",
    DENO_DIR: await denoDirectory(),
    DENO_NO_UPDATE_CHECK: "1",
  };
}

let denoDir: Promise<string> | undefined;

/** Where this Deno keeps its packages: with a new HOME, the child would look elsewhere and download. */
function denoDirectory(): Promise<string> {
  denoDir ??= (async () => {
    const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] })
      .output();
    return JSON.parse(new TextDecoder().decode(stdout)).denoDir as string;
  })();
  return denoDir;
}

let cached: Promise<void> | undefined;

/** Downloads what the source needs, once, while the environment still says how the network is reached. */
export function cacheSource(): Promise<void> {
  cached ??= (async () => {
    if (Deno.env.get("ZPM_BIN")) return;
    const args = ["cache", "--quiet", "--no-check", join(ROOT, "main.ts")];
    const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT })
      .output();
    if (!success) throw new Error(`deno cache main.ts: ${new TextDecoder().decode(stderr)}`);
  })();
  return cached;
}

/** The version in deno.json. */
export function projectVersion(): string {
  return JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json"))).version;
}

/** A word for the shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
