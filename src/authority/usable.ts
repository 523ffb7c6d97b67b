/** What a disk or missing rights say when a folder is opened, in words; what has its words already passes. */
import { folderUnusable } from "../base/authority_errors.ts";
import { ZpmError } from "../base/errors.ts";
import { reason } from "../store/file_system.ts";

/** `what` lies in `folder`: "state", "audit". */
export async function usable<T>(
  what: string,
  folder: string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    throw fault instanceof ZpmError ? fault : folderUnusable(what, folder, reason(fault));
  }
}
