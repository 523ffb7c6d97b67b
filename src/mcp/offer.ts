/**
 * What a server offers, whatever it is about. The server (`server.ts`) speaks the protocol and knows nothing of
 * memories or files; an offer answers and knows nothing of eras, sessions and subscriptions.
 */
import type {
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  Implementation,
  Prompt,
  Resource,
  ResourceTemplateType,
  ServerCapabilities,
  TextResourceContents,
  Tool as ListedTool,
} from "@modelcontextprotocol/server";

/** A list, or what some resources are about. */
export type Change = { list: ListName } | { subject: string };

export type ListName = "tools" | "resources" | "prompts";

/** Who asks. */
export interface Asking {
  /** The tool, or the method of the protocol. */
  by: string;
  /** Requests of one client take turns with those of others. */
  client: string;
  /** What the message shows in `_meta.token`: who asks, where a connection can be several. */
  token?: string;
  /** Aborted when the client no longer wants the answer, or the server ends. */
  signal: AbortSignal;
  /** What to call with the number of answers found so far, when the client wants to hear it. */
  progress?: (found: number) => void;
}

/** The arguments of a call. */
export interface Given {
  /** As they were parsed: numbers are rounded to what a float holds. */
  values: unknown;
  /** The JSON text that was sent, digit by digit; absent when there were none. */
  text?: string;
}

export interface OfferedTool {
  /** A write is awaited when its client has gone, and at the end: only it knows whether it is on disk. */
  effect: "read" | "write";
  call(given: Given, asking: Asking): Promise<CallToolResult>;
}

export interface Completion {
  ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };
  argument: { name: string; value: string };
  /** What was filled in already. */
  filled: Record<string, string>;
}

type Maybe<Value> = Value | Promise<Value>;

/** Errors that are thrown here are those of the protocol. */
export interface Offer {
  identity(): Implementation;
  /** What a model reads before anything else: when to use this server, and how. */
  instructions(): string;
  capabilities: ServerCapabilities;
  tools(): Maybe<ListedTool[]>;
  /** Undefined for a name that is not offered; `caller` asked for it. */
  tool(name: string, caller: Pick<Asking, "token">): Maybe<OfferedTool | undefined>;
  resources(asking: Asking): Promise<Resource[]>;
  resourceTemplates(): Maybe<ResourceTemplateType[]>;
  read(uri: string, asking: Asking): Promise<TextResourceContents>;
  prompts(): Maybe<Prompt[]>;
  prompt(name: string, filled: Record<string, string>, asking: Asking): Promise<GetPromptResult>;
  complete(completion: Completion, asking: Asking): Promise<CompleteResult>;
  /** Tells of every change until the function that it returns is called. */
  watch(listener: (change: Change) => void): () => void;
  /** What a resource is about: it has changed when its subject has. Undefined for one that is none. */
  subjectOf(uri: string): string | undefined;
}
