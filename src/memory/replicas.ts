/**
 * Engines of one memory: how one is built from files and journal, and how it is brought to the head.
 *
 * The log is the truth and an engine a replica of it. What must be known to build one is here: the files, the
 * commits, and, when the process lives long, a memory image of a replica that never ran a user's goal, so
 * that replacing a killed engine takes a tenth of a second and not a replay (DESIGN section 3).
 */
import { limits } from "../base/limits.ts";
import type { Assets, Image } from "../engine/assets.ts";
import { Engine, EngineLost } from "../engine/engine.ts";
import { readReply } from "../engine/reply.ts";
import type { Commit, KbFile, Opened } from "../store/protocol.ts";
import { loadedEngine, type Report } from "./files.ts";

export interface ReplicaOptions {
  memory: string;
  assets: Assets;
  /** Keep an image of the loaded memory: worth it for a server, not for one command. */
  keepImage: boolean;
}

export class Replicas {
  readonly #options: ReplicaOptions;
  readonly #applied = new WeakMap<Engine, number>();
  #files: KbFile[];
  /** The state up to `seq`, when an image of it is kept. */
  #base: { image: Image; seq: number } | undefined;
  /** The commits after the image, or all. */
  #tail: Commit[];
  /** Number of the last durable commit known here. */
  head: number;
  /** The first commit that no engine can apply: the memory is read-only up to it (ENGINE-NOTES 1.10). */
  broken: { seq: number; reason: string } | undefined;
  /** What the loader had to say about the files, of the last load. */
  reports: Report[] = [];

  constructor(options: ReplicaOptions, opened: Opened) {
    this.#options = options;
    this.#files = opened.files;
    this.#tail = opened.commits;
    this.head = opened.commits.at(-1)?.seq ?? 0;
  }

  /** Forgets everything for another log. */
  reset(opened: Opened): void {
    this.#base = undefined;
    this.broken = undefined;
    this.#files = opened.files;
    this.#tail = opened.commits;
    this.head = opened.commits.at(-1)?.seq ?? 0;
  }

  /** Takes over what the log gained; commits that are known already are passed over. */
  absorb(commits: Commit[]): void {
    if (this.broken) return;
    for (const commit of commits) {
      if (commit.seq !== this.head + 1) continue;
      this.#tail.push(commit);
      this.head = commit.seq;
    }
  }

  /** A fresh engine at the head. */
  async build(): Promise<Engine> {
    const base = this.#base;
    const engine = await this.#start();
    try {
      await this.bring(engine);
    } catch (error) {
      engine.stop();
      if (this.broken) throw error;
      await this.#findBroken();
      return this.build();
    }
    const behind = this.head - (base?.seq ?? 0);
    if (this.#options.keepImage && (!base || behind > limits.image_tail_commits)) {
      await this.#keepImage(engine);
    }
    return engine;
  }

  /** The files, or the image; not yet the commits after it. */
  async #start(): Promise<Engine> {
    const base = this.#base;
    const engine = base ? await this.#boot(base.image) : await this.#load();
    this.#applied.set(engine, base?.seq ?? 0);
    return engine;
  }

  /**
   * Apply is total: what was journaled was planned by an engine like this one. Should it fail all the same, the
   * log still decides: the memory is what the commits before say, and is not written to.
   */
  async #findBroken(): Promise<void> {
    const engine = await this.#start();
    const applied = this.#applied.get(engine) ?? 0;
    for (const commit of this.#tail.filter(({ seq }) => seq > applied)) {
      try {
        await this.apply(engine, [commit]);
      } catch (error) {
        this.broken = {
          seq: commit.seq,
          reason: String(error instanceof Error ? error.message : error),
        };
        this.#tail = this.#tail.filter(({ seq }) => seq < commit.seq);
        this.head = commit.seq - 1;
        break;
      }
    }
    engine.stop();
  }

  async #load(): Promise<Engine> {
    const { engine, reports } = await loadedEngine(
      this.#options.memory,
      this.#files,
      () => this.#bootEmpty(),
    );
    this.reports = reports;
    return engine;
  }

  /** Applies what an engine lacks, so that whatever it is asked next is asked at the head. */
  async bring(engine: Engine): Promise<void> {
    let applied = this.#applied.get(engine) ?? 0;
    while (applied < this.head) {
      const first = this.#tail.findLastIndex(({ seq }) => seq <= applied) + 1;
      const batch = this.#tail.slice(first, first + limits.replay_commits);
      await this.apply(engine, batch);
      applied = batch.at(-1)!.seq;
    }
  }

  /** Applies commits and notes that the engine has them; they may not be durable yet. */
  async apply(engine: Engine, commits: Commit[]): Promise<void> {
    if (commits.length === 0) return;
    const request = {
      op: "apply",
      memory: this.#options.memory,
      commits: commits.map(({ seq, ops }) => [seq, ops]),
    };
    await this.#ask(engine, request);
    this.applied(engine, commits.at(-1)!.seq);
  }

  /** Notes that an engine planned and therefore has the commits up to `seq`. */
  applied(engine: Engine, seq: number): void {
    this.#applied.set(engine, seq);
  }

  async #keepImage(engine: Engine): Promise<void> {
    const seq = this.#applied.get(engine) ?? 0;
    this.#base = { image: await engine.image(), seq };
    this.#tail = this.#tail.filter((commit) => commit.seq > seq);
  }

  async #bootEmpty(): Promise<Engine> {
    const engine = await this.#bootBase();
    await this.#ask(engine, { op: "create", memory: this.#options.memory });
    return engine;
  }

  /** The embedded image is only a cache: when it does not boot, the cold boot does, and stays. */
  async #bootBase(): Promise<Engine> {
    const { assets } = this.#options;
    if (assets.image) {
      try {
        return await this.#boot(assets.image);
      } catch (error) {
        if (!(error instanceof EngineLost)) throw error;
        assets.image = undefined;
      }
    }
    return await this.#boot(undefined);
  }

  async #boot(image: Image | undefined): Promise<Engine> {
    const engine = new Engine(this.#options.assets, image);
    await engine.ready();
    return engine;
  }

  async #ask(engine: Engine, request: Record<string, unknown>): Promise<void> {
    readReply(await engine.ask(request), "rule");
  }
}
