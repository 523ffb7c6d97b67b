/**
 * The documented predicates of a project's own files as tools (SPEC 2.3). Which there are only an engine that has
 * the files can tell: so nobody waits for one where there are no files, and not for ever where there are.
 */
import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import { bug, ZpmError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import { within } from "../../base/waiting.ts";
import { readValue } from "../../engine/reply.ts";
import type { CallContext, Memories, Reply } from "../../memory/memory.ts";
import { inputs, type Operation } from "../../operations/operation.ts";
import { findTool } from "../../tools/registry.ts";
import { isSelected, type Selection } from "../../tools/selection.ts";
import { type Candidates, NO_CANDIDATES } from "../completed.ts";
import type { Given } from "../offer.ts";
import { answered, bodyOf, failed, isTool, listedTool } from "../operation_tools.ts";

export interface TypedToolsOptions {
  memories: Memories;
  selection: Selection;
  /** Whether there are files at the start; later ones are told by the memories. */
  present: boolean;
  deadline_ms: number;
  /** How long a list waits for them. */
  patience_ms?: number;
  log: Log;
}

interface Documented {
  operations: Operation[];
  /** Mode lines that are not followed. */
  skipped: { file: string; line: number; mode: string; why: string }[];
}

type Called = Reply<{ attached: string; truncated?: boolean; empty?: boolean; commit?: number }>;

/** What an answer may have beside its result. */
const MORE = {
  warnings: {
    type: "array",
    items: { type: "string" },
    description: "What to know about this result",
  },
};
const COMMIT = { type: "integer", description: "The commit that holds the change" };

export class TypedTools {
  readonly #options: TypedToolsOptions;
  readonly #listeners = new Set<() => void>();
  #present: boolean;
  #known: Promise<Operation[]> | undefined;

  constructor(options: TypedToolsOptions) {
    this.#options = options;
    this.#present = options.present;
    options.memories.watch?.((change) => {
      if (change !== "files") return;
      this.#present = true;
      this.#known = undefined;
      this.#tell();
    });
  }

  /** Whether one of them may change the memory, as far as anybody knows before they are listed. */
  get mayChange(): boolean {
    return this.#present && !this.#options.selection.readOnly;
  }

  /** Tells when the list is another one, until the function that it returns is called. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Those that are known soon. When it takes longer, the list is told to have changed. */
  async listed(): Promise<ListedTool[]> {
    const known = this.#operations();
    const soon = await within(this.#options.patience_ms ?? limits.listed_tools_ms, known);
    if (!soon) known.then((late) => late.length > 0 && this.#tell());
    return (soon ?? []).map((operation) =>
      listedTool(operation, new Map(), operation.changing ? { commit: COMMIT, ...MORE } : MORE)
    );
  }

  async find(name: string): Promise<Operation | undefined> {
    return (await this.#operations()).find((operation) => operation.name === name);
  }

  /** The file is never written: what changes is a commit to the journal, as that of any other tool. */
  async call(
    { name, changing }: Operation,
    given: Given,
    context: CallContext,
  ): Promise<CallToolResult> {
    const { memories, log } = this.#options;
    try {
      const memory = await memories.memory("default", context);
      const body = bodyOf(given);
      const request = { name, query: [], body, limit: limits.operation_solutions };
      const reply = changing
        ? await memory.commit<Called>({ op: "documented_change", ...request })
        : await memory.ask<Called>({ op: "documented_call", ...request });
      const { attached: text, truncated = false, empty, commit, warnings } = reply;
      if (empty) log("warn", `${name} is declared multi and had no solution`);
      const answer = { text, result: readValue(text), truncated };
      return answered(answer, { ...(commit && { commit }), ...(warnings && { warnings }) });
    } catch (error) {
      const { reason } = context.signal ?? {};
      // Who ends the server says why.
      if (reason instanceof ZpmError) return failed(reason);
      return failed(error instanceof ZpmError ? error : bug(String(error), error));
    }
  }

  /** The values of an argument with a domain; nothing for any other. */
  async candidates(name: string, argument: string, context: CallContext): Promise<Candidates> {
    const operation = await this.find(name);
    const about = operation && inputs(operation).find((one) => one.name === argument);
    if (!about?.domain) return NO_CANDIDATES;
    const memory = await this.#options.memories.memory("default", context);
    const limit = limits.completed_values;
    return await memory.ask<Candidates>({ op: "documented_values", name, argument, limit });
  }

  async #operations(): Promise<Operation[]> {
    if (!this.#present) return [];
    return await (this.#known ??= this.#ask());
  }

  /** Never fails: without an engine every other tool says what is wrong. */
  async #ask(): Promise<Operation[]> {
    const { memories, deadline_ms, log } = this.#options;
    try {
      const context = { by: "tools/list", client: "tools/list", deadline_ms };
      const memory = await memories.memory("default", context);
      const reply = await memory.ask<Documented>({ op: "documented" });
      // Bounds of types are numbers again, and not their texts.
      const { operations, skipped }: Documented = JSON.parse(JSON.stringify(reply));
      for (const { file, line, mode, why } of skipped) {
        log("info", `${file}:${line}: ${mode}: no tool: ${why}`);
      }
      this.#tellUnknown(operations);
      // A memory has no resources for collections: a table is called as everything else is.
      return operations.map((operation) => ({ ...operation, collection: undefined }))
        .filter((operation) => this.#isOffered(operation));
    } catch (error) {
      log("warn", `The documented predicates of kb are not offered: ${error}`);
      // Whoever asks next may be luckier.
      this.#known = undefined;
      return [];
    }
  }

  #isOffered(operation: Operation): boolean {
    const { selection, log } = this.#options;
    const { name, changing } = operation;
    if (!isTool(operation)) return false;
    if (findTool(name)) {
      log("warn", `${name} of kb is not offered: a tool of zpm has that name`);
      return false;
    }
    return isSelected(selection, { name: plain(name), effect: changing ? "write" : "read" });
  }

  /** Names that the operator chose and that no tool has: only now it is known. */
  #tellUnknown(operations: Operation[]): void {
    const { selection: { only = [], without }, log } = this.#options;
    const known = operations.map(({ name }) => plain(name));
    for (const name of [...only, ...without]) {
      if (findTool(name) || known.includes(name)) continue;
      log(
        "warn",
        `No tool has the name ${JSON.stringify(name)} that --tools or --exclude-tools says`,
      );
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** As the names of tools are read on the command line. */
function plain(name: string): string {
  return name.replaceAll("-", "_");
}
