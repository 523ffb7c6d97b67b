/**
 * Files that change while a server runs (SPEC 1.5, ENGINE-NOTES R6): they are read again before the next call, and
 * a file that does not load keeps the version that does.
 */
import type { Engine } from "../engine/engine.ts";
import type { KbFile } from "../store/protocol.ts";
import { loadedEngine, type Report } from "./files.ts";

export interface Judged {
  /** What is loaded from now on. */
  files: KbFile[];
  /** A line for each version that is not taken over. */
  kept: string[];
}

/** Decides which version of each file counts; `before` is what is loaded now. */
export async function judge(
  memory: { name: string; mode: string; files: KbFile[] },
  before: KbFile[],
  boot: () => Promise<Engine>,
): Promise<Judged> {
  const known = new Map(before.map((file) => [file.name, file]));
  const edited = memory.files.filter((file) => {
    const old = known.get(file.name);
    return old && !sameBytes(old.bytes, file.bytes);
  });
  if (edited.length === 0) return { files: memory.files, kept: [] };
  const { engine, reports } = await loadedEngine([memory], boot);
  engine.stop();
  const faults = (reports.get(memory.name) ?? []).filter(({ severity }) => severity === "error");
  const broken = new Map(edited.flatMap((file) => {
    const fault = faults.find((report) => report.file.endsWith(`kb/${file.name}`));
    return fault ? [[file.name, fault] as const] : [];
  }));
  return {
    files: memory.files.map((file) => broken.has(file.name) ? known.get(file.name)! : file),
    kept: [...broken.values()].map(keptLine),
  };
}

function keptLine({ file, line, message }: Report): string {
  return `${file}:${line}: error: ${message}; the version that was loaded before stays`;
}

/** Whether the same files are loaded, with the same bytes. */
export function sameFiles(before: KbFile[], after: KbFile[]): boolean {
  return before.length === after.length &&
    before.every(({ name, bytes }, index) =>
      name === after[index].name && sameBytes(bytes, after[index].bytes)
    );
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
