import { ZpmError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Memories } from "../../memory/memory.ts";
import { denoFileSystem } from "../../store/file_system.ts";
import { hasSources } from "../../store/kb.ts";
import { selectTools } from "../../tools/selection.ts";
import type { Command, CommandCall } from "../command.ts";
import {
  checkSelection,
  type HttpSettings,
  httpSettings,
  selectionOf,
  serveOptions,
} from "../serve_options.ts";
import { locate, makeSession, type Session } from "../session.ts";
import { version } from "../version.ts";

export const serve: Command = {
  name: "serve",
  summary: "Serve the tools over MCP, on standard input and output or over HTTP.",
  description:
    "Serves the tools to an MCP client over standard input and output, until its input ends. Without a " +
    "project it still answers the handshake and the list of tools, and each call with the reason. With " +
    "--http it serves any number of clients of this machine at http://HOST:PORT/mcp, until SIGTERM; each " +
    "must send the bearer token. Predicates of kb/*.pl with a mode line (%!) are tools as well. SIGHUP reads the files " +
    "of kb again at once. With --config it serves the principals " +
    "of that file, each of whom has a token of its own and writes to a fork over what the project knows; then another " +
    "--host may be named, and SIGHUP reads the file again.",
  positionals: [],
  usage: "",
  options: serveOptions,
  examples: [
    { line: "zpm serve" },
    { line: "zpm serve --project ~/work/shop" },
    { line: "zpm serve --read-only --exclude-tools echo" },
    { line: "zpm serve --http --port 3000" },
    { line: "zpm serve --config server.json --port 3000" },
  ],
  async run(call) {
    const config = call.sorted.options.get("config");
    if (config !== undefined) {
      const { servePrincipals } = await import("../principal_server.ts");
      return await servePrincipals(call, String(config));
    }
    const http = httpSettings(call.sorted, call.io);
    return http ? await overHttp(call, http) : await overStdio(call);
  },
};

async function overStdio(call: CommandCall): Promise<number> {
  const session = sessionOrReason(call);
  checkChoice(call, session);
  if (session instanceof ZpmError) call.io.err(`zpm: ${session.message}\n${session.hint}`);
  const stop = call.io.stopSignal();
  if (!(session instanceof ZpmError)) call.io.onReloadSignal(session.reload);
  // Loaded after the reason is told: the SDK takes longer than everything before it.
  const [mcp, makeOffer] = await Promise.all([import("../../mcp/serve.ts"), offering()]);
  await mcp.serve({
    offer: makeOffer(call, session),
    onsettled: session instanceof ZpmError ? undefined : soon(session.begin),
    input: call.io.input(),
    output: call.io.output,
    stop,
    log: (text) => call.log("debug", text),
  });
  if (session instanceof ZpmError) return 1;
  await session.close();
  return 0;
}

async function overHttp(
  call: CommandCall,
  { hostname, port, token: given }: HttpSettings,
): Promise<number> {
  const { io, log } = call;
  const session = sessionOf(call);
  checkChoice(call, session);
  const stop = io.stopSignal();
  io.onReloadSignal(session.reload);
  const [mcp, makeOffer] = await Promise.all([import("../../mcp/serve_http.ts"), offering()]);
  const token = given ?? mcp.makeToken();
  await mcp.serveOffer({
    offer: makeOffer(call, session),
    hostname,
    port,
    token,
    stop,
    log: (text) => log("debug", text),
    onlistening(address) {
      io.err(`zpm: serving MCP at ${address}`);
      if (!given) io.err(`zpm: bearer token ${token}`);
      // Only now, for what opens them gives the permission to listen away.
      session.begin();
    },
  });
  await session.close();
  return 0;
}

/** What is offered, with the documented predicates of the project's own files. */
async function offering() {
  const [{ MemoryOffer }, { TypedTools }] = await Promise.all([
    import("../../mcp/memories/offer.ts"),
    import("../../mcp/memories/typed_tools.ts"),
  ]);
  return ({ sorted, io, log, settings }: CommandCall, session: Session | ZpmError) => {
    const selection = selectionOf(sorted, io);
    const { deadline_ms } = settings;
    const offered = { version, tools: selectTools(selection), deadline_ms };
    if (session instanceof ZpmError) {
      return new MemoryOffer({ ...offered, problem: session, memories: nothing(session) });
    }
    const { memories } = session;
    const present = hasKnowledge(session);
    const typed = new TypedTools({ memories, selection, present, deadline_ms, log });
    return new MemoryOffer({ ...offered, memories, typed });
  };
}

function hasKnowledge(session: Session | ZpmError): boolean {
  return !(session instanceof ZpmError) && hasSources(denoFileSystem, session.project.folder);
}

function checkChoice({ sorted, io }: CommandCall, session: Session | ZpmError): void {
  if (!hasKnowledge(session)) checkSelection(sorted, io);
}

function sessionOf({ settings, io, log, open }: CommandCall): Session {
  const project = locate(settings, io);
  return makeSession({ project, engines: settings.engines, longLived: true, log }, open);
}

/** A client that starts a server shows what the server answers, and not why it ended. */
function sessionOrReason(call: CommandCall): Session | ZpmError {
  try {
    return sessionOf(call);
  } catch (error) {
    if (error instanceof ZpmError) return error;
    throw error;
  }
}

/** The engine starts when the client has asked its first questions, for starting one holds up the answers. */
function soon(begin: () => void): () => void {
  let settled = false;
  return () => {
    if (!settled) setTimeout(begin, limits.settle_ms);
    settled = true;
  };
}

function nothing(problem: ZpmError): Memories {
  return { memory: () => Promise.reject(problem) };
}
