/**
 * What a server with many principals tells of itself, in the text format of Prometheus. Names of principals and forks
 * are in none of it: who may read the metrics need not know them.
 */
import type { AuditStatus } from "../../authority/audit.ts";
import type { Observed } from "../../custody/custody.ts";
import type { ForkCounts } from "../../forks/forks.ts";
import { Counter, Gauge, Histogram, type Metric } from "./exposition.ts";

/** What is looked at when the metrics are asked for. */
export interface State {
  sessions(): number;
  forks(): ForkCounts;
  audit(): AuditStatus;
  generation(): number;
}

/** In seconds, from a cached answer to the longest deadline. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 50];

export class Metrics {
  readonly #calls = new Counter(
    "zpm_calls_total",
    "Calls under custody, by verb, tool or method, and outcome",
  );
  readonly #latencies = new Histogram(
    "zpm_call_seconds",
    "From the arrival of a call to its completion in the audit",
    BUCKETS,
  );
  readonly #denials = new Counter(
    "zpm_denials_total",
    "Requests that came to no call, by reason",
  );
  readonly #all: Metric[];

  constructor(state: State) {
    this.#all = [this.#calls, this.#latencies, this.#denials, ...gauges(state)];
  }

  observe({ verb, outcome, took_ms }: Observed): void {
    this.#calls.inc({ verb, outcome });
    this.#latencies.observe({ verb }, took_ms / 1000);
  }

  denied(reason: string): void {
    this.#denials.inc({ reason });
  }

  text(): string {
    return this.#all.flatMap((metric) => metric.lines()).join("\n") + "\n";
  }
}

function gauges(state: State): Metric[] {
  return valuesOf(state).map(([name, help, value]) => new Gauge(name, help, value));
}

function valuesOf(state: State): [name: string, help: string, value: () => number][] {
  const engines = () => state.forks().engines;
  return [
    ["zpm_sessions", "Open sessions", () => state.sessions()],
    ["zpm_forks_open", "Forks whose journals are open", () => state.forks().open],
    ["zpm_engines_running", "Prolog engines of all forks", () => engines().running],
    ["zpm_engines_waiting", "Starts of engines that wait for room", () => engines().waiting],
    ["zpm_engine_starts_total", "Engines started so far", () => engines().started],
    [
      "zpm_engine_restarts_total",
      "Engines that ended while they were wanted: past a deadline, cancelled, damaged or grown too big",
      () => engines().lost,
    ],
    [
      "zpm_journal_lag_seconds",
      "How long the last writes took to be on disk",
      () => state.forks().journal.lag_ms / 1000,
    ],
    ["zpm_journal_waiting", "Writes that wait for the disk", () => state.forks().journal.waiting],
    ["zpm_audit_records_total", "Sequence number of the last record", () => state.audit().records],
    ["zpm_audit_waiting", "Records that wait for the disk", () => state.audit().waiting],
    [
      "zpm_audit_lag_seconds",
      "How long the last records took to the disk, waiting included",
      () => state.audit().lag_ms / 1000,
    ],
    ["zpm_authority_generation", "Rises with every change of rights", () => state.generation()],
  ];
}
