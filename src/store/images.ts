/**
 * Memory images of engines beside the journal: a cache (ENGINE-NOTES 7.4). Written without a sync, since whoever
 * reads one checks its bytes, and removed without regret.
 */
import { type FileSystem, readFrom, writeAll } from "./file_system.ts";

/** The images of one data folder: at most one, named by what it was made of. */
export class Images {
  readonly #fs: FileSystem;
  readonly #directory: string;

  constructor(fs: FileSystem, directory: string) {
    this.#fs = fs;
    this.#directory = directory;
  }

  /** Whether there is one, of whatever key. */
  any(): boolean {
    return this.#names().length > 0;
  }

  /** Undefined when there is none of that key, or none that can be read. */
  read(key: string): Uint8Array | undefined {
    try {
      const handle = this.#fs.open(`${this.#directory}/${nameOf(key)}`);
      try {
        return readFrom(handle, 0);
      } finally {
        handle.close();
      }
    } catch {
      return undefined;
    }
  }

  /** Takes the place of all others; a fault, such as a full disk, leaves none. */
  write(key: string, bytes: Uint8Array): void {
    const path = `${this.#directory}/${nameOf(key)}`;
    const temporary = `${path}.${Deno.pid}`;
    this.clear();
    try {
      const handle = this.#fs.open(temporary, { write: true, create: true });
      try {
        handle.truncate(0);
        writeAll(handle, 0, bytes);
      } finally {
        handle.close();
      }
      this.#fs.rename(temporary, path);
    } catch {
      this.clear();
    }
  }

  clear(): void {
    for (const name of this.#names()) {
      try {
        this.#fs.remove(`${this.#directory}/${name}`);
      } catch {
        continue; // another process was faster, or the folder is read-only
      }
    }
  }

  /** A folder that cannot be read has none: a cache stops nobody. */
  #names(): string[] {
    try {
      return this.#fs.list(this.#directory).filter(isImage);
    } catch {
      return [];
    }
  }
}

function nameOf(key: string): string {
  return `engine-${key}.image`;
}

/** Also what a killed writer left. */
function isImage(name: string): boolean {
  return name.startsWith("engine-") && name.includes(".image");
}
