/**
 * Where the audit ends, kept apart from it in `state_dir`: so lines that are cut off its end are missed.
 *
 * It is written after the audit's own sync and before anybody is answered. So the audit may have more than the head
 * says (a crash between the two; the next start mends it), and never less. Two places in one file take turns, each
 * with a checksum: a write that a crash tore leaves the other one, and overwriting needs no room on a full disk.
 *
 * It is synced now and then only, for a second sync would double what each call waits. A killed process loses nothing
 * by that; when the power fails, the head may be older by what was written since, and only for lines that are cut
 * off just then.
 */
import { dirname } from "node:path";
import { crc32, hex8 } from "../store/crc32.ts";
import { type FileHandle, type FileSystem, readFrom, writeAll } from "../store/file_system.ts";
import { type Place, START } from "./chain.ts";

export class AuditHead {
  readonly #handle: FileHandle;
  #turn = 0;
  #synced_ms = 0;
  /** Undefined when the file says nothing that can be relied on. */
  #place?: Place;

  /** Made with nothing in it when it is not there and `write` is set; else its absence throws. */
  constructor(fs: FileSystem, path: string, { write }: { write: boolean }) {
    this.#handle = fs.open(path, { write, create: write });
    const text = new TextDecoder().decode(readFrom(this.#handle, 0, 2 * slot_bytes));
    const slots = [text.slice(0, slot_bytes), text.slice(slot_bytes)].map(readSlot);
    const seqs = slots.map((slot) => slot?.seq ?? -1);
    this.#turn = seqs[0] > seqs[1] ? 1 : 0;
    this.#place = slots[1 - this.#turn];
    if (write && text === "") fs.syncDirectory(dirname(path));
  }

  get place(): Place | undefined {
    return this.#place;
  }

  /** Before the audit's first record is written, both places are there: from then on nothing grows. */
  begin(): void {
    this.move(START);
    this.move(START);
    this.#sync();
  }

  /** Others see it when it returns. */
  move(place: Place): void {
    writeAll(this.#handle, this.#turn * slot_bytes, encoder.encode(writeSlot(place)));
    this.#turn = 1 - this.#turn;
    this.#place = place;
    if (performance.now() - this.#synced_ms > sync_ms) this.#sync();
  }

  /** Syncs what was written, and closes. */
  end(): void {
    this.#sync();
    this.close();
  }

  #sync(): void {
    this.#handle.sync();
    this.#synced_ms = performance.now();
  }

  close(): void {
    this.#handle.close();
  }
}

function writeSlot(place: Place): string {
  const text = JSON.stringify([place.seq, place.hash]);
  return `${hex8(crc32(encoder.encode(text)))} ${text}`.padEnd(slot_bytes - 1) + "\n";
}

function readSlot(text: string): Place | undefined {
  const [sum, json] = text.trimEnd().split(" ");
  if (!json || hex8(crc32(encoder.encode(json))) !== sum) return undefined;
  const [seq, hash] = JSON.parse(json);
  return { seq, hash };
}

/** How old a head may be that is not synced, at least. */
const sync_ms = 1_000;
/** The length of one place, its line break included. */
const slot_bytes = 120;
const encoder = new TextEncoder();
