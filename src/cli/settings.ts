/** What holds for every command: options that may stand anywhere, each with a variable of the environment. */
import { type LogLevel, logLevels } from "../base/log.ts";
import { limits } from "../base/limits.ts";
import type { Io } from "./io.ts";
import { type Option, type Sorted, usage } from "./options.ts";

export interface Settings {
  /** What `--project` said; ZPM_PROJECT is looked at where projects are found. */
  project?: string;
  /** What `--global-dir` said. */
  globalDir?: string;
  format: "text" | "json";
  log: LogLevel;
  deadline_ms: number;
  engines: number;
}

export const globalOptions: Option[] = [
  {
    name: "project",
    type: "string",
    placeholder: "DIR",
    description: "The project to work in; else the nearest .zpm from here upwards",
    env: "ZPM_PROJECT",
  },
  {
    name: "global-dir",
    type: "string",
    placeholder: "DIR",
    description: "Where memories of the global scope live; else zpm in the platform's data folder",
    env: "ZPM_GLOBAL_DIR",
  },
  {
    name: "format",
    type: "string",
    placeholder: "FORMAT",
    description: "text (default) or json",
  },
  {
    name: "deadline-ms",
    type: "integer",
    placeholder: "N",
    description:
      `How long one call may take (default ${limits.deadline_ms}, at most ${limits.deadline_max_ms})`,
    env: "ZPM_DEADLINE_MS",
  },
  {
    name: "engines",
    type: "integer",
    placeholder: "N",
    description: `Prolog engines at most (default ${limits.engines})`,
    env: "ZPM_ENGINES",
  },
  {
    name: "log",
    type: "string",
    placeholder: "LEVEL",
    description:
      "What to tell on standard error: error, warn (default), info or debug; the variable wins",
    env: "ZPM_LOG",
    // Options often stand in the file of a client: who looks for a fault sets the variable (SPEC 2.3).
    envWins: true,
  },
  { name: "version", type: "boolean", description: "Print the version" },
  { name: "help", type: "boolean", description: "Print this help, or that of a command" },
];

export function readSettings({ options }: Sorted, io: Io): Settings {
  const said = (name: string) =>
    sayOf(globalOptions.find((option) => option.name === name)!, options, io);
  return {
    project: options.get("project") as string | undefined,
    globalDir: options.get("global-dir") as string | undefined,
    format: choice(said("format"), ["text", "json"] as const) ?? "text",
    log: logLevel(said("log")) ?? "warn",
    deadline_ms: integer(said("deadline-ms"), limits.deadline_max_ms) ?? limits.deadline_ms,
    engines: integer(said("engines"), limits.engines_max) ?? limits.engines,
  };
}

/** A value and where it was said. */
export interface Said {
  /** The option or the variable, for the error. */
  by: string;
  value: string | undefined;
}

/** What the option says, or else its variable; an empty variable says nothing. */
export function sayOf({ name, env, envWins }: Option, options: Sorted["options"], io: Io): Said {
  const given = options.get(name);
  const variable = { by: env ?? name, value: env ? io.env(env) || undefined : undefined };
  if (given === undefined || envWins && variable.value !== undefined) return variable;
  return { by: `--${name}`, value: String(given) };
}

/** A flag, which a variable says with `true` or `1`. */
export function truth({ by, value }: Said): boolean {
  if (value === undefined || value === "false" || value === "0") return false;
  if (value === "true" || value === "1") return true;
  throw usage(`${by} must be true or false, not ${JSON.stringify(value)}`);
}

function choice<Value extends string>(
  { by, value }: Said,
  of: readonly Value[],
): Value | undefined {
  if (value === undefined || of.includes(value as Value)) return value as Value | undefined;
  throw usage(`${by} must be one of ${of.join(", ")}, not ${JSON.stringify(value)}`);
}

/** Or a filter such as `charon=trace,warn`: there is one thing here that logs, so the most telling level counts. */
function logLevel({ by, value }: Said): LogLevel | undefined {
  const parts = value?.split(",").map((part) => part.slice(part.lastIndexOf("=") + 1));
  const levels = parts?.map((part) => part === "trace" ? "debug" : part) ?? [];
  if (levels.every((level) => logLevels.includes(level as LogLevel))) {
    return logLevels.findLast((level) => levels.includes(level));
  }
  throw usage(`${by} must be one of ${logLevels.join(", ")}, not ${JSON.stringify(value)}`);
}

function integer({ by, value }: Said, maximum: number): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (number >= 1 && number <= maximum) return number;
  throw usage(`${by} must be an integer from 1 to ${maximum}, not ${JSON.stringify(value)}`);
}
