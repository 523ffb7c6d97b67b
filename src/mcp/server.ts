/**
 * The MCP server of one connection, on the SDK's low-level handlers: the SDK speaks the protocol's eras, the
 * tools are ours (SPEC 1.1, 1.4).
 */
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { ZpmError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { closest } from "../base/text.ts";
import type { Memories } from "../memory/memory.ts";
import { failure, invoke } from "../tools/invoke.ts";
import type { Tool } from "../tools/tool.ts";
import type { Calls } from "./calls.ts";
import { instructionsFor } from "./instructions.ts";
import { callResult, listedTools } from "./tools.ts";

export interface ServerSettings {
  version: string;
  memories: Memories;
  /** Those that are offered; any other is unknown. */
  tools: readonly Tool[];
  calls: Calls;
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
    capabilities: { tools: { listChanged: true } },
    instructions: instructionsFor(settings.tools),
    cacheHints: { "tools/list": listHint, "server/discover": listHint },
    jsonSchemaValidator: neverAsked,
  });
  server.oninitialized = () => settings.onsettled?.();
  server.setRequestHandler("tools/list", () => {
    settings.onsettled?.();
    return { tools: listedTools(settings.tools) };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq: { signal } }) => {
    const tool = settings.tools.find(({ name }) => name === params.name);
    if (!tool) throw unknownTool(params.name, settings.tools);
    if (settings.problem) return callResult(failure(settings.problem));
    const { memories, deadline_ms } = settings;
    return callResult(
      await settings.calls.run(
        tool.effect,
        signal,
        (signal) =>
          invoke(tool, params.arguments, memories, {
            by: tool.name,
            client: settings.client,
            deadline_ms,
            signal,
          }),
      ),
    );
  });
  return server;
}

const listHint = { ttlMs: limits.list_ttl_ms, cacheScope: "public" } as const;

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
