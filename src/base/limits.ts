/**
 * Every bound zpm enforces, in one place, with its unit last (DESIGN: "put a limit on everything").
 * A caller may lower some of them (`--deadline-ms`, `limit`, `timeout_ms`); nothing raises them silently.
 */
export const limits = {
  /** How long one call may take, counted from its arrival. */
  deadline_ms: 10_000,
  /** The longest deadline a caller may ask for; clients give up after 60 s. */
  deadline_max_ms: 50_000,
  /** Resolution steps of one call: far more than the deadline allows, so that the clock speaks first. */
  inferences: 100_000_000,
  /** The Prolog stacks of one engine. */
  stack_bytes: 64_000_000,
  /** An engine's whole memory; beyond it growing fails. */
  memory_bytes: 768 * 1024 * 1024,
  /** An engine that has grown this much over the image it was booted from is retired after the call. */
  engine_growth_bytes: 64 * 1024 * 1024,
  /** Nesting of a term, operators included; the length of a list does not count (ENGINE-NOTES 0.1). */
  term_depth: 256,
  /** Text of one argument. */
  text_bytes: 4 * 1024 * 1024,
  /** Solutions of one query. */
  solutions: 100,
  solutions_max: 10_000,
  /** Size of an answer without, and with, an explicit `limit` (SPEC 1.4). */
  answer_bytes: 16 * 1024,
  answer_max_bytes: 4 * 1024 * 1024,
  /** Text that output goals (`write/1`, ...) print in one call. */
  output_bytes: 16 * 1024,
  /** Depth of a printed proof. */
  proof_depth: 64,
  /** Nodes of a printed proof. */
  proof_nodes: 2_000,
  /** A journal line longer than this is written in parts (ENGINE-NOTES 1.9). */
  journal_line_bytes: 1024 * 1024,
  /** Commits that share one fsync. */
  group_commits: 512,
  /** Engines of one server. */
  engines: 2,
  /** An engine busy for longer than this does not hold up other requests. */
  slice_ms: 100,
  /** How long running reads may go on after end of input. */
  drain_ms: 1_000,
} as const;
