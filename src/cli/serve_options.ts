/** What `zpm serve` may be told, and what that means. */
import { closest } from "../base/text.ts";
import { isLoopback } from "../base/comers.ts";
import { tokenPattern } from "../mcp/bearer.ts";
import { tools } from "../tools/registry.ts";
import { type Selection, selectTools } from "../tools/selection.ts";
import type { Io } from "./io.ts";
import { type Option, type Sorted, usage } from "./options.ts";
import { type Said, sayOf, truth } from "./settings.ts";

export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 3000;

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

const http: Option = {
  name: "http",
  type: "boolean",
  description: "Serve Streamable HTTP instead of standard input and output",
};

const host: Option = {
  name: "host",
  type: "string",
  placeholder: "HOST",
  description: `A loopback name or address to listen at (default ${DEFAULT_HOST}); implies --http`,
};

const port: Option = {
  name: "port",
  type: "integer",
  placeholder: "N",
  description: `The port, 0 for any that is free (default ${DEFAULT_PORT}); implies --http`,
};

const token: Option = {
  name: "token",
  type: "string",
  placeholder: "TOKEN",
  description:
    "What clients must send as bearer token over HTTP; else one is made and printed at the start. " +
    "Others see a command line, so the variable is better",
  // ZPM_TOKEN is what a principal shows: who exported one has not told the token of a server.
  env: "ZPM_SERVER_TOKEN",
};

const config: Option = {
  name: "config",
  type: "string",
  placeholder: "FILE",
  description: "Serve the principals of this file, each on a fork of its own, every call audited",
};

const stdio: Option = {
  name: "stdio",
  type: "boolean",
  description:
    "Speak over standard input and output, as without --http; with --config one principal",
};

export const serveOptions: Option[] = [
  readOnly,
  only,
  without,
  http,
  host,
  port,
  token,
  config,
  stdio,
];

/** Where an HTTP server listens, and what its clients must know. */
export interface HttpSettings {
  hostname: string;
  port: number;
  /** Absent when one is to be made. */
  token?: string;
}

/** How to serve over HTTP, or undefined for standard input and output. */
export function httpSettings({ options }: Sorted, io: Io): HttpSettings | undefined {
  const said = (option: Option) => sayOf(option, options, io);
  const address = ["http", "host", "port"].find((name) => options.has(name));
  if (address && truth(said(stdio))) throw usage(`--stdio and --${address} exclude each other`);
  const asked = truth(said(http)) || address !== undefined;
  if (!asked) {
    if (options.has("token")) throw usage("--token is for HTTP: add --http");
    return undefined;
  }
  return {
    hostname: loopback(said(host).value ?? DEFAULT_HOST),
    port: portOf(said(port)) ?? DEFAULT_PORT,
    token: tokenOf(said(token)),
  };
}

/** Which tools the operator chose. */
export function selectionOf({ options }: Sorted, io: Io): Selection {
  const said = (option: Option) => sayOf(option, options, io);
  return {
    readOnly: truth(said(readOnly)),
    only: names(said(only)),
    without: names(said(without)) ?? [],
  };
}

/**
 * Refuses names that no tool has, and a choice that leaves none, for nobody would see it otherwise. Not to be asked
 * where a project has files of its own: their documented predicates are tools as well, which nobody knows yet.
 */
export function checkSelection(sorted: Sorted, io: Io): void {
  const known = tools.map(({ name }) => name);
  for (const option of [only, without]) {
    const said = sayOf(option, sorted.options, io);
    for (const name of names(said)?.filter((name) => !known.includes(name)) ?? []) {
      const nearest = closest(name, known);
      const hint = nearest ? `, perhaps "${nearest}" is meant` : "";
      throw usage(
        `${said.by} names an unknown tool: "${name}"${hint}`,
        "Write names as in 'zpm --help', with commas between them",
      );
    }
  }
  if (selectTools(selectionOf(sorted, io)).length > 0) return;
  throw usage("No tool is left to offer", "Name a tool in --tools that the other options leave");
}

function names({ value }: Said): string[] | undefined {
  return value?.split(",").map((word) => word.trim().replaceAll("-", "_"));
}

/** Nobody is told apart here but by one token, so nobody from outside is let in. */
function loopback(hostname: string): string {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLoopback(bare)) return bare;
  throw usage(
    `--host must be this machine's own, such as 127.0.0.1, ::1 or localhost, not "${hostname}"`,
    "To be reached from elsewhere, put a server in front that checks who comes",
  );
}

export function portOf({ by, value }: Said): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d{1,5}$/.test(value) ? Number(value) : NaN;
  if (number <= 65_535) return number;
  throw usage(`${by} must be an integer from 0 to 65535, not ${JSON.stringify(value)}`);
}

function tokenOf({ by, value }: Said): string | undefined {
  if (value === undefined || tokenPattern.test(value)) return value;
  throw usage(`${by} must be at least 16 of the characters A-Z a-z 0-9 - . _ ~ + / and =`);
}
