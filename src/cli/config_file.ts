/** The config that `--config` names: what the commands around principals share. */
import { resolve } from "node:path";
import type { Option, Sorted } from "./options.ts";
import { usage } from "./options.ts";
import { fileText } from "./input.ts";
import type { Io } from "./io.ts";

export const configOption: Option = {
  name: "config",
  type: "string",
  placeholder: "FILE",
  description: "The config of the server, in JSON; README.md shows one under 'Many principals'",
};

/** A config file that is there. */
export interface NamedConfig {
  /** Absolute, as it was named: relative paths in it start from there. */
  path: string;
  /** The same without links. */
  file: string;
  text: string;
}

/** Undefined when `--config` is not given. */
export async function namedConfig({ options }: Sorted, io: Io): Promise<NamedConfig | undefined> {
  const said = options.get("config") as string | undefined;
  if (said === undefined) return undefined;
  const path = resolve(io.cwd(), said);
  const text = await fileText(path, io);
  return { path, file: Deno.realPathSync(path), text };
}

export async function requiredConfig(sorted: Sorted, io: Io): Promise<NamedConfig> {
  const config = await namedConfig(sorted, io);
  if (config) return config;
  throw usage("Name the config of the server: --config FILE");
}
