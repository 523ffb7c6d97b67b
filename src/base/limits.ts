/**
 * Every bound zpm enforces, in one place, with its unit last (DESIGN: "put a limit on everything").
 * A caller may lower some of them (`--deadline-ms`, `limit`, `timeout_ms`); nothing raises them silently.
 */
export const limits = {
  /** How long one call may take, counted from its arrival. */
  deadline_ms: 10_000,
  /** The longest deadline a caller may ask for; clients give up after 60 s. */
  deadline_max_ms: 50_000,
  /**
   * Resolution steps of one call, for each millisecond of its deadline: more than an engine can do, so that the
   * clock speaks first on every machine.
   */
  inferences_per_ms: 200_000,
  /** What a number may be on its way into an engine. */
  inferences_max: 2 ** 31 - 1,
  /** After the clock stopped a query, how long asking again for the answers it had found may take. */
  recovery_ms: 2_000,
  /** The Prolog stacks of one engine. */
  stack_bytes: 64_000_000,
  /** An engine's whole memory; beyond it growing fails. */
  memory_bytes: 768 * 1024 * 1024,
  /** An engine that has grown this much over the image it was booted from, and doubled, is retired after the call. */
  engine_growth_bytes: 64 * 1024 * 1024,
  /** Nesting of a term, operators included; the length of a list does not count (ENGINE-NOTES 0.1). */
  term_depth: 256,
  /** A number in a sentence. */
  number_characters: 4_096,
  /** Text of one argument. */
  text_bytes: 4 * 1024 * 1024,
  /** Solutions of one call of an operation, and values of a domain. */
  operation_solutions: 1_000,
  /** How often a change is planned anew because the file was edited meanwhile. */
  edits_meanwhile: 3,
  /** Requests of operations that take turns; as many more share one. */
  http_turns: 1_024,
  /** Engines that answer operations at the same time, unless more are asked for. */
  interpreters: 4,
  /** Solutions of one query. */
  solutions: 100,
  solutions_max: 10_000,
  /** Entries of a list, without an explicit `limit`. */
  listed: 1_000,
  /** Size of an answer without, and with, an explicit `limit` (SPEC 1.4). */
  answer_bytes: 16 * 1024,
  answer_max_bytes: 4 * 1024 * 1024,
  /** Entries of one page of `find_predicate_references`. */
  references: 100,
  references_max: 1_000,
  /** Commits of one page of `history`. */
  history: 20,
  history_max: 1_000,
  /** Changes that are shown of one commit. */
  history_changes: 50,
  /** Operations that are looked at in one question to an engine. */
  history_operations: 5_000,
  /** Commits that one `undo` takes back. */
  undo_max: 1_000,
  /** Text that output goals (`write/1`, ...) print in one call. */
  output_bytes: 16 * 1024,
  /** The overview of a memory, all of it. */
  overview_bytes: 64 * 1024,
  /** Samples of each predicate in it. */
  overview_samples: 2,
  overview_samples_max: 50,
  /** Depth of a printed proof. */
  proof_depth: 64,
  /** Nodes of a printed proof. */
  proof_nodes: 2_000,
  /** Facts that `what_if` shows of those it left out. */
  left_out: 20,
  /** Goals that are followed below one that does not hold, and shown in all. */
  failure_depth: 3,
  failures: 40,
  /** Proofs that are shown of one fact. */
  proofs_max: 10,
  /** A journal line longer than this is written in parts (ENGINE-NOTES 1.9). */
  journal_line_bytes: 1024 * 1024,
  /** A segment of the journal longer than this is ended, and the next begins with a checkpoint. */
  segment_bytes: 16 * 1024 * 1024,
  /** Commits handed to an engine in one message when it is built. */
  replay_commits: 500,
  /** How long an engine may take for a file: this, and for each millisecond so many bytes; ten times what it takes. */
  load_ms: 20_000,
  load_bytes_per_ms: 100,
  /** An engine that had to apply so many commits after its image is copied into a new one. */
  image_tail_commits: 1_000,
  /** A loaded memory whose image is this much larger than an empty one's is kept on disk: some 10,000 facts. */
  image_cache_bytes: 2 * 1024 * 1024,
  /** Who has seen no other process write for so long plans before it has the lock. */
  alone_ms: 2_000,
  /** For how long such a plan keeps its engine when the lock does not come. */
  lock_soon_ms: 50,
  /** Commits that share one fsync. */
  group_commits: 512,
  /** Engines of one server. */
  engines: 2,
  engines_max: 64,
  /** An engine of a fork that nobody has asked for this long ends. */
  fork_idle_ms: 60_000,
  /** While others wait for an engine, none stays with one fork for longer than this, unless a call is running. */
  engine_turn_ms: 500,
  /** Engines of all forks together, unless it is said: what an eighth of the machine's memory holds, but so many. */
  forks_engines_min: 4,
  forks_memory_part: 8,
  /** What an engine of a fork takes, with its thread. */
  fork_engine_bytes: 32 * 1024 * 1024,
  /** Engines of one fork. */
  fork_engines: 2,
  /** An engine busy for longer than this does not hold up other requests. */
  slice_ms: 100,
  /** Short calls that an engine has at once, as many as take so long together. */
  lane_jobs: 8,
  lane_ms: 4,
  /** Behind a call that takes longer none of them waits. */
  light_ms: 10,
  /** When a clock comes later than this, its thread was held up, and answers may have come that it has not seen. */
  alarm_late_ms: 10,
  /** Calls of one engine, which are numbered in 32 bits. */
  engine_requests: 1_000_000_000,
  /** How long running reads may go on after end of input. */
  drain_ms: 1_000,
  /** One message of a client: the longest text argument, all of it escaped, and its envelope. */
  message_bytes: 6 * 4 * 1024 * 1024 + 64 * 1024,
  /** Requests of one client that wait for their answers; beyond it no further line is read. */
  open_requests: 4_096,
  /** Answers that a client has not read; beyond it no further line is read. */
  output_queue_bytes: 16 * 1024 * 1024,
  /** What is written at once. */
  output_piece_bytes: 64 * 1024,
  /** At the end, a client that reads nothing for this long is given up. */
  flush_ms: 30_000,
  /** Sessions of an HTTP server; beyond it the one that was used longest ago ends. */
  http_sessions: 256,
  /** A session that nobody has used for this long ends. */
  session_idle_ms: 30 * 60_000,
  /** An HTTP answer that takes longer becomes a stream. */
  stream_after_ms: 200,
  /** How often an open HTTP stream without messages shows that it is alive. */
  keep_alive_ms: 15_000,
  /** How long an HTTP server waits at its end for clients to take their answers. */
  shutdown_ms: 2_000,
  /** How often a client that wants to know hears how far its call is. */
  progress_ms: 500,
  /** Resources that one connection of the older protocol revisions may subscribe to. */
  subscriptions: 1_024,
  /** Changes that come within this time are told as one. */
  notify_ms: 50,
  /** A memory with more clauses than this is listed without its size, which would take long to find out. */
  sized_clauses: 5_000,
  /** The values that a completion may have, as the protocol says. */
  completions: 100,
  /** So long the first list of tools waits for those of a project's own files; then they are told as a change. */
  listed_tools_ms: 3_000,
  /** The values of a domain among which those are looked for that complete what was typed. */
  completed_values: 100_000,
  /** A resource may have so many bytes; a memory that has more is read predicate by predicate. */
  resource_bytes: 16 * 1024 * 1024,
  /** Samples of each predicate, and bytes, in the prompt that shows a memory. */
  prompt_samples: 2,
  prompt_bytes: 16 * 1024,
  /** How long a client may keep the list of tools. */
  list_ttl_ms: 60_000,
  /** How long a server waits for what one server has alone, its audit or its file: one that is just ending has it. */
  server_lock_ms: 500,
  /** How long a revocation waits for the writes that are under way; longer than one may take. */
  authority_wait_ms: 60_000,
  /** Denials before authentication, of one reason: one record for all that come within this time. */
  denial_window_ms: 1_000,
  /** Records of an audit that are shown, unless more are asked for. */
  audit_shown: 100,
  /** How often a server looks for leases whose time is over. */
  lease_sweep_ms: 1_000,
  /** How long a leased fork may be kept. */
  lease_max_ms: 366 * 24 * 60 * 60_000,
  /** Body of a request of a principal, unless the config says otherwise. */
  body_bytes: 1024 * 1024,
  /** After the handshake, the client's own next questions go before the start of the engine. */
  settle_ms: 50,
} as const;
