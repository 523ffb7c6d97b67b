/**
 * A file system that lets somebody stand between every call that changes a file, a name or a lock and the file
 * system below: to write the calls down, or to end the process at one of them.
 */
import type { FileHandle, FileSystem, OpenOptions } from "../../src/store/file_system.ts";

/** One call, as a line for a person: `sync data/journal-000001.wal`. */
export interface FsCall {
  text: string;
  /** Does a part of it, where it can be done in part. */
  half?: () => void;
}

/** Stands between: runs the call, or does not. */
export type Hook = <T>(call: FsCall, run: () => T) => T;

export interface Hooks {
  change: Hook;
  /** Before calls that only look; throws where nothing is possible any more. */
  look?: () => void;
}

/** `root` is left out of the names in the lines. */
export function hookedFileSystem(fs: FileSystem, root: string, hooks: Hooks): FileSystem {
  const { change, look = () => {} } = hooks;
  const short = (path: string) => path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const looking = <T>(run: () => T): T => {
    look();
    return run();
  };
  return {
    open(path: string, options?: OpenOptions): FileHandle {
      const makes = options?.create && looking(() => fs.identify(path)) === undefined;
      const open = () => hookedHandle(fs.open(path, options), short(path), hooks);
      return makes ? change({ text: `create ${short(path)}` }, open) : looking(open);
    },
    identify: (path) => looking(() => fs.identify(path)),
    list: (path) => looking(() => fs.list(path)),
    makeDirectory: (path) =>
      change({ text: `make folder ${short(path)}` }, () => fs.makeDirectory(path)),
    rename: (from, to) =>
      change({ text: `rename ${short(from)} to ${short(to)}` }, () => fs.rename(from, to)),
    remove: (path) => change({ text: `remove ${short(path)}` }, () => fs.remove(path)),
    copyRights: (from, to) =>
      change(
        { text: `give ${short(to)} the rights of ${short(from)}` },
        () => fs.copyRights(from, to),
      ),
    syncDirectory: (path) =>
      change(
        { text: `sync folder ${path === root ? "." : short(path)}` },
        () => fs.syncDirectory(path),
      ),
  };
}

function hookedHandle(
  handle: FileHandle,
  name: string,
  { change, look = () => {} }: Hooks,
): FileHandle {
  const looking = <T>(run: () => T): T => {
    look();
    return run();
  };
  return {
    identify: () => looking(() => handle.identify()),
    read: (offset, buffer) => looking(() => handle.read(offset, buffer)),
    write: (offset, bytes) =>
      change({
        text: `write ${name} ${bytes.length} bytes at ${offset}`,
        half: () => void handle.write(offset, bytes.subarray(0, bytes.length >> 1)),
      }, () => handle.write(offset, bytes)),
    truncate: (size) => change({ text: `cut ${name} to ${size}` }, () => handle.truncate(size)),
    sync: () => change({ text: `sync ${name}` }, () => handle.sync()),
    tryLock(exclusive) {
      const locked = looking(() => handle.tryLock!(exclusive));
      if (locked) change({ text: `lock ${name}${exclusive ? "" : ", shared"}` }, () => {});
      return locked;
    },
    lock: (exclusive) => handle.lock(exclusive),
    unlock: () => change({ text: `unlock ${name}` }, () => handle.unlock()),
    close: () => handle.close(),
  };
}

/** Writes down the calls. */
export function recordedFileSystem(fs: FileSystem, root: string) {
  const calls: string[] = [];
  const change: Hook = ({ text }, run) => {
    calls.push(text);
    return run();
  };
  return { fs: hookedFileSystem(fs, root, { change }), calls };
}

/** When the process ends: before a call, when half of it is done, or after it and before its answer. */
export type Moment = "before" | "within" | "after";

/** The process has ended: nothing that is asked of this file system does anything any more. */
export class Crash extends Error {}

/** Ends the process at a moment of the call with that number, counted from 1. */
export function crashingFileSystem(
  fs: FileSystem,
  root: string,
  at: { call: number; moment: Moment },
) {
  const state = { calls: 0, crashed: undefined as string | undefined };
  const crash = (text: string): never => {
    state.crashed = text;
    throw new Crash(text);
  };
  const look = () => {
    if (state.crashed !== undefined) throw new Crash(state.crashed);
  };
  const change: Hook = ({ text, half }, run) => {
    look();
    if (++state.calls !== at.call) return run();
    if (at.moment === "within") half?.();
    if (at.moment === "after") run();
    return crash(`${at.moment} call ${at.call}: ${text}`);
  };
  return { fs: hookedFileSystem(fs, root, { change, look }), state };
}
