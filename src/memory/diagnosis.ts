/** What `zpm doctor` asks for: the engine, the files, and the journals of every mounted memory. */
import type { Health, Repair, StoreCalls } from "../store/protocol.ts";
import type { MemoryLog } from "./log.ts";
import type { Diagnosis, Examined, Memory } from "./memory.ts";
import { reportLine } from "./files.ts";

export interface DiagnosisOptions {
  store: StoreCalls;
  logs(): MemoryLog[];
  health(log: MemoryLog): Promise<Health>;
  /** Everything is read again. */
  reopen(): Promise<void>;
  ask: Memory["ask"];
}

export function diagnosisOf({ store, logs, health, reopen, ask }: DiagnosisOptions): Diagnosis {
  const examine = async (look: (log: MemoryLog) => Promise<Repair[]>): Promise<Examined[]> => {
    // Only an engine finds out which commit cannot be applied; that there is none is told elsewhere.
    await ask({ op: "version" }).catch(() => {});
    return await Promise.all(
      logs().map(async (log) => {
        // A memory that is mounted read-only is somebody else's to repair.
        const repairs = log.absent || log.mode === "ro" ? [] : await look(log);
        return { name: log.name, health: await health(log), repairs };
      }),
    );
  };
  const kept = ({ broken }: MemoryLog) => broken && broken.seq - 1;
  return {
    version: async () => (await ask<{ prolog: string }>({ op: "version" })).prolog,
    reports: () => logs().flatMap((log) => log.reports.map(reportLine)),
    examine: () => examine((log) => store.repairs(log.name, kept(log))),
    async repair() {
      const done = await examine((log) => store.repair(log.name, kept(log)));
      await reopen();
      return done;
    },
  };
}
