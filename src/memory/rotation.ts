/**
 * Rotation (DESIGN section 4, ENGINE-NOTES 2.6): after a snapshot, and when a segment has grown long, the journal goes
 * on in a new segment that begins with a checkpoint of the overlay. An engine at the head says what that is; when and
 * by which tool each commit was made is read from the log. Nothing is lost: the segments before stay for a while, and
 * what is in `kb` is never needed to recover.
 */
import { readReply } from "../engine/reply.ts";
import { limits } from "../base/limits.ts";
import type { Pool } from "../engine/pool.ts";
import type { Commit, Operation, StoreCalls } from "../store/protocol.ts";
import type { MemoryLog } from "./log.ts";
import type { Replicas } from "./replicas.ts";

export interface RotationOptions {
  log: MemoryLog;
  store: StoreCalls;
  pool: Pool;
  replicas: Replicas;
  /** Whether the journal of that name is another one by now, whose lock is not ours. */
  closed(): boolean;
}

/** Rotates under the journal's lock; harmless when another process did it meanwhile. */
export async function rotate(options: RotationOptions): Promise<void> {
  const { log, store } = options;
  const caught = await store.begin(log.name, log.head, limits.deadline_ms);
  try {
    if (caught.replaced || caught.files) return;
    log.catchUp(caught);
    if (log.head === 0 || log.damage()) return;
    const [commits, past] = await Promise.all([checkpoint(options), store.past(log.name, 1)]);
    if (options.closed()) return;
    const known = new Map([...past.base, ...past.commits].map((commit) => [commit.seq, commit]));
    const mounts = [...log.mounts].map((
      [name, { scope, mode }],
    ): Operation => ["m", name, scope, mode]);
    await store.rotate(
      log.name,
      commits.map(({ seq, ops }): Commit => {
        const { ops: _, ...made } = known.get(seq) ??
          { at: new Date().toISOString(), by: "checkpoint" };
        const all = seq === log.head ? [...ops, ...mounts] : ops;
        return { ...made, seq, ops: all };
      }),
    );
  } finally {
    if (!options.closed()) await store.abandon(log.name);
  }
}

async function checkpoint({ log, pool, replicas }: RotationOptions) {
  const reply = await pool.run({
    client: "rotation",
    urgent: true,
    deadline: performance.now() + limits.deadline_max_ms,
    deadline_ms: limits.deadline_max_ms,
    run: async (engine) => {
      await replicas.bring(engine);
      return await engine.ask({ op: "checkpoint", memory: log.name, head: log.head });
    },
  });
  return readReply(reply, "rule").commits as { seq: number; ops: Operation[] }[];
}
