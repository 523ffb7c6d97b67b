/**
 * One segment of a log: an open file, and how much of it is known to be good and durable.
 *
 * The file is known by what stands in it, not by its name: the line before our place must still end in the sum
 * we remember, and sums are chained from the first line on. So a restored backup or an exchanged file is noticed
 * by the same read that looks for something new.
 */
import { dirname } from "node:path";
import {
  type FileHandle,
  type FileSystem,
  readFrom,
  reason,
  writeAll,
  writeFile,
} from "./file_system.ts";
import type { Mark } from "./protocol.ts";
import { lineEnding } from "./record.ts";
import { type Position, type Rest, type Scan, scan, START } from "./recovery.ts";

/** `segmentName(1)` is "journal-000001.wal". */
export function segmentName(number: number): string {
  return `journal-${String(number).padStart(6, "0")}.wal`;
}

/** The numbers of the segments in a folder, highest first. */
export function segmentNumbers(fs: FileSystem, directory: string): number[] {
  return fs.list(directory)
    .map((name) => /^journal-(\d{6,})\.wal$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => b - a);
}

/** What a look at the end of the file shows. */
export type News = "none" | "some" | "exchanged";

/** What became of the file's name since it was opened. */
export type Standing = "same" | "recreated" | "exchanged";

export class Segment {
  readonly number: number;
  readonly path: string;
  readonly #fs: FileSystem;
  readonly #directory: string;
  readonly #write: boolean;
  #handle: FileHandle;
  #at: Position = START;
  #rest: Rest = { kind: "none" };
  /** The bytes of `rest` as they were scanned, at most `glance_bytes`, and the file's length then. */
  #seen: { bytes: Uint8Array; size: number } = { bytes: new Uint8Array(0), size: 0 };
  /** Why nothing is written any more: a fault that could not be undone. */
  #broken?: string;

  constructor(fs: FileSystem, directory: string, options: { number: number; write?: boolean }) {
    const { number, write = true } = options;
    this.#fs = fs;
    this.#directory = directory;
    this.#write = write;
    this.number = number;
    this.path = `${directory}/${segmentName(number)}`;
    this.#handle = fs.open(this.path, { write, create: write });
    // Whoever finds it empty may be the first to write, and the one who made it may be gone.
    if (write && this.size() === 0) this.#makeDurable();
  }

  get at(): Position {
    return this.#at;
  }

  get rest(): Rest {
    return this.#rest;
  }

  get broken(): string | undefined {
    return this.#broken;
  }

  size(): number {
    return this.#handle.identify().size;
  }

