import { ZpmError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Memories } from "../../memory/memory.ts";
import type { Command, CommandCall } from "../command.ts";
import { serveOptions, toolsOffered } from "../serve_options.ts";
import { locate, makeSession, type Session } from "../session.ts";
import { version } from "../version.ts";

export const serve: Command = {
  name: "serve",
  summary: "Serve the tools over MCP on standard input and output.",
  description:
    "Serves the tools to an MCP client over standard input and output, until its input ends. Without a " +
    "project it still answers the handshake and the list of tools, and each call with the reason.",
  positionals: [],
  usage: "",
  options: serveOptions,
  examples: [
    { line: "zpm serve" },
    { line: "zpm serve --project ~/work/shop" },
    { line: "zpm serve --read-only --exclude-tools echo" },
  ],
  async run(call) {
    const tools = toolsOffered(call.sorted, call.io);
    const session = sessionOf(call);
    const problem = session instanceof ZpmError ? session : undefined;
    if (problem) call.io.err(`zpm: ${problem.message}\n${problem.hint}`);
    const stop = call.io.stopSignal();
    // Loaded after the reason is told: the SDK takes longer than everything before it.
    const mcp = await import("../../mcp/serve.ts");
    await mcp.serve({
      version,
      tools,
      input: call.io.input(),
      output: call.io.output,
      stop,
      deadline_ms: call.settings.deadline_ms,
      log: (text) => call.log("debug", text),
      ...(session instanceof ZpmError
        ? { problem: session, memories: nothing(session) }
        : { memories: session.memories, onsettled: soon(session.begin) }),
    });
    if (session instanceof ZpmError) return 1;
    await session.close();
    return 0;
  },
};

function sessionOf({ settings, io, log, open }: CommandCall): Session | ZpmError {
  try {
    return makeSession({
      project: locate(settings, io),
      engines: settings.engines,
      longLived: true,
      log,
    }, open);
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
