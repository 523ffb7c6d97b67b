/** A tool as a command, derived from its declaration (SPEC 1.4, "CLI"). */
import { invoke } from "../tools/invoke.ts";
import type { Argument, Tool } from "../tools/tool.ts";
import type { Command, CommandCall } from "./command.ts";
import type { Io } from "./io.ts";
import { type Option, type Sorted, usage } from "./options.ts";
import { locate, makeSession } from "./session.ts";

export function toolCommand(tool: Tool): Command {
  const positionals = Object.entries<Argument>(tool.input)
    .filter(([, { required }]) => required).map(([name]) => name);
  return {
    name: kebab(tool.name),
    summary: tool.summary,
    description: tool.description,
    positionals,
    usage: positionals.join(" ").toUpperCase(),
    options: Object.entries<Argument>(tool.input).map(optionOf),
    examples: tool.examples.map(({ input, says }) => ({
      line: commandLine(tool, positionals, input),
      shows: says,
    })),
    run: (call) => runTool(tool, positionals, call),
  };
}

async function runTool(tool: Tool, positionals: string[], call: CommandCall) {
  const { settings, io, log, open } = call;
  const project = locate(settings, io);
  const input = await readInput(tool, positionals, call.sorted, io);
  const session = makeSession({ project, engines: settings.engines, longLived: false, log }, open);
  const context = { by: tool.name, client: "cli", deadline_ms: settings.deadline_ms };
  const result = await invoke(tool, input, session.memories, context);
  await session.close();
  return result;
}

/** The arguments as the tool takes them. What does not fit is left as text, for the tool to refuse in its words. */
async function readInput(tool: Tool, positionals: string[], sorted: Sorted, io: Io) {
  const given = new Map<string, string | boolean>();
  const typed = (name: string, value: string | boolean) =>
    tool.input[name].type === "integer" ? integer(String(value)) as string : value;
  sorted.positionals.forEach((word, index) =>
    given.set(positionals[index], typed(positionals[index], word))
  );
  for (const name of Object.keys(tool.input)) {
    const value = sorted.options.get(kebab(name));
    if (value === undefined) continue;
    if (given.has(name)) throw usage(`"${name}" is given twice, with and without --${kebab(name)}`);
    given.set(name, typed(name, value));
  }
  const fromInput = [...given].filter(([name, value]) =>
    value === "-" && tool.input[name].type === "string"
  );
  if (fromInput.length > 1) throw usage("Standard input can be read for one argument only");
  for (const [name] of fromInput) given.set(name, withoutLastBreak(await io.readInput()));
  return Object.fromEntries(given);
}

function optionOf([name, { type, description, required }]: [string, Argument]): Option {
  return {
    name: kebab(name),
    type,
    ...(type !== "boolean" && { placeholder: type === "integer" ? "N" : "TEXT" }),
    description: required ? `${description} (required)` : description,
  };
}

function integer(word: string): number | string {
  return /^-?\d{1,15}$/.test(word) ? Number(word) : word;
}

function withoutLastBreak(text: string): string {
  return text.replace(/\r?\n$/, "");
}

function commandLine(tool: Tool, positionals: string[], input: Record<string, unknown>): string {
  const words = positionals.filter((name) => name in input).map((name) => quoted(input[name]));
  const flags = Object.entries(input).filter(([name]) => !positionals.includes(name))
    .map(([name, value]) =>
      value === true ? `--${kebab(name)}` : `--${kebab(name)} ${quoted(value)}`
    );
  return ["zpm", kebab(tool.name), ...words, ...flags].join(" ");
}

/** As a shell reads it back. */
function quoted(value: unknown): string {
  const text = String(value);
  if (/^[\w./:=@-]+$/.test(text)) return text;
  return text.includes("'") ? `"${text.replace(/["\\$`]/g, "\\$&")}"` : `'${text}'`;
}

export function kebab(name: string): string {
  return name.replaceAll("_", "-");
}
