/** Opens authority, audit and handles of a server: starts their worker, and hands out what speaks to it. */
import { configRefused } from "../base/authority_errors.ts";
import { Link } from "../base/link.ts";
import { limits } from "../base/limits.ts";
import { startThread } from "../base/thread.ts";
import type { Audit } from "./audit.ts";
import { AuditClient } from "./audit_client.ts";
import type { Authority } from "./authority.ts";
import { type Env, readConfig, type ServerConfig } from "./config.ts";
import type { ServerFolders } from "./folders.ts";
import { Groups } from "./groups.ts";
import type { Handles, SentexKey } from "./handles.ts";
import { LoggedAuthority } from "./logged_authority.ts";
import type { AuthorityCalls, Start } from "./protocol.ts";

const MODULE = { here: import.meta.url, source: "./worker.ts", bundle: "./authority_worker.js" };

export interface OpenedAuthority {
  authority: Authority;
  audit: Audit;
  handles: Handles;
  /** Writes what is only counted so far, and ends the worker. */
  close(): Promise<void>;
}

export interface OpenAuthorityOptions {
  config: ServerConfig;
  folders: ServerFolders;
  env: Env;
  /** Told what was found and mended, and what goes wrong where nobody waits. */
  warn: (text: string) => void;
}

/**
 * Rejects when another server has the folders, or when what is in them cannot be relied on. When it settles, the
 * main thread may give its permissions away.
 */
export async function openAuthority(options: OpenAuthorityOptions): Promise<OpenedAuthority> {
  const { config, folders, env, warn } = options;
  const { state_dir, audit_dir } = folders;
  // Read again, the file must say ZPM_AUDIT_DIR's word still, but nobody may look at the environment by then.
  const variable = env("ZPM_AUDIT_DIR");
  const write = [state_dir, audit_dir];
  // The config may be a link that leads elsewhere, and that is read.
  const read = [...new Set([...write, config.path, Deno.realPathSync(config.path)])];
  const thread = startThread("authority", MODULE, { read, write });
  const link = new Link<AuthorityCalls>(thread, "the authority");
  link.post({ state_dir, audit_dir, config: config.path } satisfies Start);
  await link.ready;
  const opened = await link.call("open", []).catch(async (fault) => {
    await link.close();
    throw fault;
  });
  opened.notes.forEach(warn);
  const audit = new AuditClient({
    record: (all) => link.call("record", [all]),
    auditProblem: () => link.call("auditProblem", []),
  }, opened);
  const authority = new LoggedAuthority({
    calls: {
      look: () => link.call("look", []),
      enter: (principal, wait_ms) => link.call("enter", [principal, wait_ms]),
      leave: (principal) => link.call("leave", [principal]),
      write: (order) => link.call("write", [order]),
    },
    principals: config.principals,
    async readPrincipals() {
      const fresh = readConfig(await link.call("config", []), config.path, () => variable);
      refuseWithoutFolder(fresh, folders);
      return fresh.principals;
    },
    written: opened.written,
    warn,
  });
  const sweeper = setInterval(() => {
    authority.sweep().catch((error) => warn(`A lease could not be ended: ${error.message}`));
  }, limits.lease_sweep_ms);
  Deno.unrefTimer(sweeper);
  return {
    authority,
    audit,
    handles: handlesOver(link),
    async close() {
      clearInterval(sweeper);
      await audit.close();
      await link.close();
    },
  };
}

/** Folders are made and opened at the start only. */
function refuseWithoutFolder({ principals, path }: ServerConfig, folders: ServerFolders): void {
  if (folders.forks_dir !== undefined) return;
  const durable = principals.values().find(({ lifecycle }) => lifecycle === "durable");
  if (!durable) return;
  const why = `principals.${durable.name} is durable, and the server began without forks_dir`;
  throw configRefused(path, `${why}: start it again`);
}

function handlesOver(link: Link<AuthorityCalls>): Handles {
  const groups = new Groups<readonly SentexKey[], number[]>(async (all) => {
    const numbers = await link.call("handlesOf", [all.flat()]);
    return all.map((keys) => numbers.splice(0, keys.length));
  });
  return {
    handlesOf: (keys) => groups.add(keys),
    keyOf: (handle) => link.call("keyOf", [handle]),
  };
}
