import { basename } from "node:path";
import type { Command } from "../command.ts";
import { interpreters, maxSolutions, namedFile, persist } from "../operation_file.ts";
import { addressOf, addressOptions, listening, whileOpen } from "../operation_server.ts";

export const http: Command = {
  name: "http",
  summary: "Serve a documented .pl file as an HTTP/JSON API.",
  description:
    "Serves the operations of a .pl file: its predicates with a mode line (%!) directly above their clauses. GET / " +
    "shows them with a form for each, /openapi.json describes them for programs. Nobody is asked who he is: on " +
    "another address than this machine's own, everybody who reaches it can ask. SIGHUP reads the file again; one that " +
    "does not load changes nothing. With --persist, operations whose name begins with put_, post_, patch_ or delete_ " +
    "change the file.",
  positionals: ["file"],
  usage: "FILE",
  options: [
    ...addressOptions,
    persist,
    maxSolutions,
    interpreters,
  ],
  examples: [{ line: "zpm http kb.pl" }, { line: "zpm http kb.pl --port 8080 --persist" }],
  async run(call) {
    const { sorted, io, log } = call;
    const path = namedFile(sorted, "http");
    const { hostname, port } = addressOf(call);
    const { serveOperations } = await import("../../http/serve.ts");
    const file = basename(path);
    await whileOpen(call, path, (service) =>
      serveOperations({
        file,
        service,
        hostname,
        port,
        log,
        stop: io.stopSignal(),
        onlistening: listening(call, hostname, `${file} is served`),
      }));
    return 0;
  },
};
