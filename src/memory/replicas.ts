/**
 * Engines of a project: how one is built from the files and journals of all mounted memories, and how it is
 * brought to their heads.
 *
 * The logs are the truth and an engine a replica of them. Where the process lives long, a memory image of a
 * replica that never ran a user's goal is kept, so that replacing a killed engine takes a tenth of a second and
 * not a replay (DESIGN section 3).
 */
import { limits } from "../base/limits.ts";
import type { Assets, Image } from "../engine/assets.ts";
import { boot, bootBase } from "../engine/boot.ts";
import { Engine, EngineLost } from "../engine/engine.ts";
import { readReply } from "../engine/reply.ts";
import type { Commit } from "../store/protocol.ts";
import { loadedEngine } from "./files.ts";
import type { ImageCache } from "./kept_image.ts";
import type { MemoryLog } from "./log.ts";

export interface ReplicaOptions {
  assets: Assets;
  /** Keep an image of the loaded memories: worth it for a server, not for one command. */
  keepImage: boolean;
  /** An engine that is booting from the base image already. */
  first?: Engine;
  /** Images of loaded memories on disk. */
  cache?: ImageCache;
  /** Gives engines that begin with something: clauses of files that no folder holds. */
  base?: () => Promise<Engine>;
}

/** Up to which commit something holds each memory, by name. */
type Heads = Map<string, number>;

export class Replicas {
  readonly #options: ReplicaOptions;
  readonly #applied = new WeakMap<Engine, Heads>();
  #logs: MemoryLog[];
  #base: { image: Image; heads: Heads } | undefined;

  constructor(options: ReplicaOptions, logs: MemoryLog[]) {
    this.#options = options;
    this.#logs = logs;
  }

  /** Other logs: engines that exist are of no use any more. */
  reset(logs: MemoryLog[]): void {
    this.#base = undefined;
    this.#logs = logs;
  }

  /** A fresh engine at the heads of all logs. */
  async build(): Promise<Engine> {
    const logs = this.#logs;
    const engine = await this.#start();
    const base = this.#base;
    try {
      await this.bring(engine);
    } catch (error) {
      engine.stop();
      if (this.#logs.some((log) => log.broken)) throw error;
      await this.#findBroken();
      return this.build();
    }
    if (this.#options.keepImage && this.#behind(base?.heads)) {
      await this.#keepImage(engine, logs);
    }
    return engine;
  }

  /** Whether a new image is worth it; that of a fork's base is one already. */
  #behind(heads: Heads | undefined): boolean {
    if (!heads && !this.#options.base) return true;
    const missing = this.#logs.map((log) => log.head - (heads?.get(log.name) ?? 0));
    return Math.max(...missing) > limits.image_tail_commits;
  }

  /** The files, or the image; not yet the commits after it. */
  async #start(): Promise<Engine> {
    const engine = this.#base
      ? await boot(this.#options.assets, this.#base.image)
      : await this.#restored();
    this.#applied.set(engine, new Map(this.#base?.heads));
    return engine;
  }

  /** From the image on disk, when there is one that fits; else from the files. */
  async #restored(): Promise<Engine> {
    const { cache } = this.#options;
    const logs = this.#logs;
    const kept = await cache?.find(logs);
    if (!cache || !kept) return await this.#load();
    const engine = new Engine(this.#options.assets, kept.image);
    try {
      await engine.ready();
      if (!await cache.fits(engine, kept)) throw new EngineLost("boot", "other clauses");
    } catch (error) {
      engine.stop();
      if (!(error instanceof EngineLost)) throw error;
      await cache.drop();
      return await this.#load();
    }
    this.#options.first?.stop();
    if (logs !== this.#logs) return engine; // nobody will use it
    this.#base = {
      image: kept.image,
      heads: new Map(kept.held.map(({ name, mark }) => [name, mark.seq])),
    };
    for (const { name, reports } of kept.held) {
      const log = this.#logs.find((each) => each.name === name);
      if (log) log.reports = reports;
    }
    return engine;
  }

  async #load(): Promise<Engine> {
    const { engine, reports } = await loadedEngine(this.#logs, () => this.bootBase());
    for (const log of this.#logs) log.reports = reports.get(log.name) ?? [];
    return engine;
  }

  /**
   * Apply is total: what was journaled was planned by an engine like this one. Should it fail all the same, the
   * log still decides: the memory is what the commits before say, and is not written to.
   */
  async #findBroken(): Promise<void> {
    const engine = await this.#start();
    try {
      for (const log of this.#logs) await this.#applyEach(engine, log);
    } finally {
      engine.stop();
    }
  }

  async #applyEach(engine: Engine, log: MemoryLog): Promise<void> {
    for (const commit of log.after(this.#appliedBy(engine, log))) {
      try {
        await this.apply(engine, log, [commit]);
      } catch (error) {
        log.breakAt(commit.seq, error instanceof Error ? error.message : String(error));
        return;
      }
    }
  }

  /** An engine that is no replica: the files as they are now, and these commits. */
  async buildPast(commits: Map<MemoryLog, Commit[]>): Promise<Engine> {
    const { engine } = await loadedEngine([...commits.keys()], () => this.bootBase());
    try {
      for (const [log, all] of commits) {
        for (let start = 0; start < all.length; start += limits.replay_commits) {
          await this.apply(engine, log, all.slice(start, start + limits.replay_commits));
        }
      }
    } catch (error) {
      engine.stop();
      throw error;
    }
    return engine;
  }

  /** Applies what an engine lacks, so that whatever it is asked next is asked at the heads. */
  async bring(engine: Engine): Promise<void> {
    for (const log of this.#logs) {
      while (this.#appliedBy(engine, log) < log.head) {
        const batch = log.after(this.#appliedBy(engine, log), limits.replay_commits);
        await this.apply(engine, log, batch);
      }
    }
  }

  /** Applies commits and notes that the engine has them; they may not be durable yet. */
  async apply(engine: Engine, log: MemoryLog, commits: Commit[]): Promise<void> {
    const last = commits.at(-1);
    if (!last) return;
    const request = {
      op: "apply",
      memory: log.name,
      commits: commits.map(({ seq, ops }) => [seq, ops]),
    };
    readReply(await engine.ask(request), "rule");
    this.applied(engine, log, last.seq);
  }

  /** Notes that an engine planned and therefore has the commits up to `seq`. */
  applied(engine: Engine, log: MemoryLog, seq: number): void {
    const heads = this.#applied.get(engine) ?? new Map<string, number>();
    this.#applied.set(engine, heads.set(log.name, seq));
  }

  #appliedBy(engine: Engine, log: MemoryLog): number {
    return this.#applied.get(engine)?.get(log.name) ?? 0;
  }

  /** Unless the logs have become others meanwhile. */
  async #keepImage(engine: Engine, logs: MemoryLog[]): Promise<void> {
    const heads = new Map(this.#applied.get(engine));
    const image = await engine.image();
    if (logs !== this.#logs) return;
    this.#base = { image, heads };
    const grown = image.size - (this.#options.assets.image?.size ?? 0);
    if (grown > limits.image_cache_bytes) {
      await this.#options.cache?.keep(engine, image, this.#logs, heads);
    }
    for (const log of this.#logs) log.forget(heads.get(log.name) ?? 0);
  }

  /** An engine without any memory; that of a fork has the base in its default one. */
  async bootBase(): Promise<Engine> {
    const { assets, first, base } = this.#options;
    if (base) return await base();
    this.#options.first = undefined;
    return await bootBase(assets, first);
  }
}
