/**
 * Makes `dist/zpm`, one executable: bundles the program, puts the engine's files beside the bundle, and
 * compiles all of it.
 *
 * - Bundled first, because a program of one file starts in half the time of one of hundreds.
 * - The engine's files are embedded compressed: every embedded megabyte costs about 7 ms at each start,
 *   read or not, and 13 MB shrink to under 3. They also need names that end in neither `.js` nor `.wasm`,
 *   or the compiler takes them for modules.
 * - Compiled without `run` and `ffi`: nothing in the program can ask for them later.
 *
 * ZPM_COMPILE_DENO names another Deno to compile with, DENORT_BIN the runtime it embeds; both are for
 * machines that cannot reach Deno's download server (`.ci/denort.sh`).
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { loadAssets, packImage } from "../src/engine/assets.ts";
import { loadedLibrary } from "./library.ts";
// Importing something of the package is what makes its files resolvable.
import swipl from "swipl-wasm/package.json" with { type: "json" };

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, "dist");
const BUNDLE = join(DIST, "bundle");
const ASSETS = join(BUNDLE, "assets");

/** Workers are bundles of their own, started by their addresses. */
const WORKERS: Record<string, string> = {
  "src/store/worker.ts": join(BUNDLE, "store_worker.js"),
  "src/store/source_worker.ts": join(BUNDLE, "source_worker.js"),
  "src/authority/worker.ts": join(BUNDLE, "authority_worker.js"),
};

/** Files of the engine that are embedded whole, by the name they have beside the bundle, plus `.gz`. */
const ENGINE_FILES: Record<string, URL> = {
  "swipl-web.js": packageFile("swipl-web.js"),
  "swipl-web.wasm": packageFile("swipl-web.wasm"),
};
/** The memory image, which keeps its name: its first line is not packed. */
const IMAGE = new URL("../dist/base.image", import.meta.url);

const PERMISSIONS = ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-net"];
const UNSTABLE = [
  "--unstable-worker-options",
  "--unstable-raw-imports",
  "--unstable-no-legacy-abort",
];
/** The young generation grows at once to what a start needs: the handshake is answered some 15 ms sooner. */
const V8_FLAGS = "--v8-flags=--semi-space-growth-factor=8";

if (import.meta.main) await makeBinary();

async function makeBinary(): Promise<void> {
  await removeOld();
  await Deno.mkdir(ASSETS, { recursive: true });
  // In chunks, so that a command does not load the MCP half; the platform only chooses lighter variants of
  // the libraries, `node:` modules stay imports.
  await bundle("main.ts", "--platform", "browser", "--code-splitting", "--outdir", BUNDLE);
  for (const [source, output] of Object.entries(WORKERS)) {
    await bundle(source, "--platform", "deno", "--output", output);
  }
  for (const [name, from] of Object.entries(ENGINE_FILES)) {
    await embed(name, await Deno.readFile(from));
  }
  await embed("swipl-web.data", await loadedLibrary(await loadAssets()));
  await Deno.writeFile(join(ASSETS, "base.image"), packImage(await Deno.readFile(IMAGE)));
  await compile();
  const { size } = await Deno.stat(join(DIST, "zpm"));
  console.log(`dist/zpm: ${(size / 1e6).toFixed(1)} MB, with ${swipl.name} ${swipl.version}`);
}

async function removeOld(): Promise<void> {
  for (const path of [BUNDLE, join(DIST, "zpm")]) {
    await Deno.remove(path, { recursive: true }).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
}

function packageFile(name: string): URL {
  return new URL(import.meta.resolve(`swipl-wasm/dist/swipl/${name}`));
}

async function bundle(source: string, ...options: string[]): Promise<void> {
  await run(Deno.execPath(), ["bundle", "--quiet", "--minify", ...options, source]);
}

async function embed(name: string, bytes: Uint8Array): Promise<void> {
  await Deno.writeFile(join(ASSETS, `${name}.gz`), gzipSync(bytes, { level: 9 }));
}

async function compile(): Promise<void> {
  await run(Deno.env.get("ZPM_COMPILE_DENO") ?? Deno.execPath(), [
    "compile",
    "--quiet",
    "--no-config",
    "--no-lock",
    "--no-check",
    "--no-prompt",
    ...PERMISSIONS,
    ...UNSTABLE,
    V8_FLAGS,
    ...Object.values(WORKERS).flatMap((worker) => ["--include", worker]),
    "--include",
    ASSETS,
    "--output",
    join(DIST, "zpm"),
    join(BUNDLE, "main.js"),
  ]);
}

async function run(command: string, args: string[]): Promise<void> {
  const child = new Deno.Command(command, {
    args,
    cwd: ROOT,
    stdout: "inherit",
    stderr: "inherit",
  });
  const { code } = await child.output();
  if (code === 0) return;
  console.error(`compile: 'deno ${args[0]}' failed with status ${code}`);
  Deno.exit(1);
}
