/** The audit as the main thread sees it: records go to the worker in groups, denials of strangers are counted. */
import { auditUnavailable } from "../base/authority_errors.ts";
import { limits } from "../base/limits.ts";
import type { Attempt, Audit, AuditStatus, Completion, Denial, Resolution } from "./audit.ts";
import type { AuditFields } from "./audit_log.ts";
import { Groups } from "./groups.ts";
import type { AuthorityCalls } from "./protocol.ts";

/** Denials of one reason that are not written yet. */
interface Counted {
  count: number;
  since: string;
}

export class AuditClient implements Audit {
  readonly unresolved: readonly Attempt[];
  readonly #calls: Pick<AuthorityCalls, "record" | "auditProblem">;
  readonly #groups: Groups<AuditFields, void>;
  readonly #counted = new Map<string, Counted>();
  #window?: ReturnType<typeof setTimeout>;
  #records: number;
  #lag_ms = 0;
  #problem?: string;
  /** Since when no group was written, and why the last one was not. */
  #refused?: { since: string; problem: string };

  constructor(
    calls: Pick<AuthorityCalls, "record" | "auditProblem">,
    found: { records: number; unresolved: readonly Attempt[] },
  ) {
    this.#calls = calls;
    this.#records = found.records;
    this.unresolved = found.unresolved;
    this.#groups = new Groups((all) => this.#record(all));
  }

  /**
   * A disk that refused the last records is no fault of the files: only another record tells whether it takes some
   * again.
   */
  async healthy(): Promise<boolean> {
    try {
      this.#problem = await this.#calls.auditProblem() ?? this.#refused?.problem;
    } catch (fault) {
      this.#problem = (fault as Error).message;
    }
    if (this.#problem === undefined) return true;
    if (this.#problem !== this.#refused?.problem) return false;
    const { since } = this.#refused;
    return await this.#write("interruption", { since }).then(() => true, () => false);
  }

  attempt(attempt: Attempt): Promise<void> {
    return this.#write("attempt", attempt);
  }

  completion(completion: Completion): Promise<void> {
    return this.#write("completion", completion);
  }

  resolution(resolution: Resolution): Promise<void> {
    return this.#write("resolution", resolution);
  }

  /** Of a stranger: the first is written at once, those within a window after it as one record with their number. */
  denied(denial: Denial): Promise<void> {
    if (denial.principal !== undefined) return this.#write("denial", denial);
    const counted = this.#counted.get(denial.reason);
    if (counted) {
      counted.count++;
      return Promise.resolve();
    }
    this.#counted.set(denial.reason, { count: 0, since: new Date().toISOString() });
    if (this.#window === undefined) {
      this.#window = setTimeout(() => void this.#tellCounted(), limits.denial_window_ms);
      Deno.unrefTimer(this.#window);
    }
    return this.#write("denial", denial);
  }

  status(): AuditStatus {
    const status = {
      records: this.#records,
      waiting: this.#groups.waiting,
      lag_ms: this.#lag_ms,
    };
    return this.#problem === undefined ? status : { ...status, problem: this.#problem };
  }

  /** Writes what is only counted so far. */
  async close(): Promise<void> {
    await this.#tellCounted();
  }

  async #tellCounted(): Promise<void> {
    clearTimeout(this.#window);
    this.#window = undefined;
    const all = [...this.#counted].filter(([, { count }]) => count > 0);
    this.#counted.clear();
    const told = all.map(([reason, counted]) => this.#write("denial", { reason, ...counted }));
    // Nobody waits for them; a fault shows at the next record of a call.
    await Promise.allSettled(told);
  }

  #write(kind: string, fields: object): Promise<void> {
    return this.#groups.add({ ...fields, kind });
  }

  async #record(all: AuditFields[]): Promise<void[]> {
    const started = performance.now();
    const { records, problem } = await this.#calls.record(all).catch((fault) => (
      { records: this.#records, problem: String(fault.message) }
    ));
    this.#records = records;
    this.#problem = problem;
    const since = this.#refused?.since ?? new Date().toISOString();
    this.#refused = problem === undefined ? undefined : { since, problem };
    if (problem !== undefined) throw auditUnavailable(problem);
    this.#lag_ms = performance.now() - started;
    return all.map(() => undefined);
  }
}
