/**
 * The operations of a file, answered by engines that have it.
 *
 * A file that is read again becomes a new version with engines of its own; calls that run go on with the version
 * they began with, and its engines end with the last of them.
 */
import { bug, engineLost } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { Assets } from "../engine/assets.ts";
import { boot } from "../engine/boot.ts";
import { type Engine, EngineLost } from "../engine/engine.ts";
import { Pool } from "../engine/pool.ts";
import { readAttached, readValue } from "../engine/reply.ts";
import type { Report } from "../memory/files.ts";
import { type Loaded, loadOperations, MEMORY, type SourceFile } from "./load.ts";
import type { Operation, OperationSet } from "./operation.ts";

export interface ServiceOptions {
  assets: Assets;
  /** Engines that answer at the same time, where the file allows it. */
  interpreters: number;
  deadline_ms: number;
  /** Solutions of one call; 0: all. */
  max_solutions: number;
}

/** What a caller sent, as texts: Prolog reads them by the declared types. */
export interface Given {
  query: [name: string, text: string][];
  /** JSON text. */
  body?: string;
}

export class Answer {
  /** JSON text, for a face that hands it on. */
  readonly text: string;
  readonly truncated: boolean;
  /** An operation that is declared `multi` had no solution. */
  readonly empty: boolean;

  constructor(text: string, { truncated, empty }: Record<string, unknown>) {
    this.text = text;
    this.truncated = truncated === true;
    this.empty = empty === true;
  }

  /** The value of the text. */
  get result(): unknown {
    return readValue(this.text);
  }
}

export interface CallContext {
  client: string;
  signal?: AbortSignal;
}

export class OperationService {
  readonly #options: ServiceOptions;
  #version: Version;
  readonly #listeners = new Set<() => void>();

  private constructor(options: ServiceOptions, version: Version) {
    this.#options = options;
    this.#version = version;
  }

  /** Throws `FileNotLoaded` with all that is wrong in the file. */
  static async open(file: SourceFile, options: ServiceOptions): Promise<OperationService> {
    return new OperationService(options, await Version.load(file, options));
  }

  get set(): OperationSet {
    return this.#version.loaded.set;
  }

  /** The file as it was loaded. */
  get source(): SourceFile {
    return this.#version.source;
  }

  /** Tells when there are other operations, until the function that it returns is called. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get warnings(): Report[] {
    return this.#version.loaded.warnings;
  }

  /** Takes the file as it is now; when it does not load, throws and stays with the version before. */
  async reload(file: SourceFile): Promise<void> {
    const next = await Version.load(file, this.#options);
    this.#version.retire();
    this.#version = next;
    for (const listener of this.#listeners) listener();
  }

  async call({ name }: Operation, given: Given, context: CallContext): Promise<Answer> {
    const request = { op: "operate", name, ...given, limit: this.#options.max_solutions };
    return await this.#answer(request, context);
  }

  /** All rows of a collection. */
  async rows({ name }: Operation, given: Given, context: CallContext): Promise<Answer> {
    const request = { op: "rows", name, ...given, limit: this.#options.max_solutions };
    return await this.#answer(request, context);
  }

  /** The row of a collection with that key, or nothing. */
  async member(
    { name }: Operation,
    given: Given & { key: string[] },
    context: CallContext,
  ): Promise<Answer | undefined> {
    const { keys, attached } = await this.#ask({ op: "member", name, ...given }, context);
    return attached === undefined ? undefined : new Answer(attached, keys);
  }

  /** Keys of a collection that more than one row has: the first few, as JSON texts. */
  async repeatedKeys({ name }: Operation, context: CallContext): Promise<string[]> {
    const { keys } = await this.#ask({ op: "keys", name }, context);
    return keys.keys as string[];
  }

  /** The admissible values of an argument with a domain, at most so many. */
  async values(
    { name }: Operation,
    argument: string,
    { limit = limits.operation_solutions, ...context }: CallContext & { limit?: number },
  ): Promise<{ values: unknown[]; truncated: boolean }> {
    const request = { op: "values", name, argument, limit };
    const { keys } = await this.#ask(request, context);
    return keys as { values: unknown[]; truncated: boolean };
  }

  close(): void {
    this.#version.close();
  }

  async #answer(request: Record<string, unknown>, context: CallContext): Promise<Answer> {
    const { keys, attached } = await this.#ask(request, context);
    if (attached === undefined) throw bug("an operation without an answer");
    return new Answer(attached, keys);
  }

  async #ask(request: Record<string, unknown>, context: CallContext) {
    return await this.#version.ask(request, context);
  }
}

/** One state of the file. */
class Version {
  readonly source: SourceFile;
  readonly loaded: Loaded;
  readonly #options: ServiceOptions;
  readonly #pool: Pool;
  #first: Engine | undefined;
  #running = 0;
  #retired = false;

  private constructor(source: SourceFile, loaded: Loaded, options: ServiceOptions) {
    this.source = source;
    this.loaded = loaded;
    this.#options = options;
    this.#first = loaded.engine;
    this.#pool = new Pool({
      boot: () => this.#boot(),
      engines: loaded.set.changes_itself ? 1 : options.interpreters,
      eager: true,
    });
    this.#pool.warm();
  }

  static async load(file: SourceFile, options: ServiceOptions): Promise<Version> {
    return new Version(file, await loadOperations(file, options.assets), options);
  }

  async ask(
    request: Record<string, unknown>,
    { client, signal }: CallContext,
  ): Promise<ReturnType<typeof readAttached>> {
    const { deadline_ms } = this.#options;
    const inferences = Math.min(deadline_ms * limits.inferences_per_ms, limits.inferences_max);
    const complete = { memory: MEMORY, inferences, ...request };
    this.#running++;
    try {
      const reply = await this.#pool.run({
        client,
        deadline: performance.now() + deadline_ms,
        deadline_ms,
        signal,
        light: true,
        run: async (engine) => {
          try {
            return await engine.ask(complete);
          } catch (error) {
            throw error instanceof EngineLost && error.why === "died" ? engineLost() : error;
          }
        },
      });
      return readAttached(reply, "query");
    } finally {
      this.#running--;
      if (this.#retired && this.#running === 0) this.close();
    }
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

  async #boot(): Promise<Engine> {
    const first = this.#first;
    this.#first = undefined;
    return first ?? await boot(this.#options.assets, this.loaded.image);
  }
}
