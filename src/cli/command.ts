/** What a command of the command line is. */
import type { Log } from "../base/log.ts";
import type { ToolResult } from "../tools/invoke.ts";
import type { Io } from "./io.ts";
import type { Option, Sorted } from "./options.ts";
import type { OpenMemories } from "./session.ts";
import type { Settings } from "./settings.ts";

export interface Command {
  /** In kebab-case, as it is typed. */
  name: string;
  /** One line, for lists of commands. */
  summary: string;
  description: string;
  /** Words without a dash, in order. */
  positionals: string[];
  /** The last of them takes all the words that are left. */
  rest?: boolean;
  /** The same as a usage line shows them: `HEAD BODY`, `[DIR]`. */
  usage: string;
  /** Beyond those that every command has. */
  options: Option[];
  examples: { line: string; shows?: string }[];
  /** What to print, or the exit code of a command that prints by itself. */
  run(call: CommandCall): Promise<ToolResult | number>;
}

export interface CommandCall {
  sorted: Sorted;
  settings: Settings;
  io: Io;
  log: Log;
  /** Makes the memory service; the tests bring one without an engine. */
  open?: OpenMemories;
}

/** A result that did not come from a tool. */
export function told(texts: string[], structure: Record<string, unknown>): ToolResult {
  return { texts, structure, isError: false };
}
