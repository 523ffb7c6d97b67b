/** A documented file that is changed, as the main thread sees it: calls that are posted to its worker. */
import { dirname } from "node:path";
import { Link } from "../base/link.ts";
import { startThread } from "../base/thread.ts";

const MODULE = {
  here: import.meta.url,
  source: "./source_worker.ts",
  bundle: "./source_worker.js",
};

/** What the worker does; `source_file.ts` says how. */
export interface SourceCalls {
  open(path: string): Promise<void>;
  read(): Promise<Uint8Array<ArrayBuffer>>;
  replace(bytes: Uint8Array, expected: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface OpenSource extends Omit<SourceCalls, "open"> {
  /** Where it is, whatever links lead there. */
  readonly path: string;
}

/**
 * Takes a file to change it: nobody else does until `close`. Links to it are followed now and not again. Throws when
 * somebody else has it, or when it could not be replaced. Afterwards the main thread may give its permissions away.
 */
export async function openSource(named: string): Promise<OpenSource> {
  const path = await Deno.realPath(named);
  const folder = [dirname(path)];
  const thread = startThread("source", MODULE, { read: folder, write: folder });
  const link = new Link<SourceCalls>(thread, "the file's keeper");
  try {
    await link.ready;
    await link.call("open", [path]);
  } catch (fault) {
    await link.close();
    throw fault;
  }
  return {
    path,
    read: () => link.call("read", []),
    replace: (bytes, expected) => link.call("replace", [bytes, expected]),
    close: () => link.close(),
  };
}
