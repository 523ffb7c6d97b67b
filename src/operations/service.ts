/**
 * The operations of a file, answered by engines that have it.
 *
 * A file that is read again becomes a new version with engines of its own; calls that run go on with the version
 * they began with, and its engines end with the last of them.
 *
 * With a keeper, operations change the file. Changes and readings of the file come one after the other: each change is
 * planned on what is on the disk, and a file that somebody else edited meanwhile is read again first.
 */
import { bug, cancelled, stopped, ZpmError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import {
  editedFileNotLoaded,
  operationGone,
  persistenceRequired,
  persistFailed,
} from "../base/operation_errors.ts";
import type { Assets } from "../engine/assets.ts";
import { type Signal, signalOf } from "../engine/pool.ts";
import { readValue } from "../engine/reply.ts";
import type { Report } from "../memory/files.ts";
import type { SourceFile } from "./load.ts";
import type { Operation, OperationSet } from "./operation.ts";
import { type Attached, EditedMeanwhile, NotWritten, Version } from "./version.ts";

/** Who has the file and changes it (`store/source_client.ts`). */
export interface Keeper {
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** False, and nothing is done, when the file has not that SHA-256 any more. On the disk when it settles. */
  replace(bytes: Uint8Array, expected: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  assets: Assets;
  /** Engines that answer at the same time, where the file allows it. */
  interpreters: number;
  deadline_ms: number;
  /** Solutions of one call; 0: all. */
  max_solutions: number;
  /** Operations that change something are offered. */
  persist?: boolean;
  /** Saves what they change; without one, they are told of and not made. */
  keeper?: Keeper;
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
  signal?: Signal;
}

/** What is no longer as it was: which operations there are, or only facts. */
export type Changed = "operations" | "facts";

export class OperationService {
  readonly #options: ServiceOptions;
  #version: Version;
  readonly #listeners = new Set<(what: Changed) => void>();
  /** Settles when the last change, or reading of the file, that was asked for is done. */
  #turn: Promise<unknown> = Promise.resolve();

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

  /** Whether operations that change something are offered. */
  get persists(): boolean {
    return this.#options.persist === true;
  }

  /** The operations that are offered: what changes something is withheld where that is not saved. */
  get offered(): Operation[] {
    return this.set.operations.filter(({ changing }) => this.persists || !changing);
  }

  /** The methods that the members of a collection take. */
  memberMethods({ collection }: Operation): string[] {
    return this.persists && collection?.dynamic ? ["GET", "PUT", "DELETE"] : ["GET"];
  }

  /** The file as it is served: as it was loaded, with the changes since. */
  get source(): SourceFile {
    return this.#version.source;
  }

  /** Tells what has changed, until the function that it returns is called. */
  watch(listener: (what: Changed) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get warnings(): Report[] {
    return this.#version.loaded.warnings;
  }

  /** Takes the file as it is now; when it does not load, throws and stays with the version before. */
  async reload(file: SourceFile): Promise<void> {
    await this.#inTurn(async () => this.#take(await Version.load(file, this.#options)));
  }

  /** The same for bytes that are read when no change is under way: by the keeper, where there is one. */
  async reread(read: () => Promise<Uint8Array<ArrayBuffer>>): Promise<void> {
    const { keeper } = this.#options;
    await this.#inTurn(async () => await this.#load(await (keeper ? keeper.read() : read())));
  }

  /** Calls an operation; one that changes something is answered when that is on the disk. */
  async call({ name, changing }: Operation, given: Given, context: CallContext): Promise<Answer> {
    const request = { name, ...given, limit: this.#options.max_solutions };
    if (!changing) return await this.#answer({ op: "operate", ...request }, context);
    return answerOf(await this.#change({ op: "change", ...request }, name, context));
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

  /** Puts a row to its place: a new one behind the others, or instead of the one that has its key. */
  async put(
    { name, collection }: Operation,
    given: Given & { key: string[] },
    context: CallContext,
  ): Promise<{ answer: Answer; created: boolean }> {
    const what = `PUT /${collection?.name}/...`;
    const attached = await this.#change({ op: "put_row", name, ...given }, what, context);
    return { answer: answerOf(attached), created: attached.keys.created === true };
  }

  /** Removes the row of a collection with that key; false when there is none. */
  async remove(
    { name, collection }: Operation,
    given: Given & { key: string[] },
    context: CallContext,
  ): Promise<boolean> {
    const what = `DELETE /${collection?.name}/...`;
    const { keys } = await this.#change({ op: "delete_row", name, ...given }, what, context);
    return keys.found === true;
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

  async close(): Promise<void> {
    this.#version.close();
    await this.#options.keeper?.close();
  }

  async #answer(request: Record<string, unknown>, context: CallContext): Promise<Answer> {
    return answerOf(await this.#ask(request, context));
  }

  async #ask(request: Record<string, unknown>, context: CallContext): Promise<Attached> {
    return await this.#version.ask(request, context);
  }

  async #change(request: Asked, what: string, context: CallContext): Promise<Attached> {
    const { keeper, deadline_ms } = this.#options;
    if (!keeper) throw persistenceRequired(what);
    const deadline = performance.now() + deadline_ms;
    return await this.#inTurn(async () => {
      if (signalOf(context.signal)?.aborted) throw cancelled();
      for (let edits = 0; edits <= limits.edits_meanwhile; edits++) {
        if (performance.now() >= deadline) throw stopped(`time ${deadline_ms} ms`);
        try {
          const attached = await this.#version.change(request, keeper, { ...context, deadline });
          if (attached.keys.changes === true) this.#tell("facts");
          return attached;
        } catch (error) {
          if (error instanceof NotWritten) await this.#lookAgain(keeper);
          if (error instanceof NotWritten) throw error.cause;
          if (!(error instanceof EditedMeanwhile)) throw error;
        }
        await this.#takeEdited(keeper, request.name);
      }
      throw persistFailed(this.source.name, "the file is edited faster than it can be read");
    });
  }

  /** Somebody else wrote the file: it is read, and the operation must still be there. */
  async #takeEdited(keeper: Keeper, operation: string): Promise<void> {
    const bytes = await keeper.read();
    try {
      await this.#load(bytes);
    } catch (error) {
      throw error instanceof ZpmError ? editedFileNotLoaded(this.source.name, error) : error;
    }
    if (!this.set.operations.some(({ name }) => name === operation)) throw operationGone(operation);
  }

  /** After a write that failed, what is served is what is there; what does not load is not. */
  async #lookAgain(keeper: Keeper): Promise<void> {
    try {
      await this.#load(await keeper.read());
    } catch {
      return; // the version before, in which nothing was changed
    }
  }

  async #load(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#take(await Version.load({ name: this.source.name, bytes }, this.#options));
  }

  #take(next: Version): void {
    this.#version.retire();
    this.#version = next;
    this.#tell("operations");
  }

  #tell(what: Changed): void {
    for (const listener of this.#listeners) listener(what);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return await done;
  }
}

/** A request for a change. */
type Asked = Record<string, unknown> & { name: string };

function answerOf({ keys, attached }: Attached): Answer {
  if (attached === undefined) throw bug("an operation without an answer");
  return new Answer(attached, keys);
}
