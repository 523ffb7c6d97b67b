/** A disk seen through something: each method of a handle can be exchanged, or be missing. */
import type { FileHandle, FileSystem } from "../../src/store/file_system.ts";

/** The same disk; `change` gives what is other of the handle of a file. */
export function seenFileSystem(
  fs: FileSystem,
  change: (path: string, handle: FileHandle) => Partial<FileHandle>,
): FileSystem {
  return {
    open(path, options) {
      const handle = fs.open(path, options);
      return { ...plain(handle), ...change(path, handle) };
    },
    identify: (path) => fs.identify(path),
    list: (path) => fs.list(path),
    makeDirectory: (path) => fs.makeDirectory(path),
    rename: (from, to) => fs.rename(from, to),
    remove: (path) => fs.remove(path),
    syncDirectory: (path) => fs.syncDirectory(path),
    copyRights: (from, to) => fs.copyRights(from, to),
  };
}

function plain(handle: FileHandle): FileHandle {
  return {
    identify: () => handle.identify(),
    read: (offset, buffer) => handle.read(offset, buffer),
    write: (offset, bytes) => handle.write(offset, bytes),
    truncate: (size) => handle.truncate(size),
    sync: () => handle.sync(),
    tryLock: (exclusive) => handle.tryLock!(exclusive),
    lock: (exclusive) => handle.lock(exclusive),
    unlock: () => handle.unlock(),
    close: () => handle.close(),
  };
}
