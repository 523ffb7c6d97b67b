/**
 * The store as the main thread sees it: calls that are posted to the worker.
 * The worker is started at once and with its own permissions, so the main thread may give its own away
 * as soon as the store is `ready`.
 */
import { Link } from "../base/link.ts";
import { startThread } from "../base/thread.ts";
import type { Calls, Start, WorkerCalls } from "./messages.ts";
import type { Roots } from "./places.ts";
import type { StoreCalls } from "./protocol.ts";

const MODULE = { here: import.meta.url, source: "./worker.ts", bundle: "./store_worker.js" };

export interface StoreOptions extends Start {
  /** The folder of each memory by name, absolute and without links: permissions are for exactly these. */
  directories: Record<string, string>;
  /** Where further memories are found and made; permissions are for these folders too. */
  roots?: Roots;
}

export interface Store extends StoreCalls {
  /**
   * Settles when the worker has loaded its own modules. Before that the main thread must keep its permissions,
   * since loading uses them; calls may be made at any time.
   */
  readonly ready: Promise<void>;
}

/** One worker for several projects, which come and go as long as it runs. */
export interface Stores extends Pick<WorkerCalls, "makeFolder" | "removeFolder"> {
  readonly ready: Promise<void>;
  /** The memories of a project, in folders that the worker may touch; its `close` leaves the others alone. */
  project(options: StoreOptions): Store;
  /** Ends the worker when nothing is under way. */
  close(): Promise<void>;
}

/** Starts the worker of one project. It ends with `close`; until then it keeps the process alive. */
export function startStore(options: StoreOptions): Store {
  const { directories, roots } = options;
  const folders = [...Object.values(directories), roots?.project, roots?.global];
  const stores = startStores(folders.filter((folder) => folder !== undefined));
  const store = stores.project(options);
  return { ...store, close: () => store.close().then(() => stores.close()) };
}

/** Starts the worker of the projects in these folders, absolute and without links. */
export function startStores(folders: string[]): Stores {
  const own = [...new Set(folders)];
  const link = new Link<Calls>(
    startThread("store", MODULE, { read: own, write: own }),
    "the store",
  );
  let projects = 0;
  return {
    ready: link.ready,
    makeFolder: (folder) => link.call("makeFolder", [folder]),
    removeFolder: (folder) => link.call("removeFolder", [folder]),
    project: (options) => projectOf(link, ++projects, options),
    close: () => link.close(),
  };
}

function projectOf(link: Link<Calls>, project: number, options: StoreOptions): Store {
  link.call("start", [options], project).catch(() => {}); // every other call would fail as well
  const call = <Name extends keyof StoreCalls>(name: Name) =>
    ((...args: unknown[]) => link.call(name, args as never, project)) as Calls[Name];
  return {
    ready: link.ready,
    places: call("places"),
    create: call("create"),
    delete: call("delete"),
    attach: call("attach"),
    detach: call("detach"),
    open: call("open"),
    since: call("since"),
    past: call("past"),
    begin: call("begin"),
    append: call("append"),
    rotate: call("rotate"),
    abandon: call("abandon"),
    files: call("files"),
    writeFile: call("writeFile"),
    removeFile: call("removeFile"),
    mark: call("mark"),
    holds: call("holds"),
    readImage: call("readImage"),
    writeImage: call("writeImage"),
    clearImages: call("clearImages"),
    health: call("health"),
    repairs: call("repairs"),
    repair: call("repair"),
    async close() {
      await link.idle(project);
      if (!link.ended) await link.call("stop", [], project);
    },
  };
}
