/**
 * Snapshots of one memory: files `kb/NAME.pl` that Prolog writes and reads, and the store makes durable. What is in
 * them is known only to `src/prolog/snapshots.pl`; a file that does not say it is a snapshot is never overwritten.
 */
import { notASnapshot, snapshotBusy, snapshotMissing } from "../base/errors.ts";
import type { KbFile, StoreCalls } from "../store/protocol.ts";
import type { MemoryLog } from "./log.ts";
import type { Reply, Request } from "./memory.ts";
import {
  decoded,
  maybeSnapshot,
  type SnapshotEntry,
  type SnapshotHeads,
} from "./snapshot_heads.ts";

export interface Snapshots {
  /** In order of names. */
  list(): Promise<SnapshotEntry[]>;
  save(name: string): Promise<{ file: string; clauses: number }>;
  /** The text of a snapshot. */
  read(name: string): Promise<string>;
  remove(name: string): Promise<void>;
}

type Ask = <Body>(request: Request) => Promise<Reply<Body>>;

interface Owner {
  readonly name: string;
  readonly heads: SnapshotHeads;
}

export type { SnapshotEntry };

export function snapshotsOf(
  store: StoreCalls,
  { name: memory, heads }: Owner,
  ask: Ask,
): Snapshots {
  async function find(name: string, files: KbFile[]): Promise<SnapshotEntry> {
    const entry = (await among(files))
      .find((entry) => entry.name === name || entry.file === `${name}.pl`);
    if (!entry) throw snapshotMissing(name);
    return entry;
  }

  async function list(): Promise<SnapshotEntry[]> {
    return await among(await store.files(memory));
  }

  async function among(all: KbFile[]): Promise<SnapshotEntry[]> {
    return await heads.of(all, async (files) => {
      const { snapshots } = await ask<{ snapshots: SnapshotEntry[] }>({
        op: "snapshot_heads",
        files,
      });
      return snapshots;
    });
  }

  async function save(name: string) {
    const file = `${name}.pl`;
    const files = await store.files(memory);
    const same = files.find((other) => other.name.toLowerCase() === file.toLowerCase());
    if (same) {
      const known = (await among(files)).some((entry) => entry.file === same.name);
      if (!known) throw notASnapshot(`kb/${same.name}`);
      if (same.name !== file) throw snapshotBusy(same.name);
    }
    const time = new Date().toISOString();
    const { text, clauses } = await ask<{ text: string; clauses: number }>({
      op: "snapshot_text",
      name,
      time,
    });
    await store.writeFile(memory, { name: file, bytes: new TextEncoder().encode(text) });
    return { file: `kb/${file}`, clauses };
  }

  async function read(name: string): Promise<string> {
    const files = await store.files(memory);
    const entry = await find(name, files);
    return decoded(files.find((file) => file.name === entry.file)!);
  }

  async function remove(name: string): Promise<void> {
    const entry = await find(name, await store.files(memory));
    await store.removeFile(memory, entry.file);
  }

  return { list, save, read, remove };
}

/**
 * A fresh clone has the snapshots that were committed to version control and no journal: the newest one is its first
 * commit. Whoever deleted the journal by hand gets the same. Says what was done.
 */
export async function adoptNewest(
  log: MemoryLog,
  snapshots: Snapshots,
  commit: (request: Request) => Promise<void>,
): Promise<string | undefined> {
  const fresh = log.head === 0 && log.health.status === "active" && log.mode === "rw";
  if (!fresh || !log.files.some(maybeSnapshot)) return undefined;
  const [newest] = (await snapshots.list()).sort((a, b) => a.at > b.at ? -1 : 1);
  if (!newest) return undefined;
  await commit({ op: "restore", name: newest.name, text: await snapshots.read(newest.name) });
  const said = `There was no journal: the snapshot ${newest.name} of ${newest.at} was restored`;
  log.notes.push(said);
  return said;
}
