/** The page of words about forks, of a server with many principals. The first page is `errors.ts`. */
import { ZpmError } from "./errors.ts";

export function forkNotSaved(problems: string): ZpmError {
  return new ZpmError(
    "not_saved",
    `The fork cannot be opened, since nothing could be saved in it: ${problems}`,
    "Make its folder writable, or free space on its disk, and call again",
  );
}

/** What a call did is done, or perhaps not, and no record of its end could be written. */
export function outcomeNotRecorded(operation: string, why: string): ZpmError {
  return new ZpmError(
    "outcome_indeterminate",
    `Whether operation ${operation} was done is not recorded: ${why}`,
    "Look with a query what is stored before you call again; the audit tells when it can be written again",
  );
}

/** Nobody is told apart from anybody without one. */
export function tokenNeeded(): ZpmError {
  return new ZpmError(
    "not_allowed",
    "A bearer token is needed",
    "Send the token of a principal; 'zpm principal add' makes one",
  );
}
