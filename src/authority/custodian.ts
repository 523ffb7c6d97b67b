/** All files of the authority in one hand: what the worker does, without the worker. */
import { bug } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { stateHeld } from "../base/authority_errors.ts";
import type { FileSystem } from "../store/file_system.ts";
import { LockFile } from "../store/locks.ts";
import { AuditLog } from "./audit_log.ts";
import { AuthorityLog } from "./authority_log.ts";
import { HandleTable } from "./handle_table.ts";
import type { AuthorityCalls, Start } from "./protocol.ts";

/** `readText` reads the config file. */
export function makeCustodian(
  fs: FileSystem,
  start: Start,
  readText: (path: string) => Promise<string>,
): AuthorityCalls {
  const lock = new LockFile(fs, start.state_dir, "server");
  const files: { audit?: AuditLog; log?: AuthorityLog; handles?: HandleTable } = {};
  const close = () => {
    for (const file of [files.audit, files.log, files.handles, lock]) file?.close();
  };
  return {
    async open() {
      await takeState(lock, start.state_dir);
      try {
        const audit = files.audit = await AuditLog.open(fs, start);
        const log = files.log = new AuthorityLog(fs, start.state_dir);
        const written = await log.open();
        files.handles = new HandleTable(fs, start.state_dir);
        const { notes, unresolved, records } = audit;
        return { notes, unresolved, records, written };
      } catch (fault) {
        close();
        throw fault;
      }
    },
    record: (all) =>
      settled(() => {
        const audit = opened(files.audit);
        audit.append(all);
        return audit.records;
      }),
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
    throw stateHeld(state_dir, lock.holder() ?? undefined);
  }
  lock.sign({ pid: Deno.pid, since: new Date().toISOString() });
}
