/**
 * The MCP server of one connection, on the SDK's low-level handlers: the SDK speaks the protocol's eras, the
 * tools are ours (SPEC 1.1, 1.4). What is not a tool is loaded when it is first asked for.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ZpmError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { closest } from "../base/text.ts";
import type { CallContext, Memories } from "../memory/memory.ts";
import { failure, invoke } from "../tools/invoke.ts";
import type { Tool } from "../tools/tool.ts";
import type { Calls } from "./calls.ts";
import { instructionsFor } from "./instructions.ts";
import { progressOf } from "./progress.ts";
import { callResult, listedTools } from "./tools.ts";
import type { Watched } from "./watched.ts";

export interface ServerSettings {
  version: string;
  memories: Memories;
  /** Those that are offered; any other is unknown. */
  tools: readonly Tool[];
  calls: Calls;
  /** The resources that this connection wants to hear about. */
  watched: Watched;
  /** Who calls: requests of one client take turns with those of others. */
  client: string;
  deadline_ms: number;
  /** Why no call can be served: there is no project. */
  problem?: ZpmError;
  /** The client has what it asks for at its start; the engine may be started. */
  onsettled?: () => void;
}

export function createServer(settings: ServerSettings): Server {
  const server = new Server({ name: "zpm", title: "zpm", version: settings.version }, {
    capabilities: {
      tools: {},
      resources: { subscribe: true, listChanged: true },
      prompts: {},
      completions: {},
    },
    instructions: instructionsFor(settings.tools),
    cacheHints,
    jsonSchemaValidator: neverAsked,
  });
  server.oninitialized = () => settings.onsettled?.();
  offerTools(server, settings);
  offerResources(server, settings);
  offerPrompts(server, settings);
  return server;
}

function offerTools(server: Server, settings: ServerSettings): void {
  server.setRequestHandler("tools/list", () => {
    settings.onsettled?.();
    return { tools: listedTools(settings.tools) };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const tool = settings.tools.find(({ name }) => name === params.name);
    if (!tool) throw unknownTool(params.name, settings.tools);
    if (settings.problem) return callResult(failure(settings.problem));
    const progress = progressOf(mcpReq);
    return await settings.calls.run(tool.effect, mcpReq.signal, async (signal) => {
      const context = { ...contextOf(settings, tool.name, signal), progress };
      return callResult(await invoke(tool, params.arguments, settings.memories, context));
    });
  });
}

function offerResources(server: Server, settings: ServerSettings): void {
  const { memories, watched } = settings;
  const load = () => import("./resources.ts");
  server.setRequestHandler("resources/list", async (_, ctx) => {
    if (settings.problem) return { resources: [] };
    const { listResources } = await load();
    const resources = await reading(settings, ctx, (context) => listResources(memories, context));
    return { resources };
  });
  server.setRequestHandler("resources/templates/list", async () => {
    return { resourceTemplates: (await load()).resourceTemplates };
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }, ctx) => {
    const { readResource } = await load();
    const read = (context: CallContext) => readResource(uri, memories, context);
    return { contents: [await reading(settings, ctx, read)] };
  });
  const subscribed = new Set<string>();
  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
    if (subscribed.has(uri)) return {};
    if (subscribed.size >= limits.subscriptions) throw tooManySubscriptions();
    subscribed.add(uri);
    watched.add(uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    if (subscribed.delete(uri)) watched.remove(uri);
    return {};
  });
}

function offerPrompts(server: Server, settings: ServerSettings): void {
  const { memories, tools } = settings;
  const load = () => import("./prompts.ts");
  server.setRequestHandler("prompts/list", async () => ({ prompts: (await load()).prompts }));
  server.setRequestHandler("prompts/get", async ({ params }, ctx) => {
    const { getPrompt } = await load();
    const get = (context: CallContext) =>
      getPrompt(params.name, params.arguments ?? {}, { memories, tools, context });
    return await reading(settings, ctx, get);
  });
  server.setRequestHandler("completion/complete", async ({ params }, ctx) => {
    const { complete } = await import("./completions.ts");
    const { ref, argument, context: filled } = params;
    const of = ref.type === "ref/prompt" ? ref.name : undefined;
    const asked = { of, argument, given: filled?.arguments ?? {} };
    return await reading(settings, ctx, (context) => complete(asked, memories, context));
  });
}

/** Something that reads a memory without being a tool; its errors are those of the protocol. */
async function reading<Result>(
  settings: ServerSettings,
  { mcpReq }: ServerContext,
  work: (context: CallContext) => Promise<Result>,
): Promise<Result> {
  const { problem } = settings;
  if (problem) {
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${problem.message}; ${problem.hint}`);
  }
  return await settings.calls.run(
    "read",
    mcpReq.signal,
    (signal) => work(contextOf(settings, mcpReq.method, signal)),
  );
}

function contextOf(settings: ServerSettings, by: string, signal: AbortSignal): CallContext {
  const { client, deadline_ms } = settings;
  return { by, client, deadline_ms, signal };
}

const listHint = { ttlMs: limits.list_ttl_ms, cacheScope: "public" } as const;
/** What a memory holds may be different the next moment, and is nobody else's. */
const freshHint = { ttlMs: 0, cacheScope: "private" } as const;

const cacheHints = {
  "tools/list": listHint,
  "prompts/list": listHint,
  "resources/templates/list": listHint,
  "server/discover": listHint,
  "resources/list": freshHint,
  "resources/read": freshHint,
};

/** The SDK validates only what it elicits from a client, which zpm does not do. */
const neverAsked = {
  getValidator: () => {
    throw new Error("zpm elicits nothing");
  },
};

function unknownTool(name: string, tools: readonly Tool[]): ProtocolError {
  const nearest = closest(name, tools.map((tool) => tool.name));
  const hint = nearest ? `, perhaps "${nearest}" is meant` : "";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}${hint}`);
}

function tooManySubscriptions(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Cannot subscribe to more than ${limits.subscriptions} resources; unsubscribe from some first`,
  );
}
