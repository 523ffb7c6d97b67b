/**
 * The memories of a project as an MCP server offers them (SPEC 1.4, 1.7). What is not a tool is loaded when it is
 * first asked for, so that a client's first questions are answered soon.
 */
import "../plain_schemas.ts";
import {
  ProtocolError,
  ProtocolErrorCode,
  type TextResourceContents,
} from "@modelcontextprotocol/server";
import type { ZpmError } from "../../base/errors.ts";
import type { CallContext, Memories } from "../../memory/memory.ts";
import { failure, invoke } from "../../tools/invoke.ts";
import type { Tool } from "../../tools/tool.ts";
import { completed } from "../completed.ts";
import type { Asking, Change, Completion, Given, Offer, OfferedTool } from "../offer.ts";
import { instructionsFor } from "./instructions.ts";
import { memoryOf } from "./resource_names.ts";
import { callResult, listedTools } from "./tools.ts";
import type { TypedTools } from "./typed_tools.ts";

export interface MemoryOfferOptions {
  version: string;
  memories: Memories;
  /** Those that are offered; any other is unknown. */
  tools: readonly Tool[];
  deadline_ms: number;
  /** Those of the project's own files, if they are offered. */
  typed?: TypedTools;
  /** Why no call can be served: there is no project. */
  problem?: ZpmError;
}

export class MemoryOffer implements Offer {
  readonly #options: MemoryOfferOptions;
  readonly capabilities: Offer["capabilities"];

  constructor(options: MemoryOfferOptions) {
    this.#options = options;
    this.capabilities = {
      // Those of zpm itself are always the same.
      tools: options.typed ? { listChanged: true } : {},
      resources: { subscribe: true, listChanged: true },
      prompts: {},
      completions: {},
    };
  }

  identity() {
    return { name: "zpm", title: "zpm", version: this.#options.version };
  }

  instructions(): string {
    const { tools, typed } = this.#options;
    return instructionsFor(tools, { writes: typed?.mayChange });
  }

  async tools() {
    const { tools, typed } = this.#options;
    const more = await typed?.listed() ?? [];
    return more.length === 0 ? listedTools(tools) : [...listedTools(tools), ...more];
  }

  async tool(name: string): Promise<OfferedTool | undefined> {
    const { tools, memories, problem } = this.#options;
    const tool = tools.find((tool) => tool.name === name);
    if (!tool) return await this.#typedTool(name);
    return {
      effect: tool.effect,
      call: async ({ values }: Given, asking: Asking) => {
        if (problem) return callResult(failure(problem));
        return callResult(await invoke(tool, values, memories, this.#context(asking)));
      },
    };
  }

  async #typedTool(name: string): Promise<OfferedTool | undefined> {
    const { typed } = this.#options;
    const operation = await typed?.find(name);
    if (!typed || !operation) return undefined;
    return {
      effect: operation.changing ? "write" : "read",
      call: (given, asking) => typed.call(operation, given, this.#context(asking)),
    };
  }

  async resources(asking: Asking) {
    if (this.#options.problem) return [];
    const { listResources } = await import("./resources.ts");
    return await listResources(this.#options.memories, this.#context(asking));
  }

  async resourceTemplates() {
    return (await import("./resources.ts")).resourceTemplates;
  }

  async read(uri: string, asking: Asking): Promise<TextResourceContents> {
    this.#requireProject();
    const { readResource } = await import("./resources.ts");
    return await readResource(uri, this.#options.memories, this.#context(asking));
  }

  async prompts() {
    return (await import("./prompts.ts")).prompts;
  }

  async prompt(name: string, filled: Record<string, string>, asking: Asking) {
    this.#requireProject();
    const { memories, tools } = this.#options;
    const { getPrompt } = await import("./prompts.ts");
    return await getPrompt(name, filled, { memories, tools, context: this.#context(asking) });
  }

  async complete({ ref, argument, filled }: Completion, asking: Asking) {
    this.#requireProject();
    const { memories, typed } = this.#options;
    const context = this.#context(asking);
    const of = ref.type === "ref/prompt" ? ref.name : undefined;
    if (typed && of !== undefined && await typed.find(of)) {
      return completed(await typed.candidates(of, argument.name, context), argument.value);
    }
    const { complete } = await import("./completions.ts");
    return await complete({ of, argument, given: filled }, memories, context);
  }

  watch(listener: (change: Change) => void): () => void {
    const { memories, typed } = this.#options;
    const unwatch = [
      memories.watch?.((change) => {
        if (change === "mounts") listener({ list: "resources" });
        else if (change !== "files") listener({ subject: change.memory });
      }),
      typed?.watch(() => listener({ list: "tools" })),
    ];
    return () => unwatch.forEach((stop) => stop?.());
  }

  subjectOf(uri: string): string | undefined {
    return memoryOf(uri);
  }

  #context({ by, client, signal, progress }: Asking): CallContext {
    return { by, client, signal, progress, deadline_ms: this.#options.deadline_ms };
  }

  #requireProject(): void {
    const { problem } = this.#options;
    if (!problem) return;
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${problem.message}; ${problem.hint}`);
  }
}
