/**
 * Where the memories beside the default one live: `memories/NAME` in the project's folder or in the global one,
 * each with the shape of a project's folder (DESIGN section 4).
 */
import { basename, dirname, join } from "node:path";
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

export function deleteMemory(roots: Roots, name: string, scope: Scope): void {
  removeFolder(memoryFolder(roots, name, scope));
}

/** Makes `folder` one that has a default memory, as far as it is none; its name is durable then. */
export function makeProject(folder: string, fs: FileSystem = denoFileSystem): void {
  if (isFolder(join(folder, "kb")) && isFolder(join(folder, "data"))) return;
  for (const part of ["kb", "data"]) fs.makeDirectory(join(folder, part));
  for (const made of [folder, dirname(folder)]) fs.syncDirectory(made);
}

/** The folder goes under another name first, so that a half deleted one is not found. None is fine. */
export function removeFolder(folder: string): void {
  const home = dirname(folder);
  const going = join(home, `.${basename(folder)}.deleted`);
  if (!isFolder(folder)) return;
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
