/**
 * Which project zpm works on, and what makes a directory one (DESIGN section 4).
 *
 * Clients start servers in `/`, so nothing is ever written beside the working directory without a `.zpm` folder
 * having been found. Its path is resolved through links before any permission is fixed to it.
 */
import { join, resolve } from "node:path";
import { notAProject, notInitialized } from "../base/errors.ts";

/** A project that exists. */
export interface Project {
  /** The directory that holds `.zpm`, absolute. */
  root: string;
  /** The folder of the default memory: the real path of `.zpm`. */
  folder: string;
  /** The folder of the global scope, when there is one. */
  global?: string;
}

/** Where to look. `flag` is what `--project` said, `env` is ZPM_PROJECT; an empty one says nothing. */
export interface Where {
  flag?: string;
  env?: string;
  cwd: string;
}

/** The named project, else the nearest one from `cwd` upwards. A named one that is none is an error. */
export function findProject(where: Where): Project | undefined {
  const named = where.flag || where.env;
  if (named) {
    const root = resolve(where.cwd, named);
    const project = projectAt(root);
    if (!project) throw notAProject(root);
    return project;
  }
  for (let root = resolve(where.cwd);;) {
    const project = projectAt(root);
    if (project) return project;
    const parent = resolve(root, "..");
    if (parent === root) return undefined;
    root = parent;
  }
}

/** Makes `directory` a project, as far as it is none. Returns the paths that were made; harmless when repeated. */
export function initProject(directory: string): string[] {
  const root = resolve(directory);
  const folder = join(root, ".zpm");
  const created: string[] = [];
  try {
    makeFolder(folder, created);
    makeFolder(join(folder, "kb"), created);
    makeFolder(join(folder, "data"), created, 0o700);
    const ignored = join(folder, ".gitignore");
    if (!exists(ignored)) {
      Deno.writeTextFileSync(ignored, "data/\n", { createNew: true });
      created.push(ignored);
    }
  } catch (fault) {
    throw notInitialized(root, fault instanceof Error ? fault.message : String(fault));
  }
  return created;
}

/** What decides where memories live that belong to no project. */
export interface GlobalWhere {
  /** `--global-dir` */
  flag?: string;
  /** The environment: ZPM_GLOBAL_DIR, and what the platform keeps data in. */
  env: (name: string) => string | undefined;
  platform: typeof Deno.build.os;
}

/** `--global-dir`, ZPM_GLOBAL_DIR, else `zpm` in the platform's data directory; undefined without a home. */
export function globalDirectory(where: GlobalWhere): string | undefined {
  const named = where.flag || where.env("ZPM_GLOBAL_DIR");
  if (named) return resolve(named);
  const data = dataDirectory(where);
  return data === undefined ? undefined : join(data, "zpm");
}

function projectAt(root: string): Project | undefined {
  try {
    const folder = Deno.realPathSync(join(root, ".zpm"));
    return Deno.statSync(folder).isDirectory ? { root, folder } : undefined;
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound || fault instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    if (fault instanceof Deno.errors.PermissionDenied) return undefined;
    throw fault;
  }
}

function makeFolder(path: string, created: string[], mode?: number): void {
  if (exists(path)) return;
  Deno.mkdirSync(path, { recursive: true, mode });
  created.push(path);
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) return false;
    throw fault;
  }
}

function dataDirectory({ env, platform }: GlobalWhere): string | undefined {
  const home = env("HOME") || undefined;
  switch (platform) {
    case "windows":
      return env("LOCALAPPDATA") || env("APPDATA") || undefined;
    case "darwin":
      return home && join(home, "Library", "Application Support");
    default:
      return env("XDG_DATA_HOME") || (home && join(home, ".local", "share"));
  }
}
