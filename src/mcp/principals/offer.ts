/**
 * What a principal is offered: the verbs on its fork, and perhaps the tools as well, every call under custody
 * (SPEC 3.2, 3.3). What is only listed is the same for all and no call.
 */
import type { TextResourceContents } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Principal } from "../../authority/principal.ts";
import { ZpmError } from "../../base/errors.ts";
import { tokenNeeded } from "../../base/fork_errors.ts";
import { codeOf } from "../../custody/custody.ts";
import type { Memories } from "../../memory/memory.ts";
import { failure } from "../../tools/invoke.ts";
import { tools } from "../../tools/registry.ts";
import type { Verb } from "../../verbs/verb.ts";
import { verbFailure } from "../../verbs/verb.ts";
import { MemoryOffer } from "../memories/offer.ts";
import { memoryOf } from "../memories/resource_names.ts";
import { callResult } from "../memories/tools.ts";
import type { Asking, Change, Completion, Given, Offer, OfferedTool } from "../offer.ts";
import { instructionsForVerbs, listedVerbs } from "./listing.ts";
import { codeIn, received } from "./results.ts";
import type { PrincipalServer } from "./server.ts";

/** Who asks; undefined for a token that is none's. */
export type Who = (asking: Pick<Asking, "token">) => Promise<Principal | undefined>;

export class PrincipalOffer implements Offer {
  readonly #server: PrincipalServer;
  readonly #who: Who;
  readonly #fork_id: string | undefined;
  /** What there is of tools, resources and prompts besides the verbs; it is only listed, never called. */
  readonly #more: MemoryOffer | undefined;
  readonly capabilities;

  /** `fork_id` is the fork of all who ask, where it is known: its changes are told. */
  constructor(server: PrincipalServer, who: Who, fork_id?: string) {
    this.#server = server;
    this.#who = who;
    this.#fork_id = fork_id;
    this.#more = server.tools === "all" ? this.#over(nowhere) : undefined;
    this.capabilities = this.#more?.capabilities ?? { tools: {} };
  }

  identity() {
    return { name: "zpm", title: "zpm", version: this.#server.version };
  }

  instructions(): string {
    const own = instructionsForVerbs(this.#server.syntax);
    return this.#more ? `${own}\n\n${this.#more.instructions()}` : own;
  }

  async tools() {
    return [...listedVerbs(this.#server.syntax), ...await this.#more?.tools() ?? []];
  }

  async tool(name: string, caller: Pick<Asking, "token">): Promise<OfferedTool | undefined> {
    const verb = this.#server.verb(name);
    if (verb) {
      return {
        effect: verb.effect,
        call: (given, asking) => this.#verb(verb, given, asking),
      };
    }
    const tool = await this.#more?.tool(name);
    if (!tool) {
      const principal = await this.#who(caller);
      await this.#server.custody.denied({ reason: "unknown_tool", principal: principal?.name });
      return undefined;
    }
    return { effect: tool.effect, call: (given, asking) => this.#tool(name, given, asking) };
  }

  resources = (asking: Asking) => this.#reading({}, asking, (offer) => offer.resources(asking));

  resourceTemplates = () => this.#more?.resourceTemplates() ?? [];

  read(uri: string, asking: Asking): Promise<TextResourceContents> {
    return this.#reading({ uri }, asking, (offer) => offer.read(uri, asking));
  }

  prompts = () => this.#more?.prompts() ?? [];

  prompt(name: string, filled: Record<string, string>, asking: Asking) {
    return this.#reading({ name, filled }, asking, (offer) => offer.prompt(name, filled, asking));
  }

  complete(completion: Completion, asking: Asking) {
    return this.#reading(completion, asking, (offer) => offer.complete(completion, asking));
  }

  watch(listener: (change: Change) => void): () => void {
    if (!this.#more || this.#fork_id === undefined) return () => {};
    return this.#server.watch(this.#fork_id, (change) => {
      if (change === "mounts") listener({ list: "resources" });
      else if (change !== "files") listener({ subject: change.memory });
    });
  }

  subjectOf(uri: string): string | undefined {
    return memoryOf(uri);
  }

  async #verb(verb: Verb, { values }: Given, asking: Asking) {
    try {
      const principal = await this.#principal(asking);
      const { result, receipt } = await this.#server.runVerb(verb, values, { principal, asking });
      return received(callResult(result), receipt);
    } catch (error) {
      return callResult(verbFailure(error));
    }
  }

  async #tool(name: string, given: Given, asking: Asking) {
    try {
      const call = { principal: await this.#principal(asking), session: asking.client };
      const { result, receipt } = await this.#server.custody.run(
        { ...call, verb: name, args: given.values ?? {} },
        async (memories) => await (await this.#over(memories).tool(name))!.call(given, asking),
        (result) => ({ code: codeIn(result) }),
      );
      return received(result, receipt);
    } catch (error) {
      if (error instanceof ZpmError) return callResult(failure(error));
      throw error;
    }
  }

  /** Something that reads a memory without being a tool; its errors are those of the protocol. */
  async #reading<Result>(
    args: unknown,
    asking: Asking,
    work: (offer: MemoryOffer) => Promise<Result>,
  ): Promise<Result> {
    try {
      const call = { principal: await this.#principal(asking), session: asking.client };
      const { result } = await this.#server.custody.run(
        { ...call, verb: asking.by, args },
        (memories) => work(this.#over(memories)),
        () => ({}),
      );
      return result;
    } catch (error) {
      if (!(error instanceof ZpmError)) throw error;
      const why = `${error.message}; ${error.hint}`;
      throw new ProtocolError(ProtocolErrorCode.InternalError, why, { code: codeOf(error) });
    }
  }

  async #principal(asking: Asking): Promise<Principal> {
    const principal = await this.#who(asking);
    if (principal) return principal;
    await this.#server.custody.denied({ reason: "token" });
    throw tokenNeeded();
  }

  #over(memories: Memories): MemoryOffer {
    const { version, deadline_ms } = this.#server;
    return new MemoryOffer({ version, memories, tools, deadline_ms });
  }
}

const nowhere: Memories = { memory: () => Promise.reject(tokenNeeded()) };
