/**
 * A file system in memory that forgets what was not synced, as a real one does when the power fails.
 *
 * What is written can be read back at once; only what `sync` returned for is there after `powerFails`. Names need
 * `syncDirectory`. A sync that fails loses the pages it was asked to write for good, as Linux does: a later sync
 * that succeeds says nothing about them. Faults are switched on by setting the public fields.
 */
import type {
  FileHandle,
  FileIdentity,
  FileSystem,
  OpenOptions,
} from "../../src/store/file_system.ts";

export class ForgetfulFileSystem implements FileSystem {
  /** Bytes that still fit; a write that does not fit is short first, then fails. */
  space = Infinity;
  /** The next so many writes take only half of what they are given. */
  short_writes = 0;
  /** The next so many syncs of files fail. */
  failing_syncs = 0;
  /** The next so many truncations fail. */
  failing_truncates = 0;
  /** Syncs of files so far. */
  syncs = 0;

  #names = new Map<string, Inode>();
  #durable_names = new Map<string, Inode>();
  #directories = new Set<string>(["/"]);
  /** The folders right below the root are there from the start, so to say. */
  #durable_directories = new Set<string>(["/"]);

  /**
   * What is there when the power is back. Up to `kept` bytes behind the durable end of each file survive too:
   * a disk may have written more than it was asked for.
   */
  powerFails(kept = 0): ForgetfulFileSystem {
    const after = new ForgetfulFileSystem();
    for (const path of this.#directories) {
      if (!this.#reachable(path)) continue;
      after.#directories.add(path);
      after.#durable_directories.add(path);
    }
    for (const [path, inode] of this.#durable_names) {
      if (!this.#reachable(parent(path))) continue;
      const copy = inode.afterPowerFailure(kept);
      after.#names.set(path, copy);
      after.#durable_names.set(path, copy);
    }
    return after;
  }

  /** The folder's name and those of all above it are durable. */
  #reachable(path: string): boolean {
    for (let each = path; each !== "/"; each = parent(each)) {
      if (!this.#durable_directories.has(each)) return false;
    }
    return true;
  }

  /** The process ends, the machine goes on: all is there that was written, and no lock is held. */
  processDies(): void {
    for (const inode of this.#names.values()) inode.lock = undefined;
  }

  /** The names of all files, with the folders. */
  paths(): string[] {
    return [...this.#names.keys()];
  }

  open(path: string, options: OpenOptions = {}): FileHandle {
    let inode = this.#names.get(path);
    if (!inode) {
      if (!options.create) throw new Deno.errors.NotFound(`no such file: ${path}`);
      if (!this.#directories.has(parent(path))) {
        throw new Deno.errors.NotFound(`no such directory: ${parent(path)}`);
      }
      inode = new Inode();
      this.#names.set(path, inode);
    }
    return new ForgetfulFile(this, inode);
  }

  identify(path: string): FileIdentity | undefined {
    if (this.#directories.has(path)) return { id: path, size: 0, isFile: false, modified_ms: 0 };
    return this.#names.get(path)?.identify();
  }

  list(path: string): string[] {
    const inside = [...this.#names.keys()].filter((name) => parent(name) === path);
    return inside.map((name) => name.slice(path.length + 1));
  }

  makeDirectory(path: string): void {
    for (let each = path; each !== "/" && each !== ""; each = parent(each)) {
      this.#directories.add(each);
      if (parent(each) === "/") this.#durable_directories.add(each);
    }
  }

  /** Of a folder: with all that is in it. Whether its new name is durable is another matter. */
  rename(from: string, to: string): void {
    if (this.#directories.has(from)) return this.#renameTree(from, to);
    const inode = this.#names.get(from);
    if (!inode) throw new Deno.errors.NotFound(`no such file: ${from}`);
    this.#names.delete(from);
    this.#names.set(to, inode);
  }

  #renameTree(from: string, to: string): void {
    const moved = (path: string) => path === from ? to : `${to}${path.slice(from.length)}`;
    const inside = (path: string) => path === from || path.startsWith(`${from}/`);
    for (const path of [...this.#directories].filter(inside)) {
      this.#directories.delete(path);
      this.#directories.add(moved(path));
    }
    for (const names of [this.#names, this.#durable_names]) {
      for (const [path, inode] of [...names].filter(([path]) => inside(path))) {
        names.delete(path);
        names.set(moved(path), inode);
      }
    }
  }

  remove(path: string): void {
    if (!this.#names.delete(path)) throw new Deno.errors.NotFound(`no such file: ${path}`);
  }

  /** Rights are not kept here; both files must be there. */
  copyRights(from: string, to: string): void {
    for (const path of [from, to]) {
      if (!this.#names.has(path)) throw new Deno.errors.NotFound(`no such file: ${path}`);
    }
  }

  syncDirectory(path: string): void {
    for (const each of [...this.#directories, ...this.#durable_directories]) {
      if (each === "/" || parent(each) !== path) continue;
      if (this.#directories.has(each)) this.#durable_directories.add(each);
      else this.#durable_directories.delete(each);
    }
    for (const name of this.#durable_names.keys()) {
      if (parent(name) === path) this.#durable_names.delete(name);
    }
    for (const [name, inode] of this.#names) {
      if (parent(name) === path) this.#durable_names.set(name, inode);
    }
  }

  /** Removes a folder with all that is in it, as `rm -rf` does; open handles stay usable. */
  removeTree(path: string): void {
    for (const name of [...this.#names.keys()]) {
      if (name.startsWith(`${path}/`)) this.#names.delete(name);
    }
    this.#directories.delete(path);
    this.syncDirectory(path);
    this.syncDirectory(parent(path));
  }

  /** The text of a file. */
  text(path: string): string {
    return new TextDecoder().decode(this.#names.get(path)?.bytes);
  }

  /** Puts a file there, durably. */
  put(path: string, content: string | Uint8Array): void {
    this.makeDirectory(parent(path));
    for (let each = parent(path); each !== "/"; each = parent(each)) {
      this.#durable_directories.add(each);
    }
    const inode = new Inode();
    inode.write(0, typeof content === "string" ? new TextEncoder().encode(content) : content);
    inode.sync();
    this.#names.set(path, inode);
    this.syncDirectory(parent(path));
  }
}

/** What a file is, apart from its names. */
class Inode {
  bytes = new Uint8Array(0);
  lock?: { exclusive: boolean; owners: Set<ForgetfulFile> };
  readonly #id = `inode ${++inodes}`;
  #durable = new Uint8Array(0);
  #dirty: [from: number, to: number][] = [];

  identify(): FileIdentity {
    return { id: this.#id, size: this.bytes.length, isFile: true, modified_ms: 0 };
  }

  write(offset: number, bytes: Uint8Array): void {
    const size = Math.max(this.bytes.length, offset + bytes.length);
    this.bytes = resized(this.bytes, size);
    this.bytes.set(bytes, offset);
    this.#dirty.push([offset, offset + bytes.length]);
  }

  truncate(size: number): void {
    this.bytes = resized(this.bytes, size);
  }

  sync(): void {
    this.#durable = resized(this.#durable, this.bytes.length);
    for (const [from, to] of this.#dirty) {
      this.#durable.set(this.bytes.subarray(from, Math.min(to, this.bytes.length)), from);
    }
    this.#dirty = [];
  }

  /** The pages count as clean from now on, and are not on the disk. */
  failToSync(): void {
    this.#dirty = [];
  }

  afterPowerFailure(kept: number): Inode {
    const copy = new Inode();
    const more = this.bytes.subarray(this.#durable.length, this.#durable.length + kept);
    copy.write(0, Uint8Array.of(...this.#durable, ...more));
    copy.sync();
    return copy;
  }
}

class ForgetfulFile implements FileHandle {
  readonly #fs: ForgetfulFileSystem;
  readonly #inode: Inode;

  constructor(fs: ForgetfulFileSystem, inode: Inode) {
    this.#fs = fs;
    this.#inode = inode;
  }

  identify(): FileIdentity {
    return this.#inode.identify();
  }

  read(offset: number, buffer: Uint8Array): number {
    const part = this.#inode.bytes.subarray(offset, offset + buffer.length);
    buffer.set(part);
    return part.length;
  }

  write(offset: number, bytes: Uint8Array): number {
    let length = Math.min(bytes.length, this.#fs.space);
    if (length <= 0) throw new Error("No space left on device (os error 28)");
    if (this.#fs.short_writes > 0) {
      this.#fs.short_writes--;
      length = Math.ceil(length / 2);
    }
    this.#fs.space -= length;
    this.#inode.write(offset, bytes.subarray(0, length));
    return length;
  }

  truncate(size: number): void {
    if (this.#fs.failing_truncates > 0) {
      this.#fs.failing_truncates--;
      throw new Error("Input/output error (os error 5), truncate");
    }
    this.#inode.truncate(size);
  }

  sync(): void {
    this.#fs.syncs++;
    if (this.#fs.failing_syncs > 0) {
      this.#fs.failing_syncs--;
      this.#inode.failToSync();
      throw new Error("Input/output error (os error 5), sync");
    }
    this.#inode.sync();
  }

  tryLock(exclusive: boolean): boolean {
    const lock = this.#inode.lock;
    if (
      lock && (exclusive || lock.exclusive) && !(lock.owners.size === 1 && lock.owners.has(this))
    ) {
      return false;
    }
    const owners = lock?.owners ?? new Set();
    owners.add(this);
    this.#inode.lock = { exclusive, owners };
    return true;
  }

  async lock(exclusive: boolean): Promise<void> {
    while (!this.tryLock(exclusive)) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  unlock(): void {
    this.#inode.lock?.owners.delete(this);
    if (this.#inode.lock?.owners.size === 0) this.#inode.lock = undefined;
  }

  close(): void {
    this.unlock();
  }
}

let inodes = 0;

function resized(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(size);
  copy.set(bytes.subarray(0, size));
  return copy;
}

function parent(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}
