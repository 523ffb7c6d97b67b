/** What all principals of a server share, whatever way their calls come. */
import type { Authority } from "../../authority/authority.ts";
import type { Handles } from "../../authority/handles.ts";
import type { Principal } from "../../authority/principal.ts";
import type { Answered, Custody } from "../../custody/custody.ts";
import type { CallContext, Change, Memories } from "../../memory/memory.ts";
import type { ToolResult } from "../../tools/invoke.ts";
import { verbs } from "../../verbs/registry.ts";
import {
  invokeVerb,
  type Syntax,
  type Verb,
  type VerbCall,
  verbFailure,
} from "../../verbs/verb.ts";
import type { Asking } from "../offer.ts";
import { judgeVerb } from "./results.ts";

export interface PrincipalServerOptions {
  version: string;
  authority: Authority;
  custody: Custody;
  handles: Handles;
  syntax: Syntax;
  base_context: string;
  tools: "verbs" | "all";
  deadline_ms: number;
  watch(fork_id: string, listener: (change: Change) => void): () => void;
}

/** Who calls, and how. */
export interface Caller {
  principal: Principal;
  asking: Asking;
}

export class PrincipalServer {
  readonly #options: PrincipalServerOptions;
  readonly version: string;
  readonly authority: Authority;
  readonly custody: Custody;
  readonly syntax: Syntax;
  readonly tools: "verbs" | "all";
  readonly deadline_ms: number;

  constructor(options: PrincipalServerOptions) {
    this.#options = options;
    this.version = options.version;
    this.authority = options.authority;
    this.custody = options.custody;
    this.syntax = options.syntax;
    this.tools = options.tools;
    this.deadline_ms = options.deadline_ms;
  }

  /** Tells of every change in a fork until the function that it returns is called. */
  watch(fork_id: string, listener: (change: Change) => void): () => void {
    return this.#options.watch(fork_id, listener);
  }

  verb(name: string): Verb | undefined {
    return verbs.find((verb) => verb.name === name);
  }

  async runVerb(verb: Verb, values: unknown, caller: Caller): Promise<Answered<ToolResult>> {
    const args = values ?? {};
    return await this.#options.custody.run(
      this.#callOf(caller, verb.name, args),
      async (memories) => {
        const call = await this.verbCall(memories, caller).catch((error) => error);
        return call instanceof Error ? verbFailure(call) : await invokeVerb(verb, args, call);
      },
      (result) => judgeVerb(verb.effect, result),
    );
  }

  #callOf({ principal, asking }: Caller, verb: string, args: unknown) {
    return { principal, session: asking.client, verb, args };
  }

  /** What a verb is run with. */
  async verbCall(memories: Memories, { principal, asking }: Caller): Promise<VerbCall> {
    const { handles, syntax, base_context } = this.#options;
    return {
      memory: await memories.memory("default", this.#context(principal, asking)),
      handles,
      principal: principal.name,
      at: new Date().toISOString(),
      syntax,
      base_context,
    };
  }

  /** Those who share a fork take turns in it. */
  #context({ name }: Principal, { by, client, signal, progress }: Asking): CallContext {
    const { deadline_ms } = this;
    return { by, client: `${name} ${client}`, signal, progress, deadline_ms };
  }
}
