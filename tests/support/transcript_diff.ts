/** Two lists of lines compared for a person: `-` expected, `+` actual. */

/** The difference, or undefined when the lines are equal. */
export function diffLines(expected: string[], actual: string[]): string | undefined {
  if (expected.length === actual.length && expected.every((line, i) => line === actual[i])) {
    return undefined;
  }
  const common = commonLengths(expected, actual);
  const out: string[] = [];
  let i = 0, j = 0;
  while (i < expected.length || j < actual.length) {
    if (i < expected.length && j < actual.length && expected[i] === actual[j]) {
      out.push(`    ${expected[i++]}`);
      j++;
    } else if (
      j >= actual.length || (i < expected.length && common[i + 1][j] >= common[i][j + 1])
    ) {
      out.push(`  - ${visible(expected[i++])}`);
    } else {
      out.push(`  + ${visible(actual[j++])}`);
    }
  }
  return out.join("\n");
}

/** Table of the length of the longest common subsequence of the lines from i and from j on. */
function commonLengths(a: string[], b: string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i][j] = a[i] === b[j]
        ? table[i + 1][j + 1] + 1
        : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
}

/** Blanks at the end of a line are the difference nobody sees: they are shown as dots. */
function visible(line: string): string {
  return line.replace(/\s+$/, (blanks) => "·".repeat(blanks.length));
}
