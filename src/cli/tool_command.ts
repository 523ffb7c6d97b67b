/** A tool as a command, derived from its declaration (SPEC 1.4, "CLI"). */
import { invoke } from "../tools/invoke.ts";
import type { Argument, Tool } from "../tools/tool.ts";
import type { Command, CommandCall } from "./command.ts";
import { fileText, inputText } from "./input.ts";
import type { Io } from "./io.ts";
import { type Option, type Sorted, usage } from "./options.ts";
import { locate, makeSession } from "./session.ts";

export function toolCommand(tool: Tool): Command {
  const required = Object.entries<Argument>(tool.input).filter(([, { required }]) => required);
  const positionals = required.map(([name]) => name);
  return {
    name: kebab(tool.name),
    summary: tool.summary,
    description: tool.description,
    positionals,
    rest: required.at(-1)?.[1].type === "array",
    usage: required.map(usageWord).join(" "),
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
  const given = new Map<string, Given>(positionalValues(tool, positionals, sorted));
  for (const [name, argument] of Object.entries<Argument>(tool.input)) {
    const option = kebab(name);
    const value = sorted.lists.get(option) ?? sorted.options.get(option);
    if (value === undefined) continue;
    if (given.has(name)) throw usage(`"${name}" is given twice, with and without --${option}`);
    given.set(name, Array.isArray(value) ? value : typed(argument, value));
  }
  const fromInput = [...given].filter(([name, value]) => isInput(tool.input[name], value));
  if (fromInput.length > 1) throw usage("Standard input can be read for one argument only");
  for (const [name, value] of given) {
    given.set(name, await readValue(tool.input[name], value, io));
  }
  return Object.fromEntries(given);
}

type Given = string | boolean | string[];

function* positionalValues(
  tool: Tool,
  positionals: string[],
  { positionals: words }: Sorted,
): Iterable<[string, Given]> {
  for (const [index, name] of positionals.entries()) {
    if (index >= words.length) return;
    const argument = tool.input[name];
    yield argument.type === "array"
      ? [name, words.slice(index)]
      : [name, typed(argument, words[index])];
  }
}

function typed({ type }: Argument, value: string | boolean): string | boolean {
  return type === "integer" ? integer(String(value)) as string : value;
}

function isInput({ type }: Argument, value: Given): boolean {
  return type === "array" ? (value as string[]).includes("-") : type === "string" && value === "-";
}

/** `-` is standard input, in a list a text for each line; a file's name is its text. */
async function readValue(argument: Argument, value: Given, io: Io): Promise<Given> {
  if (Array.isArray(value)) {
    if (!isInput(argument, value)) return value;
    const lines = (await inputText(io)).split(/\r?\n/).filter((line) => line.trim() !== "");
    return value.flatMap((word) => word === "-" ? lines : word);
  }
  if (isInput(argument, value)) return withoutLastBreak(await inputText(io));
  return argument.file && typeof value === "string" ? await fileText(value, io) : value;
}

function usageWord([name, { type, file }]: [string, Argument]): string {
  return `${file ? "FILE" : name.toUpperCase()}${type === "array" ? "..." : ""}`;
}

function optionOf([name, argument]: [string, Argument]): Option {
  const { type, description, required, file } = argument;
  const placeholder = type === "integer" ? "N" : file ? "FILE" : "TEXT";
  const notes = [required && "required", type === "array" && "may be repeated"].filter(Boolean);
  return {
    name: kebab(name),
    type: type === "array" ? "list" : type,
    ...(type !== "boolean" && { placeholder }),
    description: notes.length > 0 ? `${description} (${notes.join(", ")})` : description,
  };
}

function integer(word: string): number | string {
  return /^-?\d{1,15}$/.test(word) ? Number(word) : word;
}

function withoutLastBreak(text: string): string {
  return text.replace(/\r?\n$/, "");
}

function commandLine(tool: Tool, positionals: string[], input: Record<string, unknown>): string {
  const words = positionals.filter((name) => name in input)
    .flatMap((name) => tool.input[name].file ? ["FILE"] : listOf(input[name]).map(quoted));
  const flags = Object.entries(input).filter(([name]) => !positionals.includes(name))
    .flatMap(([name, value]) =>
      value === true
        ? [`--${kebab(name)}`]
        : listOf(value).map((one) => `--${kebab(name)} ${quoted(one)}`)
    );
  return ["zpm", kebab(tool.name), ...words, ...flags].join(" ");
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
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
