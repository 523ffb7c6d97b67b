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
  run({ sorted, settings, io }) {
    const named = sorted.positionals[0] ?? settings.project ?? io.env("ZPM_PROJECT") ?? ".";
    const directory = resolve(io.cwd(), named || ".");
    const created = initProject(directory);
    const said = created.length > 0 ? "Made a zpm project in" : "Already a zpm project:";
    return Promise.resolve(told([`${said} ${directory}`], { project: directory, created }));
  },
};
