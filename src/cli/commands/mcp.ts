import { basename } from "node:path";
import { giveUpPermissions } from "../../base/permissions.ts";
import type { Command, CommandCall } from "../command.ts";
import { interpreters, maxSolutions, namedFile, persist } from "../operation_file.ts";
import { addressOf, addressOptions, listening, whileOpen } from "../operation_server.ts";
import { usage } from "../options.ts";
import { truth } from "../settings.ts";
import { version } from "../version.ts";

export const mcp: Command = {
  name: "mcp",
  summary: "Serve a documented .pl file to MCP clients.",
  description:
    "Serves the operations of a .pl file as tools, its collections and its text as resources: over Streamable HTTP at " +
    "http://HOST:PORT/mcp, or with --stdio over standard input and output until the input ends. Nobody is asked who " +
    "he is: on another address than this machine's own, everybody who reaches it can ask. SIGHUP reads the file " +
    "again; one that does not load changes nothing. With --persist, operations whose name begins with put_, post_, " +
    "patch_ or delete_ are tools as well, and change the file.",
  positionals: ["file"],
  usage: "FILE",
  options: [
    {
      name: "stdio",
      type: "boolean",
      description: "Speak over standard input and output; not together with --host or --port",
    },
    ...addressOptions,
    persist,
    maxSolutions,
    interpreters,
  ],
  examples: [{ line: "zpm mcp kb.pl" }, { line: "zpm mcp kb.pl --stdio" }],
  async run(call) {
    const path = namedFile(call.sorted, "mcp");
    return isStdio(call) ? await overStdio(call, path) : await overHttp(call, path);
  },
};

function isStdio({ sorted: { options } }: CommandCall): boolean {
  const said = options.get("stdio");
  const stdio = truth({ by: "--stdio", value: said === undefined ? undefined : String(said) });
  const address = ["host", "port"].find((name) => options.has(name));
  if (!stdio || !address) return stdio;
  throw usage(
    `--stdio and --${address} exclude each other`,
    "Leave one out: over standard input and output there is no address",
  );
}

async function overStdio(call: CommandCall, path: string): Promise<number> {
  const { io, log } = call;
  const stop = io.stopSignal();
  const [{ serve }, { FileOffer }] = await loaded(import("../../mcp/serve.ts"));
  await whileOpen(call, path, async (service) => {
    giveUpPermissions();
    await serve({
      offer: new FileOffer({ version, service, log }),
      input: io.input(),
      output: io.output,
      stop,
      log: (text) => log("debug", text),
    });
  });
  return 0;
}

async function overHttp(call: CommandCall, path: string): Promise<number> {
  const { io, log } = call;
  const { hostname, port } = addressOf(call);
  const [{ serveOffer }, { FileOffer }] = await loaded(import("../../mcp/serve_http.ts"));
  await whileOpen(call, path, (service) =>
    serveOffer({
      offer: new FileOffer({ version, service, log }),
      hostname,
      port,
      stop: io.stopSignal(),
      log: (text) => log("debug", text),
      onlistening: listening(call, hostname, `${basename(path)} is served over MCP`),
    }));
  return 0;
}

/** A face of MCP, and what it offers. */
function loaded<Face>(face: Promise<Face>) {
  return Promise.all([face, import("../../mcp/file/offer.ts")]);
}
