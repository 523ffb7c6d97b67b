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
import { findTool, tools } from "../tools/registry.ts";
import type { Calls } from "./calls.ts";
import { callResult, listedTools } from "./tools.ts";

export interface ServerSettings {
  version: string;
  memories: Memories;
  calls: Calls;
  deadline_ms: number;
  /** Why no call can be served: there is no project. */
  problem?: ZpmError;
  /** The client has what it asks for at its start; the engine may be started. */
  onsettled?: () => void;
}

export function createServer(settings: ServerSettings): Server {
  const server = new Server({ name: "zpm", title: "zpm", version: settings.version }, {
    capabilities: { tools: { listChanged: true } },
    instructions,
    cacheHints: { "tools/list": listHint, "server/discover": listHint },
    jsonSchemaValidator: neverAsked,
  });
  server.oninitialized = () => settings.onsettled?.();
  server.setRequestHandler("tools/list", () => {
    settings.onsettled?.();
    return { tools: listedTools() };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq: { signal } }) => {
    const tool = findTool(params.name);
    if (!tool) throw unknownTool(params.name);
    if (settings.problem) return callResult(failure(settings.problem));
    const { memories, deadline_ms } = settings;
    return callResult(
      await settings.calls.run(
        tool.effect,
        signal,
        (signal) =>
          invoke(tool, params.arguments, memories, {
            by: tool.name,
            client: "stdio",
            deadline_ms,
            signal,
          }),
      ),
    );
  });
  return server;
}

/** Read by clients that load tools only when they need them: when to think of zpm at all. */
export const instructions =
  `zpm is a memory that reasons: facts and rules in Prolog, kept on disk for this project.

Use it when
- something should still be known in a later session: decisions, preferences, who owns what, what depends on what;
- an answer follows from several facts: reachability, inheritance, eligibility, consistency, counting;
- a conclusion has to be justified: explain_why gives the proof and where each fact came from.

How
- get_knowledge_schema first, to use the predicates that are already there.
- remember_fact for one fact, such as depends_on(api, database); define_rule for what follows from facts.
- query_logic to ask. Names start with a lowercase letter or are 'quoted', variables with a capital letter.
- forget_fact when something is no longer true.

An empty answer means no; errors, limits and unknown predicates are always said, never shown as no.`;

const listHint = { ttlMs: limits.list_ttl_ms, cacheScope: "public" } as const;

/** The SDK validates only what it elicits from a client, which zpm does not do. */
const neverAsked = {
  getValidator: () => {
    throw new Error("zpm elicits nothing");
  },
};

function unknownTool(name: string): ProtocolError {
  const nearest = closest(name, tools.map((tool) => tool.name));
  const hint = nearest ? `, perhaps "${nearest}" is meant` : "";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}${hint}`);
}
