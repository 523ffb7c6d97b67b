/**
 * What became of calls that a crash left without a completion: a fork's journal names the operation of each of its
 * commits, so it tells whether a write was done.
 */
import type { Attempt, Audit, Resolution } from "../authority/audit.ts";
import type { Authority } from "../authority/authority.ts";
import type { Fork } from "../forks/forks.ts";
import type { ProjectMemories } from "../memory/memory.ts";

/** Tools that write files of their own: whether they have is in no journal. */
const COMMITS_NOTHING = ["save_snapshot", "create_memory"];

export interface ResolvingOptions {
  authority: Authority;
  forks: { memories(fork: Fork): Promise<ProjectMemories> };
  warn: (text: string) => void;
}

/** Records a resolution for each; one whose fork is gone, or cannot be opened, stays unknown. */
export async function resolveAttempts(audit: Audit, options: ResolvingOptions): Promise<void> {
  for (const attempt of audit.unresolved) {
    const resolution = await resolutionOf(attempt, options);
    await audit.resolution(resolution);
    const { operation, principal, verb } = attempt;
    options.warn(
      `The call ${operation} of ${verb} by ${principal} was left open: ${resolution.outcome}`,
    );
  }
}

async function resolutionOf(
  { operation, principal, fork: fork_id, verb }: Attempt,
  { authority, forks, warn }: ResolvingOptions,
): Promise<Resolution> {
  const unknown: Resolution = { operation, outcome: "unknown" };
  const declared = authority.principals.get(principal);
  if (declared?.fork_id !== fork_id) return unknown;
  const { lifecycle } = declared;
  const lease = authority.leaseOf(fork_id);
  if (lifecycle === "leased" && lease === undefined) return unknown;
  try {
    const memories = await forks.memories({ id: fork_id, lifecycle, lease });
    const commit = await memories.commitOf(operation);
    if (commit !== undefined) return { operation, outcome: "committed", commit };
    return COMMITS_NOTHING.includes(verb) ? unknown : { operation, outcome: "not_committed" };
  } catch (error) {
    warn(`Cannot tell what became of the call ${operation}: ${(error as Error).message}`);
    return unknown;
  }
}
