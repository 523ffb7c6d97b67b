/**
 * One state of a file, as operations: what it exposes, and engines that have it.
 *
 * Where changes are saved there is one engine, and the state goes on with each of them: the engine and the bytes are
 * the same knowledge at any time. An engine that ends is replaced from the bytes.
 */
import { digestOf } from "../base/digest.ts";
import { engineLost } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { boot } from "../engine/boot.ts";
import { type Engine, EngineLost } from "../engine/engine.ts";
import { Pool } from "../engine/pool.ts";
import { readAttached, readReply } from "../engine/reply.ts";
import { type Edit, edited } from "./edits.ts";
import {
  type Documented,
  documentedEngine,
  type Loaded,
  loadOperations,
  MEMORY,
  type SourceFile,
} from "./load.ts";
import type { CallContext, Keeper, ServiceOptions } from "./service.ts";

/** What an engine answered: the keys, and JSON text that goes on as it is. */
export type Attached = ReturnType<typeof readAttached>;

/** The file on the disk is not the one that this version has: nothing was changed. */
export class EditedMeanwhile extends Error {}

/** The file could not be written, and may be anything: whoever catches it looks. */
export class NotWritten extends Error {
  override readonly cause: unknown;

  constructor(cause: unknown) {
    super("not written");
    this.cause = cause;
  }
}

/** A call with the moment at which it ends. */
type Timed = CallContext & { deadline?: number };

export class Version {
  readonly loaded: Documented | Loaded;
  readonly #options: ServiceOptions;
  readonly #pool: Pool;
  #source: SourceFile;
  #first: Engine | undefined;
  #running = 0;
  #retired = false;

  private constructor(source: SourceFile, loaded: Documented | Loaded, options: ServiceOptions) {
    this.#source = source;
    this.loaded = loaded;
    this.#options = options;
    this.#first = loaded.engine;
    const alone = options.keeper !== undefined || loaded.set.changes_itself;
    this.#pool = new Pool({
      boot: () => this.#boot(),
      engines: alone ? 1 : options.interpreters,
      eager: true,
    });
    this.#pool.warm();
  }

  /** Throws `FileNotLoaded` with all that is wrong in the file. */
  static async load(file: SourceFile, options: ServiceOptions): Promise<Version> {
    const { assets, keeper } = options;
    const loaded = await (keeper ? documentedEngine(file, assets) : loadOperations(file, assets));
    return new Version(file, loaded, options);
  }

  /** The file as it is here. */
  get source(): SourceFile {
    return this.#source;
  }

  async ask(request: Record<string, unknown>, context: Timed): Promise<Attached> {
    const work = (engine: Engine) => engine.ask(this.#complete(request));
    const reply = await this.#run(context, work, { light: true });
    return readAttached(reply, "query");
  }

  /**
   * Asks for a change, saves it and makes it, in this order; nobody else is answered meanwhile. Throws
   * `EditedMeanwhile` and `NotWritten`.
   */
  async change(request: Record<string, unknown>, keeper: Keeper, context: Timed) {
    return await this.#run(context, async (engine) => {
      const answer = readAttached(await engine.ask(this.#complete(request)), "query");
      if (answer.keys.changes === true && await this.#save(engine, keeper)) {
        await this.#settle(engine);
      }
      return answer;
    });
  }

  /** Nothing new is asked; what runs may finish. */
  retire(): void {
    this.#retired = true;
    if (this.#running === 0) this.close();
  }

  close(): void {
    this.#pool.close();
    this.#first?.stop();
  }

  #complete(request: Record<string, unknown>) {
    const { deadline_ms } = this.#options;
    const inferences = Math.min(deadline_ms * limits.inferences_per_ms, limits.inferences_max);
    return { memory: MEMORY, inferences, ...request };
  }

  async #run<T>(
    { client, signal, deadline }: Timed,
    work: (engine: Engine) => Promise<T>,
    { light = false } = {},
  ): Promise<T> {
    const { deadline_ms } = this.#options;
    this.#running++;
    try {
      return await this.#pool.run({
        client,
        deadline: deadline ?? performance.now() + deadline_ms,
        deadline_ms,
        signal,
        light,
        run: async (engine) => {
          try {
            return await work(engine);
          } catch (error) {
            throw error instanceof EngineLost && error.why === "died" ? engineLost() : error;
          }
        },
      });
    } finally {
      this.#running--;
      if (this.#retired && this.#running === 0) this.close();
    }
  }

  /** False when the effects of the call are none for the file. */
  async #save(engine: Engine, keeper: Keeper): Promise<boolean> {
    const { name, bytes } = this.#source;
    const path = `/${name}`;
    const request = { op: "mirror", memory: MEMORY, name, path };
    const { edits } = readReply(await engine.ask(request, [{ path, bytes }]), "query");
    if ((edits as Edit[]).length === 0) return false;
    const next = edited(bytes, edits as Edit[]);
    const saved = await keeper.replace(next, await digestOf(bytes)).catch((fault) => {
      throw new NotWritten(fault);
    });
    if (!saved) throw new EditedMeanwhile();
    this.#source = { name, bytes: next };
    return true;
  }

  /** What is saved is so, whatever becomes of the engine: one that does not follow is made anew from the file. */
  async #settle(engine: Engine): Promise<void> {
    try {
      const request = { op: "settle", memory: MEMORY, name: this.#source.name };
      readReply(await engine.ask(request), "query");
    } catch {
      engine.stop();
    }
  }

  async #boot(): Promise<Engine> {
    const { assets } = this.#options;
    const first = this.#first;
    this.#first = undefined;
    if (first) return first;
    if ("image" in this.loaded) return await boot(assets, this.loaded.image);
    return (await documentedEngine(this.#source, assets)).engine;
  }
}
