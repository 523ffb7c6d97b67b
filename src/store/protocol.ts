/**
 * What the store says to the memory layer: plain data, posted between threads (DESIGN section 4).
 * Clause texts in here are canonical Prolog text; nothing in `store` looks inside them.
 */

/**
 * One change of a commit (ENGINE-NOTES 1.9). An overlay clause is known by the commit that added it and by
 * its place among that commit's additions, counted from 0; a clause of a file by its canonical text and its
 * occurrence over all files, counted from 1.
 */
export type Operation =
  /**
   * Add an overlay clause at the end; the author's variable names stand beside the text. Only a checkpoint gives the
   * index, since it leaves out what was removed.
   */
  | ["+", text: string, names?: string[], index?: number]
  /** Remove an overlay clause; the text is a check, and with the names what brings it back needs. */
  | ["-", seq: number, index: number, text: string, names?: string[]]
  /** Bring an overlay clause that was removed back to its place. */
  | ["r", seq: number, index: number, text: string, names?: string[]]
  /** Hide an occurrence of a file clause. */
  | ["x", text: string, occurrence: number]
  /** Show it again, in its place. */
  | ["~x", text: string, occurrence: number]
  /**
   * A fact stands on an assumption from now on. Its id is that of an addition. Taking back `~a` names the ids
   * that it had: of its first use, which orders assumptions, and of the place of its clause.
   */
  | ["a", text: string, name: string, names?: string[], use?: Id, place?: Id]
  /** It does no longer; with what taking that back needs. */
  | ["~a", text: string, name: string, names?: string[], use?: Id, place?: Id]
  /** The fact that has its clause at this id from assumptions is remembered, too. An addition without a clause. */
  | ["p", seq: number, index: number, text: string, names?: string[]]
  /** What is there now is what the snapshot brought; the last operation of a restore. */
  | ["s", snapshot: string]
  /** The predicate `name/arity` is known from now on. */
  | ["d", indicator: string]
  /** The predicate `name/arity` is tabled from now on. */
  | ["t", indicator: string]
  /** It is tabled no more. */
  | ["~t", indicator: string]
  /** Mount a memory; only in the journal of the default one. */
  | ["m", memory: string, scope: "project" | "global", mode: "rw" | "ro"]
  /** Unmount it. */
  | ["u", memory: string];

/** Of an addition: its commit, and its place among that commit's additions ("+", "a" and "p"). */
export type Id = [seq: number, index: number];

/** What one tool call changed: journaled whole or not at all. */
export interface Commit {
  /** 1 for the first commit of a memory, then without gaps. Numbers decide order, clocks never. */
  seq: number;
  /** ISO 8601, UTC. */
  at: string;
  /** The tool. */
  by: string;
  /** The principal, where there are several. */
  who?: string;
  /** The id of the audited operation that it is the effect of. */
  call?: string;
  ops: Operation[];
}

/** A source file of `kb/`, in byte order of names; Prolog decodes and reads it. */
export interface KbFile {
  name: string;
  bytes: Uint8Array;
}

/** active: writes are durable. degraded: the data folder can be neither created nor written. damaged: read-only. */
export type Status = "active" | "degraded" | "damaged";

/** What a memory's files on disk are worth. */
export interface Health {
  status: Status;
  /** Absolute path of the folder that holds the journal. */
  dir: string;
  journal_bytes: number;
  /** Sequence number of the last good commit, 0 when there is none. */
  commits: number;
  /** The commit up to which the current segment is a checkpoint. */
  checkpoint?: number;
  /** Records behind the damage that are not read. */
  unread: number;
  /** Sentences for a person: what recovery found and did, what is wrong. */
  problems: string[];
}

/** A memory as it is on disk. */
export interface Opened {
  files: KbFile[];
  commits: Commit[];
  health: Health;
}

/** What has come to the log since a sequence number. */
export interface Caught {
  commits: Commit[];
  /** The log is another one than before (restored, exchanged): forget everything and open again. */
  replaced: boolean;
  /** Files of `kb` are not what `open` or `files` gave last. */
  files?: true;
  /** How the log is now, when that is not what was told last. */
  health?: Health;
}

