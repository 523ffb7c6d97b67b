/**
 * The few things the store asks of a file system. Everything that can fail on a real disk goes through here,
 * so that a test can stand in a disk that is full, forgets what was not synced, or refuses to sync.
 */
import { basename, dirname, join } from "node:path";

/** Which file it is, whatever its name: two handles with the same `id` are the same file. */
export interface FileIdentity {
  id: string;
  size: number;
  isFile: boolean;
  /** When it was last written, 0 where nobody knows. */
  modified_ms: number;
}

/** What an open file can do. All positions are absolute; nothing depends on a cursor. */
export interface FileHandle {
  identify(): FileIdentity;
  /** Fills `buffer` from `offset`; the number of bytes, 0 at the end. */
  read(offset: number, buffer: Uint8Array): number;
  /** May write less than it was given, without an error: a full disk does that. */
  write(offset: number, bytes: Uint8Array): number;
  truncate(size: number): void;
  /** Data and length are on the disk when it returns. */
  sync(): void;
  /** Absent where the runtime has no such call (Deno before 2.9). */
  tryLock?(exclusive: boolean): boolean;
  lock(exclusive: boolean): Promise<void>;
  unlock(): void;
  close(): void;
}

export interface OpenOptions {
  /** Read and write; without it, read only. */
  write?: boolean;
  /** Made, for the owner alone, when it is not there. */
  create?: boolean;
}

export interface FileSystem {
  open(path: string, options?: OpenOptions): FileHandle;
  /** Undefined when nothing is there. Follows links. */
  identify(path: string): FileIdentity | undefined;
  /** Names in a folder; none when the folder is not there. */
  list(path: string): string[];
  /** With its parents, for the owner alone. */
  makeDirectory(path: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Gives one file the owner and the mode bits of another. */
  copyRights(from: string, to: string): void;
  /** Makes created, renamed and removed names durable. */
  syncDirectory(path: string): void;
}

/** The file system under Deno. */
export const denoFileSystem: FileSystem = {
  open: openFile,
  identify: identifyPath,
  list: listDirectory,
  makeDirectory: (path) => Deno.mkdirSync(path, { recursive: true, mode: 0o700 }),
  rename: Deno.renameSync,
  remove: (path) => Deno.removeSync(path),
  copyRights,
  syncDirectory,
};

/** The whole of a file from `offset` on, or the next `most` bytes of it. */
export function readFrom(handle: FileHandle, offset: number, most = Infinity): Uint8Array {
  const left = Math.max(0, handle.identify().size - offset);
  const bytes = new Uint8Array(Math.min(left, most));
  let filled = 0;
  while (filled < bytes.length) {
    const got = handle.read(offset + filled, bytes.subarray(filled));
    if (got === 0) break;
    filled += got;
  }
  return bytes.subarray(0, filled);
}

/** Writes all of `bytes` or throws; a short write goes on until the disk says why. */
export function writeAll(handle: FileHandle, offset: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) {
    const wrote = handle.write(offset + done, bytes.subarray(done));
    if (wrote <= 0) throw new Error(`wrote ${done} of ${bytes.length} bytes`);
    done += wrote;
  }
}

/** A file with exactly these bytes, on the disk when it returns; its name is not yet durable. */
export function writeFile(fs: FileSystem, path: string, bytes: Uint8Array): void {
  const handle = fs.open(path, { write: true, create: true });
  try {
    handle.truncate(0);
    writeAll(handle, 0, bytes);
    handle.sync();
  } finally {
    handle.close();
  }
}

/**
 * The file has these bytes or those it had, durably, whatever happens meanwhile: it is written as a hidden file
 * beside, which `ready` may still change, and takes the other's name.
 */
export function replaceFile(
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  ready?: (temporary: string) => void,
): void {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`);
  try {
    writeFile(fs, temporary, bytes);
    ready?.(temporary);
  } catch (fault) {
    if (fs.identify(temporary) !== undefined) fs.remove(temporary);
    throw fault;
  }
  fs.rename(temporary, path);
  fs.syncDirectory(dirname(path));
}

/** What went wrong, for a sentence. Permissions are for the memory's folder, so only a link can lead out of them. */
export function reason(fault: unknown): string {
  if (fault instanceof Deno.errors.NotCapable) return "a link leads out of the memory's folder";
  return fault instanceof Error ? fault.message : String(fault);
}

function openFile(path: string, options: OpenOptions = {}): FileHandle {
  const { write = false, create = false } = options;
  const file = Deno.openSync(path, { read: true, write, create, mode: 0o600 });
  const handle: FileHandle = {
    identify: () => identity(file.statSync()),
    read: (offset, buffer) => {
      file.seekSync(offset, Deno.SeekMode.Start);
      return file.readSync(buffer) ?? 0;
    },
    write: (offset, bytes) => {
      file.seekSync(offset, Deno.SeekMode.Start);
      return file.writeSync(bytes);
    },
    truncate: (size) => file.truncateSync(size),
    sync: () => file.syncSync(),
    lock: (exclusive) => file.lock(exclusive),
    unlock: () => file.unlockSync(),
    close: () => file.close(),
  };
  // The runtime inside a compiled binary may be older than the one that checks the types.
  if (typeof file.tryLockSync === "function") {
    handle.tryLock = (exclusive) => file.tryLockSync(exclusive);
  }
  return handle;
}

function identifyPath(path: string): FileIdentity | undefined {
  try {
    return identity(Deno.statSync(path));
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) return undefined;
    throw fault;
  }
}

function identity(info: Deno.FileInfo): FileIdentity {
  return {
    id: `${info.dev}:${info.ino}`,
    size: info.size,
    isFile: info.isFile,
    modified_ms: info.mtime?.getTime() ?? 0,
  };
}

function listDirectory(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].map((entry) => entry.name);
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) return [];
    throw fault;
  }
}

/** The owner first, since changing it takes bits away. Windows has neither. */
function copyRights(from: string, to: string): void {
  if (Deno.build.os === "windows") return;
  const [wanted, given] = [from, to].map((path) => Deno.statSync(path));
  if (wanted.uid !== given.uid || wanted.gid !== given.gid) {
    Deno.chownSync(to, wanted.uid, wanted.gid);
  }
  Deno.chmodSync(to, wanted.mode! & 0o7777);
}

/** Windows has no such call (ENGINE-NOTES 2.8): names there are as durable as the system makes them. */
function syncDirectory(path: string): void {
  if (Deno.build.os === "windows") return;
  const directory = Deno.openSync(path, { read: true });
  try {
    directory.syncSync();
  } finally {
    directory.close();
  }
}
