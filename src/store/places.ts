/**
 * Where the memories beside the default one live: `memories/NAME` in the project's folder or in the global one,
 * each with the shape of a project's folder (DESIGN section 4).
 */
import { join } from "node:path";
import { memoryExists, memoryNotFound, noGlobalScope } from "../base/errors.ts";
import { denoFileSystem, type FileSystem, writeFile } from "./file_system.ts";
import type { Place } from "./protocol.ts";

export type Scope = Place["scope"];

/** The folders that hold `memories/`; there is no global one without a home directory. */
export interface Roots {
  project: string;
  global?: string;
}

/** Every memory that can be mounted, by name; where both scopes have one of a name, the project's counts. */
export function findMemories(roots: Roots): Place[] {
  const found = new Map<string, Place>();
  for (const scope of ["global", "project"] as const) {
    for (const name of namesIn(roots[scope])) found.set(name, { name, scope });
  }
  return [...found.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/** The folder of a memory that exists. */
export function memoryFolder(roots: Roots, name: string, scope: Scope): string {
  const root = roots[scope];
  const folder = root && join(root, "memories", name);
  if (!folder || !isFolder(folder)) throw memoryNotFound(name);
  return folder;
}

/**
 * Makes the folders of a new memory and the header of its knowledge file. The whole is made under another name, made
 * durable, and renamed: a half made memory is not found, and one that was acknowledged stays.
 */
export function createMemory(
  roots: Roots,
  name: string,
  scope: Scope,
  fs: FileSystem = denoFileSystem,
): void {
  if (findMemories(roots).some((place) => place.name === name)) throw memoryExists(name);
  const root = roots[scope];
  if (!root) throw noGlobalScope();
  const home = join(root, "memories");
  const making = join(home, `.${name}.making`);
  fs.makeDirectory(join(making, "kb"));
  fs.makeDirectory(join(making, "data"));
  const header = `% The memory ${name}. Clauses here are under version control.\n`;
  const text = `${header}:- module(${name}, []).\n`;
  writeFile(fs, join(making, "kb", "knowledge.pl"), new TextEncoder().encode(text));
  for (const folder of [join(making, "kb"), making]) fs.syncDirectory(folder);
  fs.rename(making, join(home, name));
  for (const folder of [home, root]) fs.syncDirectory(folder);
}

/** The folder goes under another name first, so that a half deleted memory is not found. */
export function deleteMemory(roots: Roots, name: string, scope: Scope): void {
  const folder = memoryFolder(roots, name, scope);
  const home = join(folder, "..");
  const going = join(home, `.${name}.deleted`);
  // What a deletion left that came to no end is in the way of the next one.
  if (isFolder(going)) Deno.removeSync(going, { recursive: true });
  denoFileSystem.rename(folder, going);
  denoFileSystem.syncDirectory(home);
  Deno.removeSync(going, { recursive: true });
}

function namesIn(root: string | undefined): string[] {
  if (!root) return [];
  try {
    return [...Deno.readDirSync(join(root, "memories"))]
      .filter((entry) => entry.isDirectory && /^[a-z]/.test(entry.name) && entry.name !== "default")
      .map((entry) => entry.name);
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) return [];
    throw fault;
  }
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) return false;
    throw fault;
  }
}
