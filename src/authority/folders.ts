/**
 * The folders of a server with principals, made and looked at before anything is opened: permissions are fixed to
 * exactly these, so links are resolved here. The audit's must be where nobody else writes or cleans up.
 */
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { configRefused } from "../base/authority_errors.ts";
import { denoFileSystem, reason } from "../store/file_system.ts";
import { isWithin, refuseOverlap, type ServerConfig } from "./config.ts";

/** All absolute and without links; all there, for their owner alone. */
export interface ServerFolders {
  state_dir: string;
  audit_dir: string;
  forks_dir?: string;
  overlay_dir?: string;
}

/** Makes what is missing; refuses with the key named. */
export function prepareFolders(config: ServerConfig): ServerFolders {
  const { path, audit_dir } = config;
  if (audit_dir === undefined) {
    throw configRefused(path, "audit_dir is required: name it there, or in ZPM_AUDIT_DIR");
  }
  const real_audit = realPath(audit_dir);
  if (real_audit !== audit_dir) {
    throw configRefused(path, `audit_dir leads over a link: ${audit_dir} is ${real_audit}`);
  }
  refuseTemporary(path, audit_dir);
  const folders: ServerFolders = {
    audit_dir: makeFolder(path, "audit_dir", audit_dir),
    state_dir: makeFolder(path, "state_dir", config.state_dir),
    ...(config.forks_dir && { forks_dir: makeFolder(path, "forks_dir", config.forks_dir) }),
    ...(config.overlay_dir && { overlay_dir: existing(path, config.overlay_dir) }),
  };
  const mode = Deno.statSync(audit_dir).mode ?? 0;
  if (Deno.build.os !== "windows" && (mode & 0o002) !== 0) {
    throw configRefused(path, `audit_dir can be written by everybody: ${audit_dir}`);
  }
  refuseOverlap({ path, ...folders });
  return folders;
}

/** What lies among temporary files is cleaned up by others. */
function refuseTemporary(path: string, folder: string): void {
  if (!isWithin(folder, realPath(tmpdir()))) return;
  throw configRefused(path, `audit_dir must not lie among temporary files: ${folder}`);
}

/** Without links, as far as something is there. */
function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (fault) {
    const parent = dirname(path);
    if (!(fault instanceof Deno.errors.NotFound) || parent === path) return path;
    return join(realPath(parent), basename(path));
  }
}

/** Makes the folder with its parents, their names durable: its path without links. `path` is the config's. */
export function makeFolder(path: string, name: string, folder: string): string {
  try {
    const missing: string[] = [];
    for (let each = folder; !denoFileSystem.identify(each); each = dirname(each)) {
      missing.push(each);
    }
    denoFileSystem.makeDirectory(folder);
    for (const each of missing) denoFileSystem.syncDirectory(dirname(each));
    if (!Deno.statSync(folder).isDirectory) throw new Error("it is no folder");
    return Deno.realPathSync(folder);
  } catch (fault) {
    throw configRefused(path, `${name} cannot be made, ${folder}: ${reason(fault)}`);
  }
}

function existing(path: string, folder: string): string {
  try {
    if (Deno.statSync(folder).isDirectory) return Deno.realPathSync(folder);
  } catch {
    // Told in the same words as a file in its place.
  }
  throw configRefused(path, `overlay_dir is no folder: ${folder}`);
}
