/** The page of words about forks, of a server with many principals. The first page is `errors.ts`. */
import { ZpmError } from "./errors.ts";

export function forkNotSaved(problems: string): ZpmError {
  return new ZpmError(
    "not_saved",
    `The fork cannot be opened, since nothing could be saved in it: ${problems}`,
    "Make its folder writable, or free space on its disk, and call again",
  );
}
