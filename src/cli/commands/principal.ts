import type { Administration, Shape } from "../../authority/administration.ts";
import type { PrincipalStanding } from "../../authority/principal.ts";
import { limits } from "../../base/limits.ts";
import type { ToolResult } from "../../tools/invoke.ts";
import { type Command, type CommandCall, told } from "../command.ts";
import { configOption, requiredConfig } from "../config_file.ts";
import { fileText } from "../input.ts";
import { type Sorted, usage } from "../options.ts";

export const principal: Command = {
  name: "principal",
  summary: "Add, revoke, restore or list the principals of a server.",
  description:
    "Administers who may call a server with principals ('zpm serve --config FILE'); one that runs learns of it at " +
    "once. 'add' makes a token, prints it this one time, and puts its SHA-256 into the config; with --rotate the " +
    "principal is there already and gets a new token in the place of the old one. 'revoke' waits for writes of the " +
    "principal that are under way, and refuses all that come later; 'restore' lets it in again.",
  positionals: ["action", "name"],
  usage: "add|revoke|restore NAME --config FILE, or list --config FILE",
  options: [
    configOption,
    {
      name: "fork",
      type: "string",
      placeholder: "FORK",
      description: "The fork it works on, with others who name the same (default: NAME)",
    },
    {
      name: "lifecycle",
      type: "string",
      placeholder: "KIND",
      description:
        "durable (default): the fork stays; leased: it ends some time after its last use",
    },
    {
      name: "lease-ttl-ms",
      type: "integer",
      placeholder: "N",
      description: "How long after its last use a leased fork ends",
    },
    {
      name: "rotate",
      type: "boolean",
      description: "Give a principal that is there a new token",
    },
  ],
  examples: [
    { line: "zpm principal add ana --config server.json" },
    {
      line:
        "zpm principal add visitor --lifecycle leased --lease-ttl-ms 600000 --config server.json",
    },
    { line: "zpm principal add ana --rotate --config server.json" },
    { line: "zpm principal revoke ana --config server.json" },
    { line: "zpm principal list --config server.json" },
  ],
  async run(call) {
    const [action, name] = call.sorted.positionals;
    const act = Object.hasOwn(ACTIONS, action ?? "") ? ACTIONS[action] : undefined;
    if (!act) throw usage(`Say what to do: add, revoke, restore or list, not ${said(action)}`);
    if (action === "list" && name !== undefined) {
      throw usage(`list takes no name, not ${said(name)}`);
    }
    if (action !== "list" && !name) throw usage(`Name the principal: zpm principal ${action} NAME`);
    for (const option of ADD_ONLY.filter((option) => call.sorted.options.has(option))) {
      if (action !== "add") throw usage(`--${option} goes with 'add' only, not with '${action}'`);
    }
    return await act(await administration(call), name, call.sorted);
  },
};

const ADD_ONLY = ["fork", "lifecycle", "lease-ttl-ms", "rotate"];

type Action = (admin: Administration, name: string, sorted: Sorted) => Promise<ToolResult>;

const ACTIONS: Record<string, Action> = {
  async add(admin, name, { options }) {
    const shape = shapeOf(options);
    const rotate = options.get("rotate") === true;
    if (rotate && Object.keys(shape).length > 0) {
      throw usage("--rotate changes the token only: leave out --fork, --lifecycle, --lease-ttl-ms");
    }
    const { principal, token } = rotate ? await admin.rotate(name) : await admin.add(name, shape);
    const done = rotate
      ? `${name} has a new token, the one before is of no use any more`
      : `Added ${line(principal)}`;
    const notes = [`${done}. The token is shown this once.`];
    if (principal.revoked_since) {
      notes.push(`${name} is revoked: 'zpm principal restore ${name}' lets it in`);
    }
    return told([token, ...notes], { ...principal, token });
  },
  async revoke(admin, name) {
    const principal = await admin.revoke(name);
    return told([`Revoked ${line(principal)}`], { ...principal });
  },
  async restore(admin, name) {
    const principal = await admin.restore(name);
    return told([`Restored ${line(principal)}`], { ...principal });
  },
  async list(admin) {
    const principals = await admin.list();
    return told([principals.map(line).join("\n") || "There are no principals"], { principals });
  },
};

function line(principal: PrincipalStanding): string {
  const { name, fork_id, lifecycle, lease_ttl_ms, revoked_since, generation } = principal;
  const shape = lifecycle === "leased" ? `leased for ${lease_ttl_ms} ms` : lifecycle;
  const revoked = revoked_since ? `, revoked since ${revoked_since}` : "";
  const changed = generation > 0 ? `, generation ${generation}` : "";
  return `${name}: fork ${fork_id}, ${shape}${revoked}${changed}`;
}

function shapeOf(options: Sorted["options"]): Shape {
  const fork_id = options.get("fork") as string | undefined;
  const lifecycle = options.get("lifecycle") as string | undefined;
  if (lifecycle !== undefined && lifecycle !== "durable" && lifecycle !== "leased") {
    throw usage(`--lifecycle must be durable or leased, not ${said(lifecycle)}`);
  }
  const ttl = options.get("lease-ttl-ms") as string | undefined;
  const lease_ttl_ms = ttl === undefined ? undefined : milliseconds(ttl);
  return {
    ...(fork_id !== undefined && { fork_id }),
    ...(lifecycle !== undefined && { lifecycle }),
    ...(lease_ttl_ms !== undefined && { lease_ttl_ms }),
  };
}

function milliseconds(text: string): number {
  const number = /^\d{1,12}$/.test(text) ? Number(text) : NaN;
  if (number >= 1 && number <= limits.lease_max_ms) return number;
  const rule = `an integer from 1 to ${limits.lease_max_ms}`;
  throw usage(`--lease-ttl-ms must be ${rule}, not ${said(text)}`);
}

function said(word: string | undefined): string {
  return word === undefined ? "nothing" : JSON.stringify(word);
}

async function administration({ sorted, io }: CommandCall): Promise<Administration> {
  const { path, file } = await requiredConfig(sorted, io);
  // Loaded only here: what they need takes long to load, and a server's start would pay for it.
  const { Administration } = await import("../../authority/administration.ts");
  const { makeFolder } = await import("../../authority/folders.ts");
  const { denoFileSystem } = await import("../../store/file_system.ts");
  return new Administration({
    fs: denoFileSystem,
    path,
    file,
    env: io.env,
    readText: (path) => fileText(path, io),
    makeFolder: (key, folder) => makeFolder(path, key, folder),
  });
}