/** The log from some commit on, as far back as it is kept. */
export interface Past {
  /** What all commits up to `base_seq` come to; nothing when the log is kept whole. */
  base: Commit[];
  base_seq: number;
  /** The commits after `base_seq`, in order. */
  commits: Commit[];
}

/** What `append` did. */
export interface Appended {
  /** False in degraded mode: kept in this process only. */
  saved: boolean;
  /** The segment has grown beyond `limits.segment_bytes`: it is time to rotate. */
  long?: true;
}

/** A place in a journal, in a form that can be found again: the end of its last line stands before it. */
export interface Mark {
  segment: number;
  offset: number;
  /** Number of the last commit before it. */
  seq: number;
  ending: string;
}

/** What a repair does to one file of a journal. The file is kept beside, as it was, under the name `kept_as`. */
export type Repair =
  /** The file ends behind commit number `commits`: `cut` bytes go, and in them `unread` whole records. */
  | { kind: "cut"; file: string; kept_as: string; commits: number; cut: number; unread: number }
  /** Nothing in the file can be relied on: the journal goes on without it. */
  | { kind: "set aside"; file: string; kept_as: string };

/** Where a memory lives. */
export interface Place {
  name: string;
  scope: "project" | "global";
}

/** The calls of the store, each for one memory. All reject with a `ZpmError`. */
export interface StoreCalls {
  /** The memories beside the default one that can be mounted. */
  places(): Promise<Place[]>;
  /** Makes the folder of a new memory; it is not attached by that. */
  create(memory: string, scope: Place["scope"]): Promise<void>;
  /** Deletes a memory that is not attached, with everything in it. */
  delete(memory: string, scope: Place["scope"]): Promise<void>;
  /** From now on the other calls know this memory. */
  attach(memory: string, scope: Place["scope"]): Promise<void>;
  detach(memory: string): Promise<void>;
  open(memory: string): Promise<Opened>;
  /** Rule R: what other processes wrote since `seq`, taken under the shared lock and made durable. */
  since(memory: string, seq: number): Promise<Caught>;
  /** Reads back to commit `from`, or as far as the segments that are kept reach. */
  past(memory: string, from: number): Promise<Past>;
  /**
   * Rule W, first half: turnstile, lock, catch up. The lock is held until `append` or `abandon`.
   * Rejects with `not_saved` naming the holder's process id when it is not free within `deadline_ms`.
   */
  begin(memory: string, seq: number, deadline_ms: number): Promise<Caught>;
  /** Rule W, second half: write all, fsync once, unlock. On any fault the file is truncated first. */
  append(memory: string, commits: Commit[]): Promise<Appended>;
  /** The source files as they are now. */
  files(memory: string): Promise<KbFile[]>;
  /** Writes a file of `kb` whole or not at all; only snapshots are written by zpm. */
  writeFile(memory: string, file: KbFile): Promise<void>;
  removeFile(memory: string, name: string): Promise<void>;
  /**
   * Goes on in a new segment that begins with `checkpoint`, between `begin` and `abandon`. Its commits keep their
   * numbers, with gaps; the last one has the number of the head.
   */
  rotate(memory: string, checkpoint: Commit[]): Promise<void>;
  /** Unlock without writing. */
  abandon(memory: string): Promise<void>;
  /** Where the log ends now; undefined when nothing of it is on disk, or it is another one. */
  mark(memory: string): Promise<Mark | undefined>;
  /** Whether the log, as it was read, begins with what it was when it was marked. */
  holds(memory: string, mark: Mark): Promise<boolean>;
  /** The memory image of that key, a cache, in shared memory; undefined when there is none that is whole. */
  readImage(memory: string, key: string): Promise<Uint8Array | undefined>;
  /** Takes the place of any other one; where it cannot be written there is none. */
  writeImage(memory: string, key: string, bytes: Uint8Array): Promise<void>;
  clearImages(memory: string): Promise<void>;
  health(memory: string): Promise<Health>;
  /** What `repair` would do; nothing when there is nothing to cut. */
  repairs(memory: string, keep?: number): Promise<Repair[]>;
  /**
   * Cuts a damaged log back to its good prefix, and to commit `keep` when no engine can apply the next one; the
   * damaged file is kept beside it. Returns what was done.
   */
  repair(memory: string, keep?: number): Promise<Repair[]>;
  /** Ends the worker when nothing is under way. */
  close(): Promise<void>;
}
