/** The command line: finds the command, runs it, prints what it says (SPEC 1.1, 1.4). */
import { bug, ZpmError } from "../base/errors.ts";
import { makeLog } from "../base/log.ts";
import { closest } from "../base/text.ts";
import { failure, type ToolResult } from "../tools/invoke.ts";
import { tools } from "../tools/registry.ts";
import type { Command } from "./command.ts";
import { audit } from "./commands/audit.ts";
import { check } from "./commands/check.ts";
import { deleteMemory, deleteSnapshot } from "./commands/delete.ts";
import { doctor } from "./commands/doctor.ts";
import { http } from "./commands/http.ts";
import { importCommand } from "./commands/import.ts";
import { init } from "./commands/init.ts";
import { mcp } from "./commands/mcp.ts";
import { openapi } from "./commands/openapi.ts";
import { principal } from "./commands/principal.ts";
import { serve } from "./commands/serve.ts";
import { versionCommand } from "./commands/version.ts";
import { commandHelp, overview } from "./help.ts";
import type { Io } from "./io.ts";
import { type Option, sortWords, splitCommand, usage } from "./options.ts";
import type { OpenMemories } from "./session.ts";
import { globalOptions, readSettings, type Settings } from "./settings.ts";
import { kebab, toolCommand } from "./tool_command.ts";
import { version } from "./version.ts";

const commands: Command[] = [
  init,
  serve,
  doctor,
  importCommand,
  http,
  mcp,
  check,
  openapi,
  deleteMemory,
  deleteSnapshot,
  principal,
  audit,
  versionCommand,
];
const toolCommands: Command[] = tools.map(toolCommand);

/** Runs one command line; the exit code. */
export async function run(words: string[], io: Io, open?: OpenMemories): Promise<number> {
  try {
    return await runCommand(words, io, open);
  } catch (error) {
    const fault = error instanceof ZpmError ? error : bug(String(error), error);
    return await print(failure(fault), formatOf(words), io);
  }
}

async function runCommand(words: string[], io: Io, open?: OpenMemories): Promise<number> {
  const { command: name, rest } = splitCommand(words, globalOptions);
  if (name === undefined) return await withoutCommand(rest, io);
  if (name === "help") return await runCommand([...rest, "--help"], io, open);
  const command = findCommand(name);
  const known: Option[] = [...command.options, ...globalOptions];
  const sorted = sortWords(rest, known);
  if (sorted.options.has("help")) return await say(commandHelp(command), io);
  if (sorted.options.has("version")) return await say(`zpm ${version}`, io);
  const extra = sorted.positionals[command.positionals.length];
  if (extra !== undefined && !command.rest) throw unexpected(extra, command);
  const settings = readSettings(sorted, io);
  const log = makeLog(settings.log, io.err);
  const outcome = await command.run({ sorted, settings, io, log, open });
  return typeof outcome === "number" ? outcome : await print(outcome, settings.format, io);
}

async function withoutCommand(words: string[], io: Io): Promise<number> {
  const { options } = sortWords(words, globalOptions);
  if (options.has("version")) return await say(`zpm ${version}`, io);
  const page = overview(commands, toolCommands);
  if (options.has("help")) return await say(page, io);
  io.err(page);
  return 1;
}

/** `text`: the first item on stdout and the rest on stderr, of a failure all on stderr. `json`: the structure. */
async function print(result: ToolResult, format: Settings["format"], io: Io): Promise<number> {
  if (format === "json") await io.out(JSON.stringify(result.structure));
  else {
    const [first, ...rest] = result.texts;
    if (!result.isError) await io.out(first);
    for (const text of result.isError ? result.texts : rest) io.err(text);
  }
  return result.isError ? 1 : 0;
}

async function say(text: string, io: Io): Promise<number> {
  await io.out(text);
  return 0;
}

function findCommand(name: string): Command {
  const all = [...commands, ...toolCommands];
  const found = all.find((command) => command.name === kebab(name));
  if (found) return found;
  const nearest = closest(kebab(name), all.map((command) => command.name));
  throw usage(`Unknown command "${name}"${nearest ? `, perhaps "${nearest}" is meant` : ""}`);
}

function unexpected(word: string, { name, usage: words }: Command): ZpmError {
  return usage(
    `Unexpected argument ${JSON.stringify(word)}: zpm ${name} takes ${words || "options only"}`,
    `Quote what has spaces; run 'zpm ${name} --help'`,
  );
}

/** For a command line that could not be sorted: the format it most likely asks for. */
function formatOf(words: string[]): Settings["format"] {
  const at = words.indexOf("--format");
  return words.includes("--format=json") || (at >= 0 && words[at + 1] === "json") ? "json" : "text";
}
