/**
 * The source files of a memory: `kb/*.pl`, as bytes. Prolog decodes and reads them.
 */
import { dirname } from "node:path";
import { type FileSystem, readFrom, reason, replaceFile } from "./file_system.ts";
import type { KbFile } from "./protocol.ts";

/** How often, at most, a reader looks whether a file has changed. */
const LOOK_MS = 1_000;

/** The folder of one memory's source files. */
export class Kb {
  readonly #fs: FileSystem;
  readonly #directory: string;
  /** A sentence for each file that could not be read, of the last `read`. */
  problems: string[] = [];
  #read = "";
  #looked = -Infinity;

  constructor(fs: FileSystem, directory: string) {
    this.#fs = fs;
    this.#directory = directory;
  }

  /** The files in byte order of names. */
  read(): KbFile[] {
    this.problems = [];
    this.#read = this.#signature();
    const files: KbFile[] = [];
    for (const name of sourceNames(this.#fs, this.#directory, this.problems)) {
      try {
        const path = `${this.#directory}/${name}`;
        const there = this.#fs.identify(path);
        if (!there) this.problems.push(`kb/${name} is not read: the link leads nowhere`);
        else if (there.isFile) files.push({ name, bytes: readFile(this.#fs, path) });
        else this.problems.push(`kb/${name} is not read: it is not a file`);
        // What was a snapshot or knowledge once and was cut off to nothing looks like this.
        if (there?.isFile && there.size === 0) this.problems.push(`kb/${name} is empty`);
      } catch (fault) {
        this.problems.push(`kb/${name} is not read: ${reason(fault)}`);
      }
    }
    return files;
  }

  /** Whether another version than the one read is there now; looks once a second, or at once when it must. */
  changed(must: boolean): boolean {
    const now = performance.now();
    if (!must && now - this.#looked < LOOK_MS) return false;
    this.#looked = now;
    return this.#signature() !== this.#read;
  }

  /**
   * Writes a file whole or not at all: under a temporary name, synced, renamed, the folder synced. What we wrote is
   * no change to look at. A file that cannot be read is not replaced: nobody knows what would be lost.
   */
  write(name: string, bytes: Uint8Array): void {
    const path = `${this.#directory}/${name}`;
    const unchanged = !this.changed(true);
    if (this.#fs.identify(path) !== undefined) readFile(this.#fs, path);
    this.#fs.makeDirectory(this.#directory);
    this.#fs.syncDirectory(dirname(this.#directory));
    replaceFile(this.#fs, path, bytes);
    if (unchanged) this.#read = this.#signature();
  }

  remove(name: string): void {
    const unchanged = !this.changed(true);
    this.#fs.remove(`${this.#directory}/${name}`);
    this.#fs.syncDirectory(this.#directory);
    if (unchanged) this.#read = this.#signature();
  }

  /** Which files are there, and which versions of them. */
  #signature(): string {
    const names = sourceNames(this.#fs, this.#directory, []);
    return JSON.stringify(names.map((name) => [name, this.#version(name)]));
  }

  #version(name: string): string {
    try {
      const there = this.#fs.identify(`${this.#directory}/${name}`);
      return there ? `${there.id}:${there.size}:${there.modified_ms}` : "";
    } catch (fault) {
      return reason(fault);
    }
  }
}

/** Whether a memory's folder has source files. */
export function hasSources(fs: FileSystem, folder: string): boolean {
  return sourceNames(fs, `${folder}/kb`, []).length > 0;
}

/** Names that begin with a dot are what editors leave beside a file. */
function sourceNames(fs: FileSystem, directory: string, problems: string[]): string[] {
  try {
    return fs.list(directory)
      .filter((name) => name.endsWith(".pl") && !name.startsWith("."))
      .map((name) => ({ name, key: new TextEncoder().encode(name) }))
      .sort((a, b) => compareBytes(a.key, b.key))
      .map(({ name }) => name);
  } catch (fault) {
    problems.push(`kb is not read: ${reason(fault)}`);
    return [];
  }
}

function readFile(fs: FileSystem, path: string): Uint8Array {
  const handle = fs.open(path);
  try {
    return readFrom(handle, 0);
  } finally {
    handle.close();
  }
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    if (a[i] !== b[i]) return a[i] - b[i];
  }
  return a.length - b.length;
}
