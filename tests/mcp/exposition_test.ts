/** The text format of metrics, to the letter. */
import { deepStrictEqual } from "node:assert/strict";
import { Counter, Gauge, Histogram } from "../../src/mcp/principals/exposition.ts";

Deno.test("counters have a line for each set of labels, which are escaped", () => {
  const counter = new Counter("calls_total", "Calls");
  counter.inc({ verb: 'a"b\\c\nd' });
  counter.inc({ verb: "query" });
  counter.inc({ verb: "query" });
  deepStrictEqual(counter.lines(), [
    "# HELP calls_total Calls",
    "# TYPE calls_total counter",
    'calls_total{verb="a\\"b\\\\c\\nd"} 1',
    'calls_total{verb="query"} 2',
  ]);
});

Deno.test("the buckets of a histogram count all that is at most their bound", () => {
  const histogram = new Histogram("took", "Seconds", [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 2]) histogram.observe({ verb: "q" }, value);
  deepStrictEqual(histogram.lines().slice(2), [
    'took_bucket{verb="q",le="0.1"} 2',
    'took_bucket{verb="q",le="1"} 3',
    'took_bucket{verb="q",le="+Inf"} 4',
    'took_sum{verb="q"} 2.65',
    'took_count{verb="q"} 4',
  ]);
});

Deno.test("a gauge is asked when it is told", () => {
  let value = 1;
  const gauge = new Gauge("open", "Open", () => value);
  value = 2;
  deepStrictEqual(gauge.lines(), ["# HELP open Open", "# TYPE open gauge", "open 2"]);
});
