/** What a memory has to say of itself beside its answers: damage, reports of files, what is not saved. */
import type { Health, Opened, Place } from "../store/protocol.ts";
import type { MemoryLog, Mount } from "./log.ts";
import type { MemoryEntry, Reply } from "./memory.ts";

export function nothingThere(problem: string): Opened {
  const health: Health = {
    status: "damaged",
    dir: "",
    journal_bytes: 0,
    commits: 0,
    unread: 0,
    problems: [problem],
  };
  return { files: [], commits: [], health };
}

/** How a memory is: what its files are worth, what no engine can apply, and what was done at the start. */
export function withNotes(log: MemoryLog): Health {
  const { health, broken, notes } = log;
  const problems = [...health.problems, ...notes];
  if (!broken) return { ...health, problems };
  const commits = broken.seq - 1;
  const unread = health.unread + health.commits - commits;
  const damage = log.damage() ?? "";
  return { ...health, status: "damaged", commits, unread, problems: [damage, ...problems] };
}

/** Damage is told with every reply. */
export function warned(reply: Record<string, unknown>, logs: MemoryLog[]): Reply {
  const damage = logs.map((log) => log.damage()).filter((problem) => problem !== undefined);
  if (damage.length === 0) return reply as Reply;
  const warnings = (reply.warnings as string[] | undefined) ?? [];
  return { ...reply, warnings: [...warnings, ...damage] };
}

export function notSavedWarning(health: Health): string {
  return `not saved: ${health.dir} can be neither created nor written, so this is kept only until the process ends`;
}

/** All memories, the default one first. */
export function entries(places: Place[], mounts: Map<string, Mount>): MemoryEntry[] {
  const others = places.map(({ name, scope }): MemoryEntry => {
    const mount = mounts.get(name);
    return { name, scope, mounted: mount !== undefined, mode: mount?.mode ?? null };
  });
  return [{ name: "default", scope: "project", mounted: true, mode: "rw" }, ...others];
}
