import { checkOperations } from "../../operations/check.ts";
import { type Command, told } from "../command.ts";
import {
  interpreters,
  maxSolutions,
  namedFile,
  openOperations,
  persistTold,
} from "../operation_file.ts";

export const check: Command = {
  name: "check",
  summary: "Tell what a documented .pl file exposes, and what it does not and why.",
  description:
    "Loads a .pl file and tells which of its predicates are operations of an API: those with a mode line (%!) " +
    "directly above their clauses. What is skipped is told with the reason, and so are operations that are " +
    "withheld, collections, keys that are not unique, and domains. Exits with 1 only when the file does not load.",
  positionals: ["file"],
  usage: "FILE",
  options: [persistTold, maxSolutions, interpreters],
  examples: [{ line: "zpm check kb.pl" }],
  async run(call) {
    const path = namedFile(call.sorted, "check");
    const service = await openOperations(call, path);
    try {
      const { text, structure } = await checkOperations(path, service);
      return told([text], structure);
    } finally {
      await service.close();
    }
  },
};
