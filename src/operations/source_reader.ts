/**
 * Reads the file again when everything else is given away: a worker that may read this one file and nothing more.
 */
import { basename } from "node:path";
import { sourceNotRead } from "../base/operation_errors.ts";

/** The worker's text. A `data:` address starts from source and in a compiled program alike. */
const WORKER = "data:text/javascript," + encodeURIComponent(`
onmessage = async ({ data }) => {
  try {
    postMessage({ bytes: await Deno.readFile(data) });
  } catch (error) {
    postMessage({ why: error.message });
  }
};`);

export class SourceReader {
  readonly #path: string;
  readonly #worker: Worker;

  /** `path` is absolute; a link may lead elsewhere, and that is read. */
  constructor(path: string) {
    this.#path = path;
    const read = [...new Set([path, Deno.realPathSync(path)])];
    this.#worker = new Worker(WORKER, { type: "module", deno: { permissions: { read } } });
  }

  async read(): Promise<Uint8Array<ArrayBuffer>> {
    const answer = Promise.withResolvers<{ bytes?: Uint8Array<ArrayBuffer>; why?: string }>();
    this.#worker.onmessage = ({ data }) => answer.resolve(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      answer.resolve({ why: event.message });
    };
    this.#worker.postMessage(this.#path);
    const { bytes, why } = await answer.promise;
    if (!bytes) throw sourceNotRead(basename(this.#path), why ?? "its reader stopped");
    return bytes;
  }

  close(): void {
    this.#worker.terminate();
  }
}
