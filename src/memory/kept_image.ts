/**
 * The memory image of a loaded project, kept on disk so that a large memory opens as fast as a small one
 * (DESIGN section 3, ENGINE-NOTES 7.4).
 *
 * A cache, never the truth. Its name says of which engine and of which files it was made; its header says which
 * commits it holds, and is believed only while every journal still has exactly these. Its bytes are checked, and the
 * engine that boots from it is asked how many clauses it has. Whatever does not fit is thrown away, and the memory
 * loaded as if there had been none.
 */
import { crc32 } from "node:zlib";
import type { Image } from "../engine/assets.ts";
import type { Engine } from "../engine/engine.ts";
import { readReply } from "../engine/reply.ts";
import type { Mark, StoreCalls } from "../store/protocol.ts";
import type { Report } from "./files.ts";
import type { MemoryLog } from "./log.ts";

/** The memory in whose data folder the image lies. */
const HOME = "default";

/** One line of JSON in front of the bytes. */
interface Header {
  pages: number;
  /** CRC-32 of the bytes: against accidents, and a hundred times as fast as a digest. */
  crc: number;
  memories: Held[];
}

/** What the image holds of one memory. */
interface Held {
  name: string;
  mark: Mark;
  clauses: number;
  reports: Report[];
}

/** An image that fits what is on disk. */
export interface KeptImage {
  image: Image;
  held: Held[];
}

export interface KeptImageOptions {
  store: Pick<StoreCalls, "mark" | "holds" | "readImage" | "writeImage" | "clearImages">;
  /** Key of the base image: which engine it is. */
  engine: string;
}

export class ImageCache {
  readonly #options: KeptImageOptions;

  constructor(options: KeptImageOptions) {
    this.#options = options;
  }

  /** The image of what these logs say, up to some earlier commit of each; undefined when there is none that fits. */
  async find(logs: MemoryLog[]): Promise<KeptImage | undefined> {
    const { store } = this.#options;
    if (!logs.every(usable)) return undefined;
    const file = await store.readImage(HOME, await this.#key(logs));
    if (!file) return undefined;
    const end = file.indexOf(0x0a);
    const header = parsed(file.subarray(0, end));
    const bytes = file.subarray(end + 1);
    if (header?.crc !== crc32(bytes)) return await this.drop();
    for (const log of logs) {
      const held = header.memories.find(({ name }) => name === log.name);
      if (!held || !await store.holds(log.name, held.mark)) return await this.drop();
    }
    return { image: { pages: header.pages, bytes: shared(bytes) }, held: header.memories };
  }

  /** Whether an engine that was booted from the image has what it should have. */
  async fits(engine: Engine, { held }: KeptImage): Promise<boolean> {
    for (const { name, clauses } of held) {
      if (await countClauses(engine, name) !== clauses) return false;
    }
    return true;
  }

  /** Keeps an image of an engine that is at `heads`; does nothing when a journal has gone on meanwhile. */
  async keep(engine: Engine, image: Image, logs: MemoryLog[], heads: Map<string, number>) {
    const { store } = this.#options;
    if (!logs.every(usable)) return;
    const memories: Held[] = [];
    for (const { name, reports } of logs) {
      const mark = await store.mark(name);
      if (mark?.seq !== (heads.get(name) ?? 0)) return;
      memories.push({ name, mark: mark!, clauses: await countClauses(engine, name), reports });
    }
    const own = image.bytes.slice(); // the functions that sum up take no shared memory
    const header: Header = { pages: image.pages, crc: crc32(own), memories };
    const line = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
    const file = new Uint8Array(line.length + own.length);
    file.set(line);
    file.set(own, line.length);
    // Nobody waits for the disk; a store that is closed finishes what it was asked before.
    store.writeImage(HOME, await this.#key(logs), file).catch(() => {});
  }

  /** Removes what turned out not to fit. */
  async drop(): Promise<undefined> {
    await this.#options.store.clearImages(HOME);
  }

  async #key(logs: MemoryLog[]): Promise<string> {
    const memories = await Promise.all(logs.map(async ({ name, mode, files }) => {
      const contents = files.map(async (file) => [file.name, await digest(file.bytes)]);
      return [name, mode, await Promise.all(contents)];
    }));
    const text = JSON.stringify([this.#options.engine, memories]);
    return (await digest(new TextEncoder().encode(text))).slice(0, 32);
  }
}

function usable(log: MemoryLog): boolean {
  return !log.absent && !log.broken && log.health.status === "active";
}

async function countClauses(engine: Engine, memory: string): Promise<number> {
  return readReply(await engine.ask({ op: "count", memory }), "rule").clauses as number;
}

function parsed(line: Uint8Array): Header | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(line));
  } catch {
    return undefined;
  }
}

/** In memory that workers share, so that booting from it copies it once. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

/** SHA-256 in hexadecimal digits. */
async function digest(bytes: Uint8Array): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
