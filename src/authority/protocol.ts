/** What passes between the main thread and the authority's worker: plain data, by the calls of `base/link.ts`. */
import type { Attempt } from "./audit.ts";
import type { AuditFields, AuditFolders } from "./audit_log.ts";
import type { Written } from "./authority_log.ts";
import type { Order } from "./authority_state.ts";
import type { SentexKey } from "./handles.ts";

/** The first message. */
export interface Start extends AuditFolders {
  /** The config file, which is read again when a principal was added or has another token. */
  config: string;
}

export interface Opened {
  /** What was found and mended, a sentence each. */
  notes: string[];
  unresolved: Attempt[];
  /** Number of the audit's last record. */
  records: number;
  /** The authority's log from its beginning. */
  written: Written[];
}

export interface Recorded {
  /** Number of the audit's last record. */
  records: number;
  /** Why nothing was written, if it was not. */
  problem?: string;
}

export interface AuthorityCalls {
  /** Takes the folders; rejects when another server has them, or when what is in them cannot be relied on. */
  open(): Promise<Opened>;
  /** Writes records of the audit, all or none. */
  record(all: readonly AuditFields[]): Promise<Recorded>;
  /** Why the audit cannot be written, when it cannot. */
  auditProblem(): Promise<string | undefined>;
  /** What has come to the authority's log. */
  look(): Promise<Written[]>;
  /** Shares the principal's lock until `leave`, then looks. */
  enter(principal: string, wait_ms: number): Promise<Written[]>;
  leave(principal: string): Promise<void>;
  /** Writes to the authority's log; when it names a principal, while none of its writes is under way. */
  write(order: Order): Promise<Written[]>;
  handlesOf(keys: readonly SentexKey[]): Promise<number[]>;
  keyOf(handle: number): Promise<SentexKey | undefined>;
  /** The text of the config file as it is now. */
  config(): Promise<string>;
  close(): Promise<void>;
}
