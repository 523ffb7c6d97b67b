/**
 * What the snapshots of a memory say of themselves. To tell the number of its clauses, a snapshot is read whole; so
 * what a file says is remembered as long as its bytes are the same.
 */
import { digestOf } from "../base/digest.ts";
import type { KbFile } from "../store/protocol.ts";

/** A snapshot that exists. */
export interface SnapshotEntry {
  name: string;
  /** When it was made, ISO 8601. */
  at: string;
  clauses: number;
  /** The file's name within `kb`. */
  file: string;
}

/** Reads files, of which some may be no snapshots. */
type ReadHeads = (files: { name: string; text: string }[]) => Promise<SnapshotEntry[]>;

/** Only a file with these bytes in it can be a snapshot; whether it is, Prolog decides. */
const MARK = new TextEncoder().encode("$zpm_snapshot");

export class SnapshotHeads {
  /** By digest of the file: its head, or nothing when it is no snapshot. */
  #known = new Map<string, SnapshotEntry | undefined>();

  /** In order of names. */
  async of(files: KbFile[], read: ReadHeads): Promise<SnapshotEntry[]> {
    const candidates = files.filter(maybeSnapshot);
    const keys = await Promise.all(candidates.map(keyOf));
    const fresh = candidates.filter((_, at) => !this.#known.has(keys[at]));
    const heads = fresh.length > 0 ? await read(fresh.map(asText)) : [];
    const known = new Map<string, SnapshotEntry | undefined>();
    for (const [at, { name }] of candidates.entries()) {
      const key = keys[at];
      known.set(key, this.#known.get(key) ?? heads.find((head) => head.file === name));
    }
    this.#known = known;
    return [...known.values()].filter((head) => head !== undefined)
      .sort((a, b) => a.name < b.name ? -1 : 1);
  }
}

export function maybeSnapshot(file: KbFile): boolean {
  return contains(file.bytes, MARK);
}

export function decoded(file: KbFile): string {
  return new TextDecoder().decode(file.bytes);
}

function asText(file: KbFile): { name: string; text: string } {
  return { name: file.name, text: decoded(file) };
}

/** The name and the contents of a file. */
async function keyOf({ name, bytes }: KbFile): Promise<string> {
  return `${name} ${await digestOf(bytes)}`;
}

function contains(bytes: Uint8Array, part: Uint8Array): boolean {
  let at = bytes.indexOf(part[0]);
  while (at >= 0) {
    if (part.every((byte, index) => bytes[at + index] === byte)) return true;
    at = bytes.indexOf(part[0], at + 1);
  }
  return false;
}
