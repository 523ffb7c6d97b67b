/** A part of an audit for the eye: the last records that concern somebody, something, or some time. */
import type { FileSystem } from "../store/file_system.ts";
import { type Verified, verifyAudit, type VerifyOptions } from "./audit_verify.ts";
import type { Chained } from "./chain.ts";

export interface Filter {
  principal?: string;
  verb?: string;
  /** Milliseconds since 1970. */
  since_ms?: number;
  /** The last so many. */
  limit: number;
}

export interface Shown extends Verified {
  shown: Chained[];
  /** How many there are in all that match. */
  matching: number;
}

/** What completes or resolves a call is shown with it: it names the operation, not the principal. */
export function showAudit(
  fs: FileSystem,
  options: Omit<VerifyOptions, "visit">,
  filter: Filter,
): Shown {
  const shown: Chained[] = [];
  const operations = new Set<unknown>();
  let matching = 0;
  const verified = verifyAudit(fs, {
    ...options,
    visit(record) {
      if (!concerns(record, operations, filter)) return;
      if (record.kind === "attempt") operations.add(record.operation);
      else if (record.operation !== undefined) operations.delete(record.operation);
      if (Date.parse(record.at) < (filter.since_ms ?? -Infinity)) return;
      matching++;
      shown.push(record);
      if (shown.length > filter.limit) shown.shift();
    },
  });
  return { ...verified, shown, matching };
}

function concerns(
  record: Chained,
  operations: Set<unknown>,
  { principal, verb }: Filter,
): boolean {
  if (operations.has(record.operation)) return true;
  return (principal === undefined || record.principal === principal) &&
    (verb === undefined || record.verb === verb);
}
