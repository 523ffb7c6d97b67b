/** What the commands on a documented file share: FILE, their options, and the service that answers. */
import { basename, resolve } from "node:path";
import { limits } from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import { giveUpPermissions } from "../base/permissions.ts";
import { loadAssets } from "../engine/assets.ts";
import { reportLine } from "../memory/files.ts";
import type { SourceFile } from "../operations/load.ts";
import { OperationService } from "../operations/service.ts";
import { openSource } from "../store/source_client.ts";
import type { CommandCall } from "./command.ts";
import { fileBytes } from "./input.ts";
import { type Option, type Sorted, usage } from "./options.ts";
import type { Io } from "./io.ts";

export const maxSolutions: Option = {
  name: "max-solutions",
  type: "integer",
  placeholder: "N",
  description:
    `How many solutions one call collects (default ${limits.operation_solutions}; 0: all of them)`,
};

export const interpreters: Option = {
  name: "interpreters",
  type: "integer",
  placeholder: "N",
  description:
    `How many engines answer at the same time (default: the cores, at most ${limits.interpreters}); ` +
    "a file that changes itself has one",
};

export const persist: Option = {
  name: "persist",
  type: "boolean",
  description:
    "Offer the operations that change something, and write what they change back into the file; one engine answers",
};

/** The same for commands that only tell of a file. */
export const persistTold: Option = {
  ...persist,
  description: "Tell what a server with --persist offers; the file is only read",
};

const FILE_HINT = "FILE is a .pl file with mode lines (%!)";

/** The path of FILE, which must be named. */
export function namedFile({ positionals }: Sorted, command: string): string {
  const [path] = positionals;
  if (path) return path;
  throw usage(`Name the file: zpm ${command} FILE`, FILE_HINT);
}

/** FILE as it is now. */
export async function readSource(path: string, io: Io): Promise<SourceFile> {
  return { name: basename(path), bytes: await fileBytes(path, io, FILE_HINT) };
}

/**
 * Reads and loads FILE, then gives the permissions away unless it is to be served: then the caller still needs them,
 * and with --persist the file is taken for as long as the service is open.
 */
export async function openOperations(
  { sorted, settings, io, log }: CommandCall,
  path: string,
  { served = false } = {},
): Promise<OperationService> {
  const persists = sorted.options.get(persist.name) === true;
  const cores = Math.min(navigator.hardwareConcurrency, limits.interpreters);
  const options = {
    persist: persists,
    interpreters: count(sorted, interpreters, 1, limits.engines_max) ?? cores,
    max_solutions: count(sorted, maxSolutions, 0, 1_000_000_000) ?? limits.operation_solutions,
    deadline_ms: settings.deadline_ms,
  };
  const found = await readSource(path, io);
  const keeper = served && persists ? await openSource(resolve(io.cwd(), path)) : undefined;
  try {
    const file = keeper ? { ...found, bytes: await keeper.read() } : found;
    const assets = await loadAssets();
    if (!served) giveUpPermissions();
    const service = await OperationService.open(file, { assets, keeper, ...options });
    tellWarnings(service, log);
    return service;
  } catch (error) {
    await keeper?.close();
    throw error;
  }
}

/** What the loader said of a version that is taken. */
export function tellWarnings({ warnings }: OperationService, log: Log): void {
  for (const warning of warnings) log("warn", reportLine(warning));
}

/** Mode lines that are not followed, so that nobody wonders where a predicate is. */
export function tellSkipped({ set, source }: OperationService, log: Log): void {
  for (const { line, mode, why } of set.skipped) {
    log("warn", `${source.name}:${line}: not exposed, ${why}: ${mode}`);
  }
}

function count(
  { options }: Sorted,
  { name }: Option,
  minimum: number,
  maximum: number,
): number | undefined {
  const value = options.get(name);
  if (value === undefined) return undefined;
  const number = /^\d{1,10}$/.test(String(value)) ? Number(value) : NaN;
  if (number >= minimum && number <= maximum) return number;
  throw usage(`--${name} must be an integer from ${minimum} to ${maximum}, not "${value}"`);
}