  /**
   * Reads the whole file. The caller holds the lock, or cannot have one. What is taken from a file is only as durable
   * as the file's name, whose maker may have died before that.
   */
  load(): Scan {
    this.#at = START;
    const found = this.take();
    if (found.at.offset > 0 && this.#write) this.#guard(() => this.#syncName());
    return found;
  }

  /** One read at the end of the open handle; takes no lock and changes nothing (rule R). */
  news(): News {
    const ending = this.#ending();
    const buffer = glance.subarray(0, ending.length + glance_bytes);
    const length = this.#handle.read(this.#at.offset - ending.length, buffer);
    if (length < ending.length || !same(buffer.subarray(0, ending.length), ending)) {
      return "exchanged";
    }
    const more = buffer.subarray(ending.length, length);
    if (more.length === 0 && this.#seen.bytes.length === 0) return "none";
    if (this.#broken !== undefined) return "none";
    return same(more, this.#seen.bytes) && this.size() === this.#seen.size ? "none" : "some";
  }

  /**
   * Takes what stands behind our place. The caller holds the lock. Taken lines are synced once, since their
   * writer may have died between write and sync; if that fails nothing is taken, now or later.
   */
  take(): Scan {
    const start = this.#at.offset;
    const bytes = readFrom(this.#handle, start);
    const found = scan(bytes, this.#at);
    if (found.at.offset > start && this.#write) this.#guard(() => this.#handle.sync());
    this.#at = found.at;
    this.#rest = found.rest;
    const behind = bytes.subarray(found.at.offset - start);
    this.#seen = { bytes: behind.slice(0, glance_bytes), size: start + bytes.length };
    return found;
  }

  /** All commits before our place once more. */
  again(): Scan {
    return scan(readFrom(this.#handle, 0).subarray(0, this.#at.offset), START);
  }

  mark(): Mark {
    const ending = new TextDecoder().decode(this.#ending());
    return { segment: this.number, offset: this.#at.offset, seq: this.#at.seq, ending };
  }

  /** A line chains to all before it, so that its ending vouches for them. */
  holds({ segment, offset, ending }: Mark): boolean {
    if (segment !== this.number || offset > this.#at.offset) return false;
    const bytes = new TextEncoder().encode(ending);
    const buffer = new Uint8Array(bytes.length);
    return this.#handle.read(offset - bytes.length, buffer) === bytes.length && same(buffer, bytes);
  }

  /** The place behind commit `seq`, which is one before ours; undefined when it lies within a checkpoint. */
  placeAfter(seq: number): Position | undefined {
    const bytes = this.whole().subarray(0, this.#at.offset);
    const ends = [...bytes.keys()].filter((i) => bytes[i] === 0x0a).map((i) => i + 1);
    let [from, to] = [0, ends.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (scan(bytes.subarray(0, ends[middle]), START).at.seq <= seq) from = middle + 1;
      else to = middle;
    }
    const { at, segment, checkpoint } = scan(bytes.subarray(0, ends[from - 1] ?? 0), START);
    return at.seq === seq && (segment === undefined || checkpoint !== undefined) ? at : undefined;
  }

  /** All bytes of the file, good or not. */
  whole(): Uint8Array {
    return readFrom(this.#handle, 0);
  }

  /**
   * Writes `text` behind our place and syncs once; `seq` and `sum` are those of its last line. On any fault the
   * file is cut back to our place, so that what was answered with an error never comes back (ENGINE-NOTES 2.1).
   */
  append(text: string, last: { seq: number; sum: string }): void {
    const bytes = new TextEncoder().encode(this.#at.newline ? text : "\n" + text);
    try {
      writeAll(this.#handle, this.#at.offset, bytes);
      this.#handle.sync();
    } catch (fault) {
      this.cut();
      throw fault;
    }
    this.#at = { offset: this.#at.offset + bytes.length, ...last, newline: true };
  }

  /** Goes back to an earlier place; what stands behind it is no part of the log any more. */
  rewind(to: Position): void {
    this.#at = to;
    this.cut();
  }

  /** Cuts off what stands behind our place. The caller holds the lock. Never tried a second time. */
  cut(): void {
    this.#guard(() => {
      this.#handle.truncate(this.#at.offset);
      this.#handle.sync();
    });
    this.#rest = { kind: "none" };
    this.#seen = { bytes: new Uint8Array(0), size: 0 };
  }

  /**
   * Makes sure that the file we write to is the one others find. A file that vanished is written again from the
   * handle that is still open; another file is ours too when it goes on from our place. The caller holds the lock.
   */
  stand(): Standing {
    const there = this.#fs.identify(this.path);
    if (there?.id === this.#handle.identify().id) return "same";
    if (there) return this.#adopt(this.#fs.open(this.path, { write: true }));
    if (segmentNumbers(this.#fs, this.#directory).some((number) => number > this.number)) {
      return "exchanged";
    }
    this.#recreate();
    return "recreated";
  }

  /** Another file has our name; cheaper than `stand` and without a lock. */
  exchanged(): boolean {
    const there = this.#fs.identify(this.path);
    return there !== undefined && there.id !== this.#handle.identify().id;
  }

  close(): void {
    this.#handle.close();
  }

  #ending(): Uint8Array {
    return endingOf(this.#at);
  }

  #adopt(other: FileHandle): Standing {
    const ending = this.#ending();
    const buffer = new Uint8Array(ending.length);
    const length = other.read(this.#at.offset - ending.length, buffer);
    if (length < ending.length || !same(buffer, ending)) {
      other.close();
      return "exchanged";
    }
    this.#syncName();
    this.#handle.close();
    this.#handle = other;
    return "same";
  }

  /** Whole or not at all: written under another name, synced, then renamed. */
  #recreate(): void {
    const fresh_path = `${this.path}.new`;
    const kept = readFrom(this.#handle, 0).subarray(0, this.#at.offset);
    this.#fs.makeDirectory(this.#directory);
    this.#fs.syncDirectory(dirname(this.#directory));
    writeFile(this.#fs, fresh_path, kept);
    this.#fs.rename(fresh_path, this.path);
    this.#syncName();
    this.#handle.close();
    this.#handle = this.#fs.open(this.path, { write: true });
  }

  #makeDurable(): void {
    this.#handle.sync();
    this.#syncName();
  }

  #syncName(): void {
    this.#fs.syncDirectory(this.#directory);
  }

  #guard(step: () => void): void {
    try {
      step();
    } catch (fault) {
      this.#broken = reason(fault);
      throw fault;
    }
  }
}

/** How much of the end of a file one look reads. */
const glance_bytes = 4096;
const glance = new Uint8Array(glance_bytes + 64);

function endingOf(at: Position): Uint8Array {
  if (at.offset === 0) return new Uint8Array(0);
  const ending = lineEnding(at.sum);
  return at.newline ? Uint8Array.of(...ending, 0x0a) : ending;
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
