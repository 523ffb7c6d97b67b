/**
 * The base of all forks: what a project knew when the server started, and the overlay over it (SPEC 3.1).
 *
 * It is loaded once, as files are, and kept as a memory image from which the engines of all forks boot. So nobody can
 * write to it: what a fork changes in it is an operation in the fork's own journal.
 */
import type { Assets, Image } from "../engine/assets.ts";
import { bootBase } from "../engine/boot.ts";
import type { Engine } from "../engine/engine.ts";
import { limits } from "../base/limits.ts";
import { loadedEngine, reportLine } from "../memory/files.ts";
import type { Memories } from "../memory/memory.ts";
import { DEFAULT } from "../memory/project.ts";
import type { KbFile } from "../store/protocol.ts";

export interface BaseOptions {
  assets: Assets;
  /** In this order; see `exportOf`. */
  files: KbFile[];
  /** Asked before the image is taken: what the overlay says that no file can. */
  prepare?: (engine: Engine) => Promise<void>;
  /** What the loader has to say, a line each. */
  report?: (line: string) => void;
}

/** The name under which the project's knowledge is loaded into the base. */
const EXPORT = "base.pl";

/** All that the default memory of a project holds, files and journal, as a file. */
export async function exportOf(memories: Memories): Promise<KbFile> {
  const context = { by: "serve", client: "base", deadline_ms: limits.deadline_max_ms };
  const memory = await memories.memory(DEFAULT, context);
  const { text } = await memory.ask<{ text: string }>({ op: "export_text" });
  return { name: EXPORT, bytes: new TextEncoder().encode(text) };
}

export async function freeze({ assets, files, prepare, report }: BaseOptions): Promise<Image> {
  const memory = { name: DEFAULT, mode: "rw", files, bare: true };
  const { engine, reports } = await loadedEngine([memory], () => bootBase(assets));
  try {
    for (const said of reports.get(DEFAULT) ?? []) {
      if (said.severity !== "note") report?.(reportLine(said));
    }
    await prepare?.(engine);
    return await engine.image();
  } finally {
    engine.stop();
  }
}
