import { type Command, told } from "../command.ts";
import { runtime, version } from "../version.ts";

export const versionCommand: Command = {
  name: "version",
  summary: "Print the version of zpm and of what it runs on.",
  description: "Prints the version of zpm and of what it runs on.",
  positionals: [],
  usage: "",
  options: [],
  examples: [{ line: "zpm version" }],
  run: () =>
    Promise.resolve(told([`zpm ${version}\n${runtime()}`], { version, runtime: runtime() })),
};
