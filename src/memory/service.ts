/**
 * Opens the memories of a project: of one that has a process to itself, or of a fork, which shares the store's worker
 * and the engines with others and begins with what its base holds.
 */
import { forkNotSaved } from "../base/fork_errors.ts";
import { limits } from "../base/limits.ts";
import { type Assets, loadAssets } from "../engine/assets.ts";
import type { EngineBudget } from "../engine/budget.ts";
import { Engine } from "../engine/engine.ts";
import { startStore, type Stores } from "../store/client.ts";
import { denoFileSystem } from "../store/file_system.ts";
import { Images } from "../store/images.ts";
import { ImageCache } from "./kept_image.ts";
import { MemoryLog } from "./log.ts";
import type { ProjectMemories } from "./memory.ts";
import { DEFAULT, DEFAULT_MOUNT, Project, type ProjectOptions } from "./project.ts";
import { Replicas } from "./replicas.ts";

export interface OpenOptions extends Pick<ProjectOptions, "engines" | "longLived" | "report"> {
  /** The project's `.zpm` folder: absolute, links resolved. */
  folder: string;
  /** The folder of the global scope, when there is one. */
  global?: string;
}

export type { ProjectMemories };

/**
 * Opens the project's memories. When the promise settles, everything that needs the main thread's permissions has
 * happened: the store worker runs, the engine's files are read.
 */
export async function openMemories(options: OpenOptions): Promise<ProjectMemories> {
  const assets = await loadAssets();
  // Starting a worker blocks this thread: the engine comes first and gets its module, so that it boots while the
  // store starts. An image on disk is most likely one that fits, and then the engine boots from that.
  const kept = new Images(denoFileSystem, `${options.folder}/data`).any();
  const first = !kept && assets.image ? new Engine(assets, assets.image) : undefined;
  await assets.module();
  const store = startStore({
    directories: { [DEFAULT]: options.folder },
    roots: { project: options.folder, global: options.global },
  });
  const [opened] = await Promise.all([store.open(DEFAULT), store.ready]).catch((error) => {
    first?.stop();
    throw error;
  });
  // Damage is told with every reply anyway; a server's log has it once more.
  const told = opened.health.status === "damaged" && !options.longLived;
  if (!told) { for (const problem of opened.health.problems) options.report?.(problem); }
  const log = new MemoryLog(DEFAULT, DEFAULT_MOUNT, opened);
  const cache = new ImageCache({ store, engine: assets.key, present: kept });
  const replicas = new Replicas(
    { assets, keepImage: options.longLived ?? false, first, cache },
    [log],
  );
  const project = await begun(log, { ...options, store, replicas });
  project.warm();
  return project;
}

export interface ForkOptions extends Pick<ProjectOptions, "report"> {
  stores: Stores;
  assets: Assets;
  /** Gives an engine whose default memory has what the base holds, and which never ran a user's goal. */
  base: () => Promise<Engine>;
  /** Where what the fork adds is kept: absolute, links resolved, among the folders of `stores`. */
  folder: string;
  budget: EngineBudget;
}

/**
 * Opens a fork, which is made when there is none: its default memory begins with the clauses of the base, as if files
 * that nobody can edit had brought them. No engine is started before somebody asks.
 */
export async function openFork(options: ForkOptions): Promise<ProjectMemories> {
  const { stores, assets, base, folder } = options;
  await stores.makeFolder(folder);
  const store = stores.project({ directories: { [DEFAULT]: folder }, roots: { project: folder } });
  try {
    const opened = await store.open(DEFAULT);
    for (const problem of opened.health.problems) options.report?.(problem);
    // What is only kept until the process ends must not be acknowledged as anything else.
    if (opened.health.status === "degraded") throw forkNotSaved(opened.health.problems.join("; "));
    const log = new MemoryLog(DEFAULT, DEFAULT_MOUNT, opened);
    const replicas = new Replicas({ assets, keepImage: true, base }, [log]);
    const engines = limits.fork_engines;
    return await begun(log, { ...options, engines, store, replicas, longLived: true });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** With what the log mounts, and the newest snapshot where there is no journal. */
async function begun(log: MemoryLog, options: ProjectOptions): Promise<Project> {
  const project = new Project(log, options);
  if (log.mounts.size > 0) await project.follow();
  await project.adopt(log);
  return project;
}
