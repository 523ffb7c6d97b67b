import { basename, resolve } from "node:path";
import { ZpmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { giveUpPermissions } from "../../base/permissions.ts";
import { isLoopback } from "../../base/comers.ts";
import type { OperationService } from "../../operations/service.ts";
import { SourceReader } from "../../operations/source_reader.ts";
import type { Command, CommandCall } from "../command.ts";
import { interpreters, maxSolutions, namedFile, openOperations } from "../operation_file.ts";
import { DEFAULT_HOST, DEFAULT_PORT, portOf } from "../serve_options.ts";

export const http: Command = {
  name: "http",
  summary: "Serve a documented .pl file as an HTTP/JSON API.",
  description:
    "Serves the operations of a .pl file: its predicates with a mode line (%!) directly above their clauses. GET / " +
    "shows them with a form for each, /openapi.json describes them for programs. Nobody is asked who he is: on " +
    "another address than this machine's own, everybody who reaches it can ask. SIGHUP reads the file again; one that " +
    "does not load changes nothing.",
  positionals: ["file"],
  usage: "FILE",
  options: [
    {
      name: "host",
      type: "string",
      placeholder: "HOST",
      description: `The address to listen at (default ${DEFAULT_HOST})`,
    },
    {
      name: "port",
      type: "integer",
      placeholder: "N",
      description: `The port, 0 for any that is free (default ${DEFAULT_PORT})`,
    },
    maxSolutions,
    interpreters,
  ],
  examples: [{ line: "zpm http kb.pl" }, { line: "zpm http kb.pl --port 8080" }],
  async run(call) {
    const { sorted, io, log } = call;
    const path = namedFile(sorted, "http");
    const hostname = hostOf(call);
    const port = portOf({ by: "--port", value: sorted.options.get("port") as string | undefined });
    const loopback = isLoopback(hostname);
    const { serveOperations } = await import("../../http/serve.ts");
    const service = await openOperations(call, path, { keepPermissions: true });
    const reader = new SourceReader(resolve(io.cwd(), path));
    io.onReloadSignal(reloader(basename(path), { reader, service, log }));
    try {
      await serveOperations({
        file: basename(path),
        service,
        hostname,
        port: port ?? DEFAULT_PORT,
        log,
        stop: io.stopSignal(),
        onlistening(address) {
          io.err(`zpm: ${basename(path)} is served at ${address}`);
          if (!loopback) {
            log("warn", `Everybody who reaches ${address} can ask: there is no authentication`);
          }
          giveUpPermissions();
        },
      });
    } finally {
      reader.close();
      service.close();
    }
    return 0;
  },
};

function hostOf({ sorted }: CommandCall): string {
  const said = sorted.options.get("host") as string | undefined ?? DEFAULT_HOST;
  return said.replace(/^\[(.*)\]$/, "$1");
}

/** Reads the file again, one time after the other: signals that come meanwhile are one more time. */
function reloader(
  file: string,
  { reader, service, log }: { reader: SourceReader; service: OperationService; log: Log },
): () => void {
  let running = Promise.resolve();
  let waiting = false;
  const reload = async () => {
    waiting = false;
    try {
      await service.reload({ name: file, bytes: await reader.read() });
      log("info", `${file} was read again`);
    } catch (error) {
      const why = error instanceof ZpmError ? `${error.message}\n${error.hint}` : String(error);
      log("warn", `${file} was not read again, the version before is served: ${why}`);
    }
  };
  return () => {
    if (waiting) return;
    waiting = true;
    running = running.then(reload);
  };
}
