/**
 * Counters, histograms and gauges in the text format of Prometheus (version 0.0.4). The library that is usual for it,
 * prom-client, asks for modules of Node while it runs, which a bundled program does not have.
 */

export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

type Labels = Record<string, string>;

export interface Metric {
  /** The lines of its samples, with what it is before them. */
  lines(): string[];
}

/** Grows only; one number for each set of labels. */
export class Counter implements Metric {
  readonly #head: string[];
  readonly #name: string;
  readonly #counts = new Map<string, number>();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#head = headOf(name, help, "counter");
  }

  inc(labels: Labels): void {
    const key = labelled(labels);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  lines(): string[] {
    const samples = [...this.#counts].map(([key, count]) => `${this.#name}${key} ${count}`);
    return [...this.#head, ...samples];
  }
}

/** Asked for its value when it is told. */
export class Gauge implements Metric {
  readonly #name: string;
  readonly #head: string[];
  readonly #value: () => number;

  constructor(name: string, help: string, value: () => number) {
    this.#name = name;
    this.#head = headOf(name, help, name.endsWith("_total") ? "counter" : "gauge");
    this.#value = value;
  }

  lines(): string[] {
    return [...this.#head, `${this.#name} ${this.#value()}`];
  }
}

interface Observed {
  labels: Labels;
  /** How many were in each bucket and none below it; the last is for those beyond all bounds. */
  buckets: number[];
  sum: number;
}

/** How many values were at most so large. */
export class Histogram implements Metric {
  readonly #name: string;
  readonly #head: string[];
  readonly #bounds: readonly number[];
  readonly #observed = new Map<string, Observed>();

  /** `bounds` in rising order. */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#head = headOf(name, help, "histogram");
    this.#bounds = bounds;
  }

  observe(labels: Labels, value: number): void {
    const key = labelled(labels);
    const buckets = () => new Array<number>(this.#bounds.length + 1).fill(0);
    const observed = this.#observed.get(key) ?? { labels, buckets: buckets(), sum: 0 };
    this.#observed.set(key, observed);
    const place = this.#bounds.findIndex((bound) => value <= bound);
    observed.buckets[place < 0 ? this.#bounds.length : place]++;
    observed.sum += value;
  }

  lines(): string[] {
    return [...this.#head, ...this.#observed.values().flatMap((each) => this.#samples(each))];
  }

  #samples({ labels, buckets, sum }: Observed): string[] {
    let count = 0;
    const bounds = [...this.#bounds.map(String), "+Inf"];
    const samples = buckets.map((inside, place) => {
      count += inside;
      return `${this.#name}_bucket${labelled({ ...labels, le: bounds[place] })} ${count}`;
    });
    const key = labelled(labels);
    return [...samples, `${this.#name}_sum${key} ${sum}`, `${this.#name}_count${key} ${count}`];
  }
}

function headOf(name: string, help: string, type: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function labelled(labels: Labels): string {
  const escaped = (text: string) =>
    text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
