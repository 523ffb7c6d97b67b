/** The third page of words: what of the past cannot be read, or not be taken back. The first page is `errors.ts`. */
import { ZpmError } from "./errors.ts";

/** A commit that is not the caller's own. */
export interface ForeignCommit {
  seq: number;
  by: string;
  at: string;
  who?: string;
}

/** The newest commits are not only the caller's own. */
export function conflict(foreign: ForeignCommit): ZpmError {
  return new ZpmError(
    "conflict",
    `Conflict: commit ${foreign.seq} was made by ${makerOf(foreign)}`,
    "Look at it with history or preview; undo with force takes it back all the same",
  );
}

/** The same where undoing is only looked at. */
export function undoNeedsForce(foreign: ForeignCommit): string {
  return `Commit ${foreign.seq} was made by ${makerOf(foreign)}: undoing it needs force`;
}

/** Where there are several principals, who made it tells more than which process. */
function makerOf({ by, at, who }: ForeignCommit): string {
  return `${who === undefined ? "another process" : `the principal ${who}`} (${by}, ${at})`;
}

/** `kept` is the last commit before those that are still kept as such. */
export function cannotUndo(
  count: number,
  { known, kept }: { known: number; kept: number },
): ZpmError {
  const asked = count === 1 ? "the last commit" : `the last ${count} commits`;
  const why = known === 0
    ? "there is none"
    : kept === 0
    ? `there ${known === 1 ? "is" : "are"} ${known}`
    : `commit ${kept + 1} is the oldest that is kept`;
  return new ZpmError(
    "not_found",
    `Cannot undo ${asked}: ${why}`,
    "history shows what can be undone",
  );
}

/** `as_of` names a commit of the future. */
export function noSuchCommit(seq: number, head: number): ZpmError {
  const newest = head === 0 ? "there is no commit yet" : `the newest is ${head}`;
  return new ZpmError(
    "not_found",
    `There is no commit ${seq}: ${newest}`,
    "history shows the commits with their numbers",
  );
}

/** `as_of` names a commit that only a checkpoint knows of. */
export function commitNotKept(seq: number, base: number): ZpmError {
  return new ZpmError(
    "not_found",
    `Commit ${seq} is no longer kept: the memory can be asked as of commit ${base} and later`,
    "history shows the commits that are kept",
  );
}
