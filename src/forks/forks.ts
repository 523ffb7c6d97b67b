/**
 * The forks of one server: memories over a frozen base, opened when somebody asks, shared by all who name the same one
 * (SPEC 3.1).
 *
 * They share the store's worker, since no other can be started later, and a bounded number of engines. What stays of a
 * fork that nobody uses is its journal, open, and what of it no image holds.
 */
import { join } from "node:path";
import { invariant } from "../base/errors.ts";
import type { Assets, Image } from "../engine/assets.ts";
import { EngineBudget, type EngineCounts } from "../engine/budget.ts";
import type { Change, ProjectMemories } from "../memory/memory.ts";
import { openFork } from "../memory/service.ts";
import { SpareEngine } from "./spare.ts";
import { startStores, type Store, type Stores } from "../store/client.ts";

export interface Fork {
  /** Also the name of its folder. */
  id: string;
  lifecycle: "durable" | "leased";
  /** Of a leased one: which lease it is. Another lease is another fork, whatever is left of the one before. */
  lease?: number;
}

export interface ForksOptions {
  assets: Assets;
  /** See `freeze`. */
  base: Image;
  /** Where forks of each kind have their folders: there, absolute, links resolved. */
  folders: { durable?: string; leased: string };
  /** The leased forks that go on; what is left of others is removed at the start. */
  leased?: Fork[];
  /** Engines of all forks together. */
  engines: number;
  /** What recovery and the loader have to say of a fork, a line each. */
  report?: (line: string) => void;
}

export interface ForkCounts {
  /** Forks whose journals are open. */
  open: number;
  engines: EngineCounts;
  /** Of all forks: how long the last writes took to be on disk, and how many groups of them wait for it. */
  journal: { lag_ms: number; waiting: number };
}

export class Forks {
  readonly #options: ForksOptions;
  readonly #stores: Stores;
  readonly #budget: EngineBudget;
  readonly #spare: SpareEngine;
  readonly #journal = { lag_ms: 0, waiting: 0 };
  readonly #listeners = new Map<string, Set<(change: Change) => void>>();
  readonly #open = new Map<string, Promise<ProjectMemories>>();

  private constructor(options: ForksOptions, stores: Stores) {
    this.#options = options;
    this.#stores = { ...stores, project: (options) => this.#measured(stores.project(options)) };
    this.#budget = new EngineBudget(options.engines);
    this.#spare = new SpareEngine(options.assets, options.base);
  }

  /** When it settles, everything that needs the main thread's permissions has happened. */
  static async start(options: ForksOptions): Promise<Forks> {
    const { durable, leased } = options.folders;
    const stores = startStores(durable === undefined ? [leased] : [durable, leased]);
    await Promise.all([stores.ready, options.assets.module()]);
    const forks = new Forks(options, stores);
    await forks.#removeLeftovers();
    return forks;
  }

  get counts(): ForkCounts {
    return {
      open: this.#open.size,
      engines: this.#budget.counts,
      journal: { ...this.#journal },
    };
  }

  /** The memories of a fork, which is made when there is none. */
  async memories(fork: Fork): Promise<ProjectMemories> {
    const folder = this.#folderOf(fork);
    const known = this.#open.get(folder);
    if (known) return await known;
    const opening = this.#openFork(fork, folder);
    this.#open.set(folder, opening);
    // Whatever was in the way may be gone at the next call.
    opening.catch(() => this.#open.delete(folder));
    return await opening;
  }

  /** Tells of every change in the fork of that name, whenever it is open. Returns how to stop that. */
  watch(id: string, listener: (change: Change) => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** The end of a leased fork: what runs in it is finished, then its folder goes. */
  async remove(fork: Fork): Promise<void> {
    const folder = this.#folderOf(fork);
    const open = await this.#open.get(folder)?.catch(() => undefined);
    this.#open.delete(folder);
    await open?.close();
    await this.#stores.removeFolder(folder);
  }

  async close(): Promise<void> {
    const open = await Promise.allSettled(this.#open.values());
    this.#open.clear();
    await Promise.all(open.map((each) => each.status === "fulfilled" ? each.value.close() : {}));
    await this.#spare.close();
    await this.#stores.close();
  }

  /** A lease may have ended while no server ran, or its fork was not removed in time. */
  async #removeLeftovers(): Promise<void> {
    const { folders, leased = [] } = this.#options;
    const kept = leased.map((fork) => this.#folderOf(fork));
    for (const { name } of Deno.readDirSync(folders.leased)) {
      const folder = join(folders.leased, name);
      if (!kept.includes(folder)) await this.#stores.removeFolder(folder);
    }
  }

  async #openFork(fork: Fork, folder: string): Promise<ProjectMemories> {
    const { assets, report } = this.#options;
    const memories = await openFork({
      assets,
      base: () => this.#spare.take(),
      stores: this.#stores,
      budget: this.#budget,
      folder,
      report: (line) => report?.(`fork ${fork.id}: ${line}`),
    });
    memories.watch?.((change) => {
      for (const listener of this.#listeners.get(fork.id) ?? []) listener(change);
    });
    return memories;
  }

  #measured(store: Store): Store {
    const journal = this.#journal;
    return {
      ...store,
      async append(memory, commits) {
        const began = performance.now();
        journal.waiting++;
        try {
          return await store.append(memory, commits);
        } finally {
          journal.waiting--;
          journal.lag_ms = performance.now() - began;
        }
      },
    };
  }

  #folderOf({ id, lifecycle, lease = 0 }: Fork): string {
    const { durable, leased } = this.#options.folders;
    if (lifecycle === "leased") return join(leased, `${id}.${lease}`);
    invariant(durable, "a durable fork without a folder for such");
    return join(durable, id);
  }
}
