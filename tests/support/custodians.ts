/** Custodians on a disk in memory, and records to write. */
import type { AuditFields } from "../../src/authority/audit_log.ts";
import { makeCustodian } from "../../src/authority/custodian.ts";
import type { AuthorityCalls } from "../../src/authority/protocol.ts";
import type { FileSystem } from "../../src/store/file_system.ts";
import { ForgetfulFileSystem } from "./forgetful_fs.ts";

export const FOLDERS = { state_dir: "/state", audit_dir: "/audit" };

/** A disk with both folders. */
export function freshDisk(): ForgetfulFileSystem {
  const disk = new ForgetfulFileSystem();
  for (const folder of Object.values(FOLDERS)) disk.makeDirectory(folder);
  return disk;
}

export function custodianOn(fs: FileSystem): AuthorityCalls {
  return makeCustodian(fs, { ...FOLDERS, config: "/config.json" }, () => Promise.resolve("{}"));
}

export function attempt(operation: string): AuditFields {
  const call = { principal: "ana", fork: "ana", verb: "assert", digest: "0".repeat(64) };
  return { kind: "attempt", operation, ...call };
}

export function completion(operation: string): AuditFields {
  return { kind: "completion", operation, outcome: "ok" };
}

/** What the audit on a disk says, one word for each record. */
export function auditWords(disk: ForgetfulFileSystem): string[] {
  if (!disk.identify("/audit/audit.jsonl")) return [];
  const lines = disk.text("/audit/audit.jsonl").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line)).map(({ kind, operation }) => `${kind} ${operation}`);
}
