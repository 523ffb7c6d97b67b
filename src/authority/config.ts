/**
 * The config of a server with many principals (SPEC 3.3), read strictly: what is not understood is refused, with
 * the key named, for a misspelt `lease_ttl_ms` is a fork that never ends.
 */
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { configRefused } from "../base/authority_errors.ts";
import { doubledName } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { Members } from "./config_reader.ts";
import { readPrincipals } from "./config_principals.ts";
import type { Principal } from "./principal.ts";

/** All paths are absolute. */
export interface ServerConfig {
  /** The config file itself. */
  path: string;
  state_dir: string;
  /** Present when a principal is durable. */
  forks_dir?: string;
  /** Absent when neither the file nor ZPM_AUDIT_DIR names it: a server then refuses to start. */
  audit_dir?: string;
  principals: Map<string, Principal>;
  /** Origins of web pages that may call, besides programs, which send none. */
  origins: string[];
  syntax: "edn" | "prolog";
  body_limit_bytes: number;
  overlay_dir?: string;
  base_context: string;
  tools: "verbs" | "all";
  /** Engines of all forks together, at most; absent when the file leaves it to the server. */
  engines?: number;
}

/** The environment, by name. */
export type Env = (name: string) => string | undefined;

const KEYS = [
  "state_dir",
  "forks_dir",
  "audit_dir",
  "principals",
  "origins",
  "syntax",
  "body_limit_bytes",
  "overlay_dir",
  "base_context",
  "tools",
  "engines",
];

/** The config in a text; `path` is the file's own, absolute, and what relative paths start from. */
export function readConfig(text: string, path: string, env: Env): ServerConfig {
  const members = new Members(parsed(text, path), { file: path, at: "", known: KEYS });
  const folder = (name: string) => {
    const said = members.text(name);
    return said === undefined ? undefined : resolve(dirname(path), said);
  };
  const config: ServerConfig = {
    path,
    state_dir: members.required("state_dir", folder("state_dir")),
    forks_dir: folder("forks_dir"),
    audit_dir: auditFolder(members, path, env),
    principals: readPrincipals(members, path),
    origins: originsOf(members),
    syntax: members.oneOf("syntax", ["edn", "prolog"]) ?? "edn",
    body_limit_bytes: members.integer("body_limit_bytes", { maximum: limits.message_bytes }) ??
      limits.body_bytes,
    overlay_dir: folder("overlay_dir"),
    base_context: members.matching(
      "base_context",
      /^[A-Za-z][A-Za-z0-9_-]*$/,
      "must be letters, digits, - and _, a letter first",
    ) ?? "CxUniverse",
    tools: members.oneOf("tools", ["verbs", "all"]) ?? "verbs",
    engines: members.integer("engines", { maximum: limits.engines_max }),
  };
  const durable = [...config.principals.values()].find((each) => each.lifecycle === "durable");
  if (durable && config.forks_dir === undefined) {
    const why = `forks_dir is required: the fork of principals.${durable.name} is durable`;
    throw configRefused(path, why);
  }
  refuseOverlap(config);
  return config;
}

/** Refuses folders of which one lies in another, or is it. */
export function refuseOverlap(
  config: Pick<ServerConfig, "path" | "state_dir" | "forks_dir" | "audit_dir" | "overlay_dir">,
): void {
  const { path, state_dir, forks_dir, audit_dir, overlay_dir } = config;
  const folders = Object.entries({ audit_dir, state_dir, forks_dir, overlay_dir });
  for (const [index, [name, folder]] of folders.entries()) {
    for (const [other, with_] of folders.slice(index + 1)) {
      if (!folder || !with_ || !(isWithin(folder, with_) || isWithin(with_, folder))) continue;
      throw configRefused(
        path,
        `${name} and ${other} must not lie in one another: ${folder}, ${with_}`,
      );
    }
  }
}

/** Whether `path` is `folder` or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || way !== ".." && !way.startsWith(`..${SEPARATOR}`) && !isAbsolute(way);
}

const SEPARATOR = Deno.build.os === "windows" ? "\\" : "/";

function parsed(text: string, path: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (fault) {
    throw configRefused(path, `it is no JSON: ${(fault as Error).message}`);
  }
  const doubled = doubledName(text);
  if (doubled === undefined) return value;
  throw configRefused(path, `the key ${JSON.stringify(doubled)} stands twice in one object`);
}

/** The file's, or the variable's; when both speak, they must say the same. */
function auditFolder(members: Members, path: string, env: Env): string | undefined {
  const said = members.text("audit_dir");
  const variable = env("ZPM_AUDIT_DIR") || undefined;
  const folder = said ?? variable;
  if (folder === undefined) return undefined;
  const by = said === undefined ? "ZPM_AUDIT_DIR" : "audit_dir";
  if (!isAbsolute(folder)) {
    throw configRefused(path, `${by} must be an absolute path, not ${JSON.stringify(folder)}`);
  }
  if (variable !== undefined && resolve(variable) !== resolve(folder)) {
    const why = `audit_dir is ${JSON.stringify(folder)}, ZPM_AUDIT_DIR is ${
      JSON.stringify(variable)
    }: leave one of them out`;
    throw configRefused(path, why);
  }
  return resolve(folder);
}

function originsOf(members: Members): string[] {
  const origins = members.texts("origins") ?? [];
  for (const origin of origins) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue;
    throw members.refusal("origins", `must be origins such as "https://app.example:8080"`);
  }
  return origins;
}
