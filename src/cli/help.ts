/** The help pages, made from the declarations: what a command takes is said once. */
import type { Command } from "./command.ts";
import type { Option } from "./options.ts";
import { globalOptions } from "./settings.ts";

const width = 100;

/** All of zpm on one page: commands, tools, options, variables. */
export function overview(commands: Command[], tools: Command[]): string {
  const variables = [...globalOptions, ...commands.flatMap((command) => command.options)]
    .filter((option) => option.env);
  return sections([
    ["zpm: a memory that reasons. Facts and rules in Prolog, kept on disk.", []],
    ["Usage: zpm COMMAND [ARGUMENTS] [OPTIONS]", []],
    ["Commands", table(commands.map(({ name, summary }) => [name, summary]))],
    [
      "Tools ('zpm TOOL --help' tells more)",
      table(tools.map(({ name, summary }) => [name, summary])),
    ],
    ["Options", table(globalOptions.map(optionRow))],
    [
      "Environment, where no option says otherwise",
      table(variables.map(({ name, env }) => [env!, `as --${name}`])),
    ],
    ["Exit status: 0 when all went well, 1 when a tool failed or the command line is wrong.", []],
  ]);
}

export function commandHelp(command: Command): string {
  const usage = ["zpm", command.name, command.usage, "[OPTIONS]"].filter(Boolean);
  return sections([
    [`Usage: ${usage.join(" ")}`, []],
    [wrapped(command.description, "").join("\n"), []],
    ["Arguments", table(command.options.map((option) => argumentRow(option, command.positionals)))],
    [hasText(command) ? "A TEXT of - is read from standard input; -- ends the options." : "", []],
    ["Options of every command", table(globalOptions.map(optionRow))],
    ["Examples", command.examples.flatMap(({ line, shows }) => [`  $ ${line}`, ...shown(shows)])],
  ]);
}

function hasText({ options, positionals }: Command): boolean {
  return options.some(({ name, placeholder }) =>
    placeholder === "TEXT" || placeholder === "FILE" && positionals.includes(name)
  );
}

/** Titles with their lines, blank lines between; a list that is empty goes with its title. */
function sections(parts: [string, string[]][]): string {
  return parts.filter(([title, lines]) => lines.length > 0 || title.includes(" "))
    .map(([title, lines]) => [title, ...lines].join("\n")).join("\n\n");
}

function argumentRow(option: Option, positionals: string[]): [string, string] {
  const [name, description] = optionRow(option);
  const isWord = positionals.map((word) => word.replaceAll("_", "-")).includes(option.name);
  return [isWord ? `${option.name.toUpperCase()}, ${name}` : name, description];
}

function optionRow({ name, type, placeholder, description, env }: Option): [string, string] {
  const flag = name === "help" ? "-h, --help" : `--${name}`;
  return [
    type === "boolean" ? flag : `${flag} ${placeholder}`,
    env ? `${description} [${env}]` : description,
  ];
}

function table(rows: [string, string][]): string[] {
  const first = Math.max(0, ...rows.map(([name]) => name.length)) + 4;
  return rows.flatMap(([name, text]) => {
    const [head, ...rest] = wrapped(text, " ".repeat(first));
    return [`  ${name}`.padEnd(first) + head.trimStart(), ...rest];
  });
}

function shown(text?: string): string[] {
  return text === undefined ? [] : text.split("\n").map((line) => `  ${line}`);
}

/** Lines of at most the page's width; only a word that is longer stands out. */
function wrapped(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line.length + word.length + 1 > width && line.trim() !== "") {
      lines.push(line);
      line = indent;
    }
    line += line === indent ? word : ` ${word}`;
  }
  return [...lines, line];
}
