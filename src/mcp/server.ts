/**
 * The MCP server of one connection, on the SDK's low-level handlers: the SDK speaks the protocol's eras, what is
 * offered answers (`offer.ts`). Here are the rules for every offer: which call runs, who is told, what may be cached.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { limits } from "../base/limits.ts";
import { closest } from "../base/text.ts";
import type { Calls } from "./calls.ts";
import { textOfArguments } from "./exact.ts";
import type { Asking, Completion, Offer } from "./offer.ts";
import { progressOf } from "./progress.ts";
import { tokenIn } from "./transport.ts";
import type { Watched } from "./watched.ts";

export interface ServerSettings {
  offer: Offer;
  calls: Calls;
  /** The resources that this connection wants to hear about. */
  watched: Watched;
  /** Who calls: requests of one client take turns with those of others. */
  client: string;
  /** The client has what it asks for at its start; the engine may be started. */
  onsettled?: () => void;
}

export function createServer(settings: ServerSettings): Server {
  const { offer } = settings;
  const server = new Server(offer.identity(), {
    capabilities: offer.capabilities,
    instructions: offer.instructions(),
    cacheHints,
    jsonSchemaValidator: neverAsked,
  });
  server.oninitialized = () => settings.onsettled?.();
  offerTools(server, settings);
  if (offer.capabilities.resources) offerResources(server, settings);
  if (offer.capabilities.prompts) offerPrompts(server, settings);
  return server;
}

function offerTools(server: Server, settings: ServerSettings): void {
  const { offer, calls } = settings;
  server.setRequestHandler("tools/list", async () => {
    settings.onsettled?.();
    return { tools: await offer.tools() };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const token = tokenIn(mcpReq._meta);
    const tool = await offer.tool(params.name, { token });
    if (!tool) throw await unknownTool(params.name, offer);
    const given = { values: params.arguments, text: textOfArguments(mcpReq._meta) };
    const progress = progressOf(mcpReq);
    return await calls.run(tool.effect, mcpReq.signal, async (signal) => {
      const asking = { by: params.name, client: settings.client, token, signal, progress };
      return await tool.call(given, asking);
    });
  });
}

function offerResources(server: Server, settings: ServerSettings): void {
  const { offer, watched } = settings;
  server.setRequestHandler("resources/list", async (_, ctx) => {
    return { resources: await reading(settings, ctx, (asking) => offer.resources(asking)) };
  });
  server.setRequestHandler("resources/templates/list", async () => {
    return { resourceTemplates: await offer.resourceTemplates() };
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }, ctx) => {
    return { contents: [await reading(settings, ctx, (asking) => offer.read(uri, asking))] };
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
  const { offer } = settings;
  server.setRequestHandler("prompts/list", async () => ({ prompts: await offer.prompts() }));
  server.setRequestHandler("prompts/get", async ({ params }, ctx) => {
    const filled = params.arguments ?? {};
    return await reading(settings, ctx, (asking) => offer.prompt(params.name, filled, asking));
  });
  server.setRequestHandler("completion/complete", async ({ params }, ctx) => {
    const { ref, argument, context } = params;
    const completion = { ref, argument, filled: context?.arguments ?? {} } as Completion;
    return await reading(settings, ctx, (asking) => offer.complete(completion, asking));
  });
}

/** Something that reads without being a tool; its errors are those of the protocol. */
async function reading<Result>(
  { calls, client }: ServerSettings,
  { mcpReq }: ServerContext,
  work: (asking: Asking) => Promise<Result>,
): Promise<Result> {
  return await calls.run(
    "read",
    mcpReq.signal,
    (signal) => work({ by: mcpReq.method, client, token: tokenIn(mcpReq._meta), signal }),
  );
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

async function unknownTool(name: string, offer: Offer): Promise<ProtocolError> {
  const nearest = closest(name, (await offer.tools()).map((tool) => tool.name));
  const hint = nearest ? `, perhaps "${nearest}" is meant` : "";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}${hint}`);
}

function tooManySubscriptions(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Cannot subscribe to more than ${limits.subscriptions} resources; unsubscribe from some first`,
  );
}
