import { resolve } from "node:path";
import { initProject } from "../../store/project.ts";
import { type Command, told } from "../command.ts";

export const init: Command = {
  name: "init",
  summary: "Make a directory a zpm project.",
  description:
    "Makes a directory a zpm project: .zpm/kb for knowledge files under version control, .zpm/data for the " +
    "journal, and a .gitignore that keeps the journal out. Harmless when repeated.",
  positionals: ["dir"],
  usage: "[DIR]",
  options: [],
  examples: [{ line: "zpm init" }, { line: "zpm init ~/work/shop" }],
  async run({ sorted, settings, io }) {
    const named = sorted.positionals[0] ?? settings.project ?? io.env("ZPM_PROJECT") ?? ".";
    const directory = resolve(io.cwd(), named || ".");
    const created = initProject(directory);
    // The runtime of a compiled program keeps compiled code, but only of what its very first run loads, and most
    // likely this is that run. A server then starts 15 ms sooner, every time.
    if (created.length > 0) await import("../everything.ts");
    const said = created.length > 0 ? "Made a zpm project in" : "Already a zpm project:";
    return told([`${said} ${directory}`], { project: directory, created });
  },
};
