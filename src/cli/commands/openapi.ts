import { basename } from "node:path";
import { openApi } from "../../operations/openapi.ts";
import { type Command, told } from "../command.ts";
import {
  interpreters,
  maxSolutions,
  namedFile,
  openOperations,
  persistTold,
  tellSkipped,
} from "../operation_file.ts";

export const openapi: Command = {
  name: "openapi",
  summary: "Print the OpenAPI document of a documented .pl file.",
  description:
    "Prints the OpenAPI 3.1 document of the operations that 'zpm http' serves of the same file, with --persist as " +
    "it serves them with it. Whatever else is to be told goes to standard error.",
  positionals: ["file"],
  usage: "FILE",
  options: [persistTold, maxSolutions, interpreters],
  examples: [{ line: "zpm openapi kb.pl > openapi.json" }],
  async run(call) {
    const path = namedFile(call.sorted, "openapi");
    const service = await openOperations(call, path);
    tellSkipped(service, call.log);
    try {
      const document = await openApi(basename(path), service);
      return told([JSON.stringify(document, null, 2)], document);
    } finally {
      await service.close();
    }
  },
};
