/** Words for what `zpm doctor` says about a journal. A sister page of errors.ts. */
import { ZpmError } from "./errors.ts";

/** What a newer zpm wrote is not cut by an older one. */
export function newerNotRepaired(problem: string): ZpmError {
  return new ZpmError("corrupt", `Cannot repair: ${problem}`, "Upgrade zpm, then retry");
}

/** The disk refused; the damaged file is what it was, or is kept beside already. */
export function notRepaired(reason: string): ZpmError {
  return new ZpmError(
    "not_saved",
    `Cannot repair: ${reason}`,
    "Nothing was lost; make room or give write permission, then retry",
  );
}

/** What a repair does to the file of a journal, before and after it is done. */
export function repairText(
  { file, kept_as, ...cut }: {
    file: string;
    kept_as: string;
    commits?: number;
    cut?: number;
    unread?: number;
  },
): string {
  const { commits, unread = 0 } = cut;
  if (commits === undefined) return `${file}: set aside as ${kept_as}`;
  const records = unread > 0 ? `, with ${counted(unread, "record")} behind the damage` : "";
  const keeps = commits > 0 ? `keep commits up to ${commits}` : "keep nothing";
  return `${file}: ${keeps}, cut ${cut.cut} bytes${records}; the file as it is stays as ${kept_as}`;
}

/** "1 record", "2 records". */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
