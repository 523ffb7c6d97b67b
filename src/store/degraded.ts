/**
 * A memory whose data folder can be neither made nor written, found out at the start (DESIGN section 4).
 *
 * What a journal there says is still read, without a lock, since there is no place for one. What comes
 * after it is kept in this process only, and every answer to a write says so.
 */
import { type FileSystem, reason } from "./file_system.ts";
import { Log } from "./log.ts";
import type { Appended, Commit, Past } from "./protocol.ts";
import { segmentNumbers } from "./segment.ts";

export class Degraded {
  /** What is known, in order: the journal's commits, then those of this process. */
  readonly commits: Commit[];
  readonly problems: string[];
  /** There is a journal, and it cannot be read whole: going on from a part of it would hide the rest. */
  readonly closed: boolean;
  /** The journal as it was found. */
  readonly #found: Past;
  readonly #own: Commit[] = [];

  constructor(fs: FileSystem, directory: string, why: string) {
    this.problems = [`${directory} cannot be written, nothing is saved: ${why}`];
    const read = readUnlocked(fs, directory);
    this.commits = read.commits;
    this.closed = read.problem !== undefined;
    this.#found = read.past;
    if (read.problem !== undefined) this.problems.push(read.problem);
  }

  append(commits: Commit[]): Appended {
    for (const commit of commits) {
      this.commits.push(commit);
      this.#own.push(commit);
    }
    return { saved: false };
  }

  past(): Past {
    return { ...this.#found, commits: [...this.#found.commits, ...this.#own] };
  }
}

function readUnlocked(
  fs: FileSystem,
  directory: string,
): { commits: Commit[]; past: Past; problem?: string } {
  const nothing = { commits: [], past: { base: [], base_seq: 0, commits: [] } };
  if (!hasJournal(fs, directory)) return nothing;
  const log = new Log(fs, directory, { write: false });
  try {
    const commits = log.load();
    const past = log.past(1);
    return log.closed ? { commits, past, problem: log.problem } : { commits, past };
  } catch (fault) {
    return { ...nothing, problem: `the journal cannot be read: ${reason(fault)}` };
  } finally {
    log.close();
  }
}

function hasJournal(fs: FileSystem, directory: string): boolean {
  try {
    return segmentNumbers(fs, directory).length > 0;
  } catch {
    return false; // a file in the place of the folder, or a folder that shows nothing: no journal to hide
  }
}
