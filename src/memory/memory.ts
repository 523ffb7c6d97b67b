/**
 * What a tool can do with a memory. A read-only tool receives a `ReadMemory`, which has no `commit`, so
 * that a wrong read-only hint does not compile (DESIGN section 7, invariant 7).
 *
 * A request is plain data: `op` names a predicate of `src/prolog`, everything else crosses as it is. What a
 * user typed stays one string from the face to Prolog's reader; nothing here looks inside it.
 */
import type { Health, Repair } from "../store/protocol.ts";
import type { Snapshots } from "./snapshots.ts";

/** A value that crosses to Prolog. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

export interface Request {
  op: string;
  [key: string]: Plain;
}

/** What Prolog answers: the op's own keys and, when there are any, sentences that the reader must see. */
export type Reply<Body = Record<string, unknown>> = Body & { warnings?: string[] };

/** A memory that exists, as list_memories tells it. */
export interface MemoryEntry {
  name: string;
  scope: "project" | "global";
  mounted: boolean;
  /** null while it is not mounted. */
  mode: "rw" | "ro" | null;
}

export interface ReadMemory {
  /** The name tools use: `default`, or the name of a mounted memory. */
  readonly name: string;
  /** Asks a question at the head of the log; nothing it does is kept. */
  ask<Body>(request: Request): Promise<Reply<Body>>;
  /** What the memory's files on disk are worth. */
  health(): Promise<Health>;
  /** All memories of the project and of the global scope, the default one first. */
  list(): Promise<MemoryEntry[]>;
  /** Its snapshots; `save` and `remove` touch only files that are snapshots. */
  readonly snapshots: Snapshots;
}

export interface Memory extends ReadMemory {
  /**
   * The only way to change anything: plan, journal, fsync, apply, acknowledge. `commit` in the reply is the
   * number of the commit that holds the change; the promise settles when the change is durable (or, in
   * degraded mode, with a warning that says `not saved`). There is no `commit` when there was nothing to
   * change: then nothing was journaled.
   */
  commit<Body>(request: Request): Promise<Reply<Body & { commit?: number }>>;
  /** Another memory that is mounted, for a change that goes on there. */
  other(name: string): Promise<Memory>;
  /** Makes the folder of a new memory, which is then not mounted: the one write that is no commit. */
  create(name: string, scope: MemoryEntry["scope"]): Promise<void>;
  /** Deletes a memory that is not mounted, for good; no tool does that. */
  delete(name: string, scope: MemoryEntry["scope"]): Promise<void>;
}

/** Who calls, and for how long. */
export interface CallContext {
  /** The tool, written into the journal. */
  by: string;
  /** The principal, where there are several, and the id of the operation: both go into the journal, too. */
  who?: string;
  call?: string;
  /** Requests of one client keep their order and take turns with those of others. */
  client: string;
  /** Counted from the arrival of the call. */
  deadline_ms: number;
  /** Cancelled by the caller: reads stop their engine, a write that is not yet journaled is dropped. */
  signal?: AbortSignal;
  /** Told every now and then while an engine works: how many answers it has found. */
  progress?: (found: number) => void;
}

/** What is no longer as it was: a memory by name, which memories there are, or the files of the default one. */
export type Change = { memory: string } | "mounts" | "files";

/** The memories of a project, as the faces see them. */
export interface Memories {
  /**
   * Tells of every change this process makes, and of those of others when it notices them, which is before its
   * next answer. Returns how to stop that. Memories that do not change without their caller have none.
   */
  watch?(listener: (change: Change) => void): () => void;
  /** Rejects with `memory_missing` for a name that is not mounted. */
  memory(name: string, context: CallContext): Promise<Memory>;
}

/** The memories of an open project, and what is not a tool's business. */
export interface ProjectMemories extends Memories {
  diagnosis: Diagnosis;
  /** The number of the commit that an audited call made, in whichever memory; undefined when it made none. */
  commitOf(call: string): Promise<number | undefined>;
  /** Reads the files of `kb` again, now; one that does not load keeps the version that does. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** What `zpm doctor` asks for. */
export interface Diagnosis {
  /** Asks the engine for its version, the proof that it is alive. */
  version(): Promise<string>;
  /** What the loader said about the files of `kb/`, a line each. */
  reports(): string[];
  /** Every mounted memory, the default one first. */
  examine(): Promise<Examined[]>;
  /** Cuts the damaged journals of memories that may be written back to their good parts; what was done. */
  repair(): Promise<Examined[]>;
}

/** How a memory is, and what a repair would do to it, or did. */
export interface Examined {
  name: string;
  health: Health;
  repairs: Repair[];
}
