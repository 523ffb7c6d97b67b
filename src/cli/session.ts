/**
 * Where a command meets the memories: the project is found here, and only here is the memory service made.
 *
 * The service is loaded when it is first needed: `zpm --help` pays for no engine, and `zpm serve` answers
 * its client's first questions before one starts (DESIGN section 5).
 */
import { noProject } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { giveUpPermissions } from "../base/permissions.ts";
import type { Change, Diagnosis, Memories } from "../memory/memory.ts";
import { findProject, globalDirectory, type Project } from "../store/project.ts";
import type { Io } from "./io.ts";
import type { Settings } from "./settings.ts";

export interface MemoriesOptions {
  project: Project;
  engines: number;
  /** A server, which has much to ask; a command asks once. */
  longLived: boolean;
  log: Log;
}

export interface OpenedMemories extends Memories {
  /** Ends the workers; nothing is asked afterwards. */
  close(): Promise<void>;
  /** What only the real service can tell and do; `zpm doctor` asks for it. */
  diagnosis?: Diagnosis;
  reload?(): Promise<void>;
}

export type OpenMemories = (options: MemoriesOptions) => Promise<OpenedMemories>;

/** The memories of a project, opened when they are first used. */
export interface Session {
  project: Project;
  memories: Memories;
  /** Opens them now. A failure is told by whatever asks next. */
  begin(): void;
  /** Opens them now and waits. */
  opened(): Promise<OpenedMemories>;
  /** Reads edited files now, if the memories are open; a failure is told in the log and by whatever asks next. */
  reload(): void;
  close(): Promise<void>;
}

/** The project that is named, or the nearest one, when there is any. */
export function findLocated(settings: Settings, io: Io): Project | undefined {
  return findProject({ flag: settings.project, env: io.env("ZPM_PROJECT"), cwd: io.cwd() });
}

/** The project a command works in; there is always one, or an error that says how to make one. */
export function locate(settings: Settings, io: Io): Project {
  const project = findLocated(settings, io);
  if (!project) throw noProject();
  const global = globalDirectory({
    flag: settings.globalDir,
    env: io.env,
    platform: Deno.build.os,
  });
  return { ...project, global };
}

export function makeSession(options: MemoriesOptions, open: OpenMemories = openMemories): Session {
  let opened: Promise<OpenedMemories> | undefined;
  let closed = false;
  const listeners = new Set<(change: Change) => void>();
  const memories = () => opened ??= opening();
  const opening = async () => {
    const service = await open(options);
    service.watch?.((change) => listeners.forEach((listener) => listener(change)));
    return service;
  };
  return {
    project: options.project,
    memories: {
      memory: async (name, context) => (await memories()).memory(name, context),
      // Whoever listens need not open them: nothing has changed as long as nobody has asked.
      watch(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    opened: memories,
    reload() {
      opened?.then((memories) => memories.reload?.()).then(
        () => options.log("info", "The files of kb were read again"),
        (error) => options.log("warn", `The files of kb were not read again: ${error}`),
      );
    },
    begin() {
      if (!closed) memories().catch(() => {});
    },
    async close() {
      closed = true;
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

/**
 * Opens the real ones, then gives away what the main thread may do: from here on only the store's worker
 * touches files, and only in the project's folder (DESIGN section 5).
 */
async function openMemories(options: MemoriesOptions): Promise<OpenedMemories> {
  const service = await import("../memory/service.ts");
  const memories = await service.openMemories({
    folder: options.project.folder,
    global: options.project.global,
    engines: options.engines,
    longLived: options.longLived,
    report: (line) => options.log("warn", line),
  });
  giveUpPermissions();
  return memories;
}
