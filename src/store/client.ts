/**
 * The store as the main thread sees it: calls that are posted to the worker.
 * The worker is started at once and with its own permissions, so the main thread may give its own away
 * as soon as the store is `ready`.
 */
import { Link } from "../base/link.ts";
import type { Start } from "./messages.ts";
import type { Roots } from "./places.ts";
import type { StoreCalls } from "./protocol.ts";

export interface StoreOptions {
  /** The folder of each memory by name, absolute and without links: permissions are for exactly these. */
  directories: Record<string, string>;
  /** Where further memories are found and made; permissions are for these folders too. */
  roots?: Roots;
  /** How long reads wait for the lock. */
  wait_ms?: number;
}

export interface Store extends StoreCalls {
  /**
   * Settles when the worker has loaded its own modules. Before that the main thread must keep its permissions,
   * since loading uses them; calls may be made at any time.
   */
  readonly ready: Promise<void>;
}

/** Starts the worker. It ends with `close`; until then it keeps the process alive. */
export function startStore(options: StoreOptions): Store {
  const { directories, roots } = options;
  const folders = [...Object.values(directories), roots?.project, roots?.global];
  const link = new Link<StoreCalls>(
    startWorker([...new Set(folders.filter((folder) => folder !== undefined))]),
    "the store",
  );
  link.post(options satisfies Start);
  return {
    ready: link.ready,
    places: () => link.call("places", []),
    create: (memory, scope) => link.call("create", [memory, scope]),
    delete: (memory, scope) => link.call("delete", [memory, scope]),
    attach: (memory, scope) => link.call("attach", [memory, scope]),
    detach: (memory) => link.call("detach", [memory]),
    open: (memory) => link.call("open", [memory]),
    since: (memory, seq) => link.call("since", [memory, seq]),
    past: (memory, from) => link.call("past", [memory, from]),
    begin: (memory, seq, deadline_ms) => link.call("begin", [memory, seq, deadline_ms]),
    append: (memory, commits) => link.call("append", [memory, commits]),
    rotate: (memory, checkpoint) => link.call("rotate", [memory, checkpoint]),
    abandon: (memory) => link.call("abandon", [memory]),
    files: (memory) => link.call("files", [memory]),
    writeFile: (memory, file) => link.call("writeFile", [memory, file]),
    removeFile: (memory, name) => link.call("removeFile", [memory, name]),
    mark: (memory) => link.call("mark", [memory]),
    holds: (memory, mark) => link.call("holds", [memory, mark]),
    readImage: (memory, key) => link.call("readImage", [memory, key]),
    writeImage: (memory, key, bytes) => link.call("writeImage", [memory, key, bytes]),
    clearImages: (memory) => link.call("clearImages", [memory]),
    health: (memory) => link.call("health", [memory]),
    repairs: (memory, keep) => link.call("repairs", [memory, keep]),
    repair: (memory, keep) => link.call("repair", [memory, keep]),
    close: () => link.close(),
  };
}

/** The worker's module lies beside this one: as it is in the source, as one file in a bundle. */
function startWorker(directories: string[]): Worker {
  const here = import.meta.url;
  const module = here.endsWith(".ts") ? "./worker.ts" : "./store_worker.js";
  return new Worker(new URL(module, here), {
    type: "module",
    name: "store",
    deno: {
      permissions: {
        read: directories,
        write: directories,
        env: false,
        ffi: false,
        import: false,
        net: false,
        run: false,
        sys: false,
      },
    },
  });
}
