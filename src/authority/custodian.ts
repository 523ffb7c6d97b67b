/** All files of the authority in one hand: what the worker does, without the worker. */
import { bug } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { folderHeld } from "../base/authority_errors.ts";
import { type FileSystem, reason } from "../store/file_system.ts";
import { LockFile } from "../store/locks.ts";
import { type AuditFields, AuditLog } from "./audit_log.ts";
import { AuthorityLog } from "./authority_log.ts";
import { HandleTable } from "./handle_table.ts";
import type { AuthorityCalls, Opened, Recorded, Start } from "./protocol.ts";
import { usable } from "./usable.ts";

/** Those that are open. */
interface Files {
  audit?: AuditLog;
  log?: AuthorityLog;
  handles?: HandleTable;
}

/** `readText` reads the config file. */
export function makeCustodian(
  fs: FileSystem,
  start: Start,
  readText: (path: string) => Promise<string>,
): AuthorityCalls {
  const lock = new LockFile(fs, start.state_dir, "server");
  const files: Files = {};
  const close = () => {
    for (const file of [files.audit, files.log, files.handles, lock]) file?.close();
  };
  return {
    async open() {
      try {
        await usable("state", start.state_dir, () => takeState(lock, start.state_dir));
        return await openFiles(fs, start, files);
      } catch (fault) {
        close();
        throw fault;
      }
    },
    record: (all) => settled(() => record(opened(files.audit), all)),
    auditProblem: () => settled(() => opened(files.audit).problem),
    look: () => settled(() => opened(files.log).look()),
    async enter(principal, wait_ms) {
      const log = opened(files.log);
      await log.enter(principal, wait_ms);
      try {
        return await log.look();
      } catch (fault) {
        log.leave(principal);
        throw fault;
      }
    },
    leave: (principal) => settled(() => opened(files.log).leave(principal)),
    async write(order) {
      const log = opened(files.log);
      if (!("principal" in order)) return await log.write(order);
      return await log.alone(order.principal, () => log.write(order));
    },
    handlesOf: (keys) => settled(() => opened(files.handles).handlesOf(keys)),
    keyOf: (handle) => settled(() => opened(files.handles).keyOf(handle)),
    config: () => readText(start.config),
    close: () => settled(close),
  };
}

/** One after the other into `files`, so that those are closed that were opened before a fault. */
async function openFiles(
  fs: FileSystem,
  start: Start,
  files: Files,
): Promise<Opened> {
  const { state_dir, audit_dir } = start;
  const audit = await usable("audit", audit_dir, () => AuditLog.open(fs, start));
  files.audit = audit;
  const written = await usable("state", state_dir, async () => {
    files.log = new AuthorityLog(fs, state_dir);
    files.handles = new HandleTable(fs, state_dir);
    return await files.log.open();
  });
  const { notes, unresolved, records } = audit;
  return { notes, unresolved, records, written };
}

/** A refusal is data: an error would lose on its way what it is. */
function record(audit: AuditLog, all: readonly AuditFields[]): Recorded {
  try {
    audit.append(all);
    return { records: audit.records };
  } catch (fault) {
    return { records: audit.records, problem: reason(fault) };
  }
}

/** What `work` gives or throws, as a promise. */
function settled<T>(work: () => T | Promise<T>): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}

function opened<T>(file: T | undefined): T {
  if (file === undefined) throw bug("the authority is not open");
  return file;
}

async function takeState(lock: LockFile, state_dir: string): Promise<void> {
  if (!await lock.acquire(true, performance.now() + limits.server_lock_ms)) {
    throw folderHeld("state_dir", state_dir, lock.holder() ?? undefined);
  }
  lock.sign({ pid: Deno.pid, since: new Date().toISOString() });
}
