/**
 * A documented file as an MCP server offers it (SPEC 2.3): operations are tools, collections are resources.
 *
 * Arguments reach Prolog as the text that was sent, and its declared types are the only judge of them.
 */
import "../plain_schemas.ts";
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool as ListedTool,
} from "@modelcontextprotocol/server";
import { bug, ZpmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { problemBodyOf } from "../../base/operation_errors.ts";
import { fixedValues } from "../../operations/openapi.ts";
import type { Operation, OperationSet } from "../../operations/operation.ts";
import type { OperationService } from "../../operations/service.ts";
import type { Asking, Change, Completion, Given, Offer, OfferedTool } from "../offer.ts";
import { complete } from "./completions.ts";
import { getPrompt, prompts } from "./prompts.ts";
import { isResource, listedResources, listedTemplates, readResource } from "./resources.ts";
import {
  answered,
  bodyOf,
  failed,
  isTool,
  listedTool,
  toolOperations,
} from "../operation_tools.ts";

/** Clients cut instructions there. */
const INSTRUCTIONS_MAX = 2_000;

const HOW =
  "Each tool answers {result, truncated} by the rules of a knowledge base in Prolog, which " +
  "is at charon://source; its collections are resources. An empty answer means that nothing holds.";

export interface FileOfferOptions {
  version: string;
  service: OperationService;
  log: Log;
}

export class FileOffer implements Offer {
  readonly #options: FileOfferOptions;
  readonly #service: OperationService;
  /** The tools of a version of the file, with the values of its domains. */
  readonly #listed = new WeakMap<OperationSet, Promise<ListedTool[]>>();
  readonly capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: {},
    completions: {},
  };

  constructor(options: FileOfferOptions) {
    this.#options = options;
    this.#service = options.service;
  }

  /** The module's comment says who this is; without one it is the file. */
  identity() {
    const { set, source } = this.#service;
    const name = set.title || source.name;
    return { name, title: name, version: this.#options.version };
  }

  instructions(): string {
    const { description } = this.#service.set;
    const room = INSTRUCTIONS_MAX - HOW.length;
    const said = description.length <= room ? description : `${description.slice(0, room - 3)}...`;
    return [said, HOW].filter((part) => part !== "").join("\n\n");
  }

  async tools(): Promise<ListedTool[]> {
    const { set } = this.#service;
    const listed = this.#listed.get(set) ?? this.#list();
    this.#listed.set(set, listed);
    return await listed;
  }

  /** One that is withheld is not listed; whoever calls it hears why. */
  tool(name: string): OfferedTool | undefined {
    const operation = this.#service.set.operations.find((one) => one.name === name);
    if (!operation || !isTool(operation)) return undefined;
    const effect = operation.changing ? "write" : "read";
    return { effect, call: (given, asking) => this.#call(operation, given, asking) };
  }

  resources() {
    return Promise.resolve(listedResources(this.#service));
  }

  resourceTemplates() {
    return listedTemplates(this.#service);
  }

  async read(uri: string, asking: Asking) {
    return await worded(() => readResource(uri, this.#service, asking));
  }

  prompts() {
    return prompts;
  }

  prompt(name: string) {
    return Promise.resolve(getPrompt(name, this.#service));
  }

  async complete(completion: Completion, asking: Asking) {
    return await worded(() => complete(completion, this.#service, asking));
  }

  watch(listener: (change: Change) => void): () => void {
    return this.#service.watch((what) => {
      if (what === "operations") {
        listener({ list: "tools" });
        listener({ list: "resources" });
      }
      listener({ subject: "file" });
    });
  }

  subjectOf(uri: string): string | undefined {
    return isResource(uri) ? "file" : undefined;
  }

  async #list(): Promise<ListedTool[]> {
    return await Promise.all(
      toolOperations(this.#service).map(async (operation) =>
        listedTool(operation, await fixedValues(operation, this.#service))
      ),
    );
  }

  async #call(operation: Operation, given: Given, asking: Asking): Promise<CallToolResult> {
    const { client, signal } = asking;
    try {
      const sent = { query: [], body: bodyOf(given) };
      const answer = await this.#service.call(operation, sent, { client, signal });
      if (answer.empty) {
        this.#options.log("warn", `${operation.name} is declared multi and had no solution`);
      }
      return answered(answer);
    } catch (error) {
      // Who ends the server says why.
      if (signal.reason instanceof ZpmError) return failed(signal.reason);
      return failed(error instanceof ZpmError ? error : bug(String(error), error));
    }
  }
}

/** Resources and completions have no failed results: the problem goes with the protocol's error. */
async function worded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ZpmError)) throw error;
    const problem = problemBodyOf(error);
    const code = problem.status < 500
      ? ProtocolErrorCode.InvalidParams
      : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, problem.detail, problem);
  }
}
