/**
 * The memory image of a loaded project, kept on disk so that a large memory opens as fast as a small one
 * (DESIGN section 3, ENGINE-NOTES 7.4).
 *
 * A cache, never the truth. Its name says of which engine and of which files it was made; its header says which
 * commits it holds, and is believed only while every journal still has exactly these. The store checks its bytes, and the
 * engine that boots from it is asked how many clauses it has. Whatever does not fit is thrown away, and the memory
 * loaded as if there had been none.
 */
import { digestOf } from "../base/digest.ts";
import type { Image } from "../engine/assets.ts";
import type { Engine } from "../engine/engine.ts";
import { decodeImageFile, encodeImageFile } from "../engine/image_file.ts";
import { readReply } from "../engine/reply.ts";
import type { Mark, StoreCalls } from "../store/protocol.ts";
import type { Report } from "./files.ts";
import type { MemoryLog } from "./log.ts";

/** The memory in whose data folder the image lies. */
const HOME = "default";

/** One line of JSON in front of the bytes. */
interface Header {
  pages: number;
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
  /** Whether the data folder had any image at the start; without one there is nothing to look for. */
  present: boolean;
}

export class ImageCache {
  readonly #options: KeptImageOptions;
  #present: boolean;

  constructor(options: KeptImageOptions) {
    this.#options = options;
    this.#present = options.present;
  }

  /** The image of what these logs say, up to some earlier commit of each; undefined when there is none that fits. */
  async find(logs: MemoryLog[]): Promise<KeptImage | undefined> {
    const { store } = this.#options;
    if (!this.#present || !logs.every(usable)) return undefined;
    const file = await store.readImage(HOME, await this.#key(logs));
    if (!file) return undefined;
    const { header, bytes } = decoded(file);
    if (!header) return await this.drop();
    for (const log of logs) {
      const held = header.memories.find(({ name }) => name === log.name);
      if (!held || !await store.holds(log.name, held.mark)) return await this.drop();
    }
    const { pages, memories } = header;
    const image = { pages, bytes, gzip: false, size: bytes.length };
    return { image, held: memories };
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
    const header: Header = { pages: image.pages, memories };
    const file = encodeImageFile(header, image.bytes);
    this.#present = true;
    // Nobody waits for the disk; a store that is closed finishes what it was asked before.
    store.writeImage(HOME, await this.#key(logs), file).catch(() => {});
  }

  /** Removes what turned out not to fit. */
  async drop(): Promise<undefined> {
    await this.#options.store.clearImages(HOME);
  }

  async #key(logs: MemoryLog[]): Promise<string> {
    const memories = await Promise.all(logs.map(async ({ name, mode, files }) => {
      const contents = files.map(async (file) => [file.name, await digestOf(file.bytes)]);
      return [name, mode, await Promise.all(contents)];
    }));
    const text = JSON.stringify([this.#options.engine, memories]);
    return (await digestOf(new TextEncoder().encode(text))).slice(0, 32);
  }
}

function usable(log: MemoryLog): boolean {
  return !log.absent && !log.broken && log.health.status === "active";
}

async function countClauses(engine: Engine, memory: string): Promise<number> {
  return readReply(await engine.ask({ op: "count", memory }), "rule").clauses as number;
}

function decoded(file: Uint8Array): { header?: Header; bytes: Uint8Array } {
  try {
    return decodeImageFile<Header>(file);
  } catch {
    return { bytes: file };
  }
}
