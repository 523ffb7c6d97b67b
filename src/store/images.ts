/**
 * Memory images of engines beside the journal: a cache (ENGINE-NOTES 7.4). Written without a sync and removed without
 * regret: a file ends with the CRC-32 of what is before it, and is as good as absent when that is wrong. Against
 * accidents that is enough, and a hundred times as fast as a digest.
 */
import { crc32 } from "node:zlib";
import { type FileHandle, type FileSystem, writeAll } from "./file_system.ts";

/** The checksum at the end, in bytes. */
const SUM = 4;
/** A large file is read through a small buffer: the machine takes longer to hand out new memory than to copy. */
const PIECE = 1024 * 1024;

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

  /** In memory that threads share; undefined when there is none of that key, or none that is whole. */
  read(key: string): Uint8Array | undefined {
    try {
      const handle = this.#fs.open(`${this.#directory}/${nameOf(key)}`);
      try {
        return readChecked(handle);
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
        const sum = new Uint8Array(SUM);
        new DataView(sum.buffer).setUint32(0, crc32(bytes));
        writeAll(handle, bytes.length, sum);
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

function readChecked(handle: FileHandle): Uint8Array | undefined {
  const { size } = handle.identify();
  if (size < SUM) return undefined;
  const bytes = new Uint8Array(new SharedArrayBuffer(size - SUM));
  const buffer = new Uint8Array(PIECE);
  let sum = 0;
  for (let at = 0; at < bytes.length;) {
    const got = handle.read(at, buffer.subarray(0, Math.min(PIECE, bytes.length - at)));
    if (got === 0) return undefined;
    const piece = buffer.subarray(0, got);
    sum = crc32(piece, sum);
    bytes.set(piece, at);
    at += got;
  }
  const end = new Uint8Array(SUM);
  const whole = handle.read(bytes.length, end) === SUM;
  return whole && new DataView(end.buffer).getUint32(0) === sum ? bytes : undefined;
}

function nameOf(key: string): string {
  return `engine-${key}.image`;
}

/** Also what a killed writer left. */
function isImage(name: string): boolean {
  return name.startsWith("engine-") && name.includes(".image");
}
