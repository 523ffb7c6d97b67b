/**
 * The source files of a memory: `kb/*.pl`, as bytes. Prolog decodes and reads them.
 */
import { type FileSystem, readFrom, reason } from "./file_system.ts";
import type { KbFile } from "./protocol.ts";

/** The files in byte order of names, and a sentence for each one that cannot be read. */
export function readKb(
  fs: FileSystem,
  directory: string,
): { files: KbFile[]; problems: string[] } {
  const files: KbFile[] = [];
  const problems: string[] = [];
  for (const name of sourceNames(fs, directory, problems)) {
    try {
      const path = `${directory}/${name}`;
      const there = fs.identify(path);
      if (!there) problems.push(`kb/${name} is not read: the link leads nowhere`);
      else if (there.isFile) files.push({ name, bytes: readFile(fs, path) });
      else problems.push(`kb/${name} is not read: it is not a file`);
    } catch (fault) {
      problems.push(`kb/${name} is not read: ${reason(fault)}`);
    }
  }
  return { files, problems };
}

/** Names that begin with a dot are what editors leave beside a file. */
function sourceNames(fs: FileSystem, directory: string, problems: string[]): string[] {
  try {
    return fs.list(directory)
      .filter((name) => name.endsWith(".pl") && !name.startsWith("."))
      .map((name) => ({ name, key: new TextEncoder().encode(name) }))
      .sort((a, b) => compareBytes(a.key, b.key))
      .map(({ name }) => name);
  } catch (fault) {
    problems.push(`kb is not read: ${reason(fault)}`);
    return [];
  }
}

function readFile(fs: FileSystem, path: string): Uint8Array {
  const handle = fs.open(path);
  try {
    return readFrom(handle, 0);
  } finally {
    handle.close();
  }
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    if (a[i] !== b[i]) return a[i] - b[i];
  }
  return a.length - b.length;
}
