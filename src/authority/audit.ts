/**
 * What is written about every call (SPEC 3.3): an attempt before it, a completion after it, a resolution for what
 * a crash left open, and denials. Nothing is acknowledged before it is on disk. The record itself, with its place
 * in the chain, is `audit_record.ts`.
 */
import { digestOfText } from "../base/digest.ts";
import { canonicalJson } from "./canonical_json.ts";

/** Before a call runs. */
export interface Attempt {
  /** Names the call in all of its records; unique. */
  operation: string;
  principal: string;
  fork: string;
  session?: string;
  verb: string;
  /** `argumentsDigest` of what was sent; the arguments themselves are not kept. */
  digest: string;
}

/** After a call has run, and before it is answered. */
export interface Completion {
  operation: string;
  outcome: Outcome;
  /** The error's code, unless it went well. */
  code?: string;
  /** What a write came to. */
  commit?: number;
  handles?: number[];
  /** Present when the principal was revoked while its write committed. */
  authority?: { generation: number; revoked: boolean };
}

/**
 * ok: it ran. refused: nothing was done, and the caller is told why. failed: it ran and came to an error.
 * indeterminate: a write of which nobody knows whether it was stored.
 */
export type Outcome = "ok" | "refused" | "failed" | "indeterminate";

/** What became of an attempt that a crash left without a completion. */
export interface Resolution {
  operation: string;
  outcome: "committed" | "not_committed" | "unknown";
  commit?: number;
}

/** A call that never became an attempt. Without a principal it is counted: one record tells of many. */
export interface Denial {
  /** `token`, `origin`, `host`, `body`, `revoked`, ...: a word, never what was sent. */
  reason: string;
  principal?: string;
  session?: string;
  verb?: string;
}

/** How the audit is, for metrics. */
export interface AuditStatus {
  /** Sequence number of the last record on disk. */
  records: number;
  /** Records that wait for the disk now. */
  waiting: number;
  /** How long the last group of records took to be on disk, waiting included. */
  lag_ms: number;
  /** Why no record can be written. */
  problem?: string;
}

export interface Audit {
  /** Whether records can be written: the files are there and are the ones that were opened. */
  healthy(): Promise<boolean>;
  /** Each settles when its record is on disk, and rejects with `audit_unavailable` when it is not. */
  attempt(attempt: Attempt): Promise<void>;
  completion(completion: Completion): Promise<void>;
  denied(denial: Denial): Promise<void>;
  resolution(resolution: Resolution): Promise<void>;
  /** The attempts that were found without a completion or resolution at the start. */
  readonly unresolved: readonly Attempt[];
  status(): AuditStatus;
}

/** SHA-256 over the canonical JSON of a call's arguments. */
export function argumentsDigest(args: unknown): string {
  return digestOfText(canonicalJson(args));
}
