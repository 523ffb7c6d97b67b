/** What `zpm serve` may be told, and what that means. */
import { closest } from "../base/text.ts";
import { tools } from "../tools/registry.ts";
import { selectTools } from "../tools/selection.ts";
import type { Tool } from "../tools/tool.ts";
import type { Io } from "./io.ts";
import { type Option, type Sorted, usage } from "./options.ts";
import { type Said, sayOf, truth } from "./settings.ts";

const readOnly: Option = {
  name: "read-only",
  type: "boolean",
  description: "Offer only the tools that change nothing",
  env: "ZPM_READ_ONLY",
};

const only: Option = {
  name: "tools",
  type: "string",
  placeholder: "NAME,...",
  description: "Offer only these tools",
  env: "ZPM_TOOLS",
};

const without: Option = {
  name: "exclude-tools",
  type: "string",
  placeholder: "NAME,...",
  description: "Do not offer these tools",
  env: "ZPM_EXCLUDE_TOOLS",
};

export const serveOptions: Option[] = [readOnly, only, without];

/** The tools that this server has; a name that is none stops the start, for nobody would see it otherwise. */
export function toolsOffered({ options }: Sorted, io: Io): readonly Tool[] {
  const said = (option: Option) => sayOf(option, options, io);
  const offered = selectTools({
    readOnly: truth(said(readOnly)),
    only: names(said(only)),
    without: names(said(without)) ?? [],
  });
  if (offered.length > 0) return offered;
  throw usage("No tool is left to offer", "Name a tool in --tools that the other options leave");
}

function names({ by, value }: Said): string[] | undefined {
  if (value === undefined) return undefined;
  const known = tools.map(({ name }) => name);
  const asked = value.split(",").map((word) => word.trim().replaceAll("-", "_"));
  for (const name of asked.filter((name) => !known.includes(name))) {
    const nearest = closest(name, known);
    const hint = nearest ? `, perhaps "${nearest}" is meant` : "";
    throw usage(
      `${by} names an unknown tool: "${name}"${hint}`,
      "Write names as in 'zpm --help', with commas between them",
    );
  }
  return asked;
}
