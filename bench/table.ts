/** What the bench found, as lines for a person and as JSON for a program. */
import { median, quantile, shown, type Times } from "./measure.ts";

/** One line of the table; without a target it only explains the others. */
export interface Row {
  what: string;
  took: string;
  result?: string;
  target?: string;
  met?: boolean;
  /** The medians behind it, in milliseconds or in what `took` says. */
  values?: number[];
}

/** A line that only explains others. */
export function measured(what: string, times: Times): Row {
  return { what, took: shown(times), values: [median(times)] };
}

/** `times` as a multiple of `base`, held against the most that it may be. */
export function against(what: string, times: Times, base: Times, most?: number): Row {
  const ratio = median(times) / median(base);
  return {
    what,
    took: shown(times),
    result: `${ratio.toFixed(ratio < 0.1 ? 3 : 2)} x`,
    values: [median(times), median(base)],
    ...(most !== undefined && { target: `at most ${most} x`, met: ratio <= most }),
  };
}

/** How much longer `times` takes than `base`, held against the most that it may be. */
export function over(
  what: string,
  times: Times,
  base: Times,
  { name, most_ms }: { name: string; most_ms: number },
): Row {
  const more = median(times) - median(base);
  const digits = most_ms < 10 ? 2 : 0;
  return {
    what,
    took: shown(times),
    result: `${name} + ${more.toFixed(digits)} ms`,
    target: `at most ${name} + ${most_ms} ms`,
    met: more <= most_ms,
    values: [median(times), median(base)],
  };
}

/** A plain number with its unit. */
export function counted(
  what: string,
  value: number,
  { unit, most }: { unit: string; most?: number },
): Row {
  return {
    what,
    took: `${value.toFixed(0)} ${unit}`,
    values: [value],
    ...(most !== undefined && { target: `at most ${most} ${unit}`, met: value <= most }),
  };
}

/** Requests a second, perhaps as a multiple of `base`, held against the least that it may be. */
export function rate(what: string, rates: number[], base?: number[], least?: number): Row {
  const [low, mid, high] = [0.25, 0.5, 0.75].map((part) => quantile(rates, part).toFixed(0));
  const ratio = base && median(rates) / median(base);
  return {
    what,
    took: `${mid} a second (${low} to ${high})`,
    values: [median(rates), ...(base ? [median(base)] : [])],
    ...(ratio !== undefined && { result: `${ratio.toFixed(2)} x` }),
    ...(ratio !== undefined && least !== undefined && {
      target: `at least ${least} x`,
      met: ratio >= least,
    }),
  };
}

const HEAD = ["", "median (middle half)", "", "target", ""];

function cells(rows: Row[]): string[][] {
  return rows.map(({ what, took, result = "", target = "", met }) => [
    what,
    took,
    result,
    target,
    met === undefined ? "" : met ? "met" : "MISSED",
  ]);
}

/** The same for a page. */
export function markdown(rows: Row[]): string {
  const line = (columns: string[]) => `| ${columns.join(" | ")} |`;
  return [line(HEAD), line(HEAD.map(() => "---")), ...cells(rows).map(line)].join("\n");
}

export function table(rows: Row[]): string {
  const all = [HEAD, ...cells(rows)];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd()
  )
    .join("\n");
}
