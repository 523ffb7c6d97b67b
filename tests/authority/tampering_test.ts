/**
 * Somebody had the audit in an editor: every record that was changed, removed, inserted, moved or cut off is missed,
 * at the right line. The cases are drawn from a seed (ZPM_SEED).
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type ChainFault, readChain } from "../../src/authority/audit_reading.ts";
import { type Place, seal, START } from "../../src/authority/chain.ts";
import { generator } from "../support/random.ts";

const seed = Number(Deno.env.get("ZPM_SEED") ?? 11);
const RECORDS = 12;
const AT = "2026-01-01T00:00:00.000Z";

interface Chain {
  lines: string[];
  head: Place;
}

function chain(...texts: string[]): Chain {
  let head = START;
  const lines = texts.map((text) => {
    const { line, record } = seal({ kind: "attempt", text }, { place: head, at: AT });
    head = { seq: record.seq, hash: record.hash };
    return line;
  });
  return { lines, head };
}

function faultOf(lines: string[], head?: Place): ChainFault | undefined {
  return readChain(lines.map((line) => new TextEncoder().encode(line)), { head }).fault;
}

const whole = chain(...Array.from({ length: RECORDS }, (_, i) => `text ${i}, ü "quoted"`));
const other = chain(...Array.from({ length: RECORDS }, (_, i) => `other ${i}`));

Deno.test("an audit that nobody touched reads to its head", () => {
  const seen: unknown[] = [];
  const bytes = whole.lines.map((line) => new TextEncoder().encode(line));
  const reading = readChain(bytes, { head: whole.head, visit: ({ seq }) => seen.push(seq) });
  deepStrictEqual(reading, { place: whole.head, fault: undefined });
  deepStrictEqual(seen, whole.lines.map((_, index) => index + 1));
  // A head that is a little older is what a crash leaves.
  strictEqual(faultOf([...whole.lines], headOf(whole.lines[8])), undefined);
});

Deno.test(`any byte of any line: a change of it is found (seed ${seed})`, () => {
  const random = generator(seed);
  for (let n = 0; n < 600; n++) {
    const at = random(RECORDS);
    const bytes = new TextEncoder().encode(whole.lines[at]);
    bytes[random(bytes.length)] ^= 1 << random(8);
    const lines = whole.lines.map((line) => new TextEncoder().encode(line));
    lines[at] = bytes;
    const { fault } = readChain(lines, { head: whole.head });
    strictEqual(fault?.line, at + 1);
  }
});

Deno.test(`lines that are removed, inserted, moved, exchanged or cut off are found (seed ${seed})`, () => {
  const random = generator(seed);
  const kinds = new Set<string>();
  for (let n = 0; n < 600; n++) {
    const lines = [...whole.lines];
    const [what, first] = tamper(lines, random);
    const fault = faultOf(lines, whole.head);
    ok(fault, `${what}: not found`);
    strictEqual(fault.line, first, `${what}: ${JSON.stringify(fault)}`);
    kinds.add(`${what}: ${fault.kind}`);
  }
  deepStrictEqual([...kinds].sort(), [
    "blank: inserted",
    "copy: inserted",
    "cut: cut off",
    "exchange: changed",
    "foreign: inserted",
    "remove: cut off",
    "remove: removed",
    "swap: inserted",
  ]);
});

/** Does something to the lines: what it is, and the first line that is not as it was. */
function tamper(
  lines: string[],
  random: (below: number) => number,
): [what: string, first: number] {
  const at = random(RECORDS);
  switch (random(7)) {
    case 0:
      lines.splice(at, 1);
      return ["remove", at + 1];
    case 1:
      lines.splice(at);
      return ["cut", at + 1];
    case 2: {
      // In front of the copied record the copy is what belongs there.
      lines.splice(at + 1, 0, lines[at]);
      return ["copy", at + 2];
    }
    case 3:
      lines.splice(at, 0, at === 0 ? other.lines[3] : other.lines[at]);
      return ["foreign", at + 1];
    case 4: {
      const one = random(RECORDS - 1);
      [lines[one], lines[one + 1]] = [lines[one + 1], lines[one]];
      return ["swap", one + 1];
    }
    case 5:
      lines[at] = at === 0 ? other.lines[0] : other.lines[at];
      return ["exchange", at === 0 ? 2 : at + 1];
    default:
      lines.splice(at, 0, "");
      return ["blank", at + 1];
  }
}

Deno.test("a chain that was made anew is no longer the one that the head was told", () => {
  const forged = chain(...Array.from({ length: RECORDS }, (_, i) => `forged ${i}`));
  const fault = faultOf(forged.lines, whole.head);
  strictEqual(fault?.kind, "changed");
  strictEqual(fault.line, RECORDS);
});

Deno.test("what reads the same but is spelled otherwise is a change", () => {
  const respelled = [
    (line: string) => line + " ",
    (line: string) => line + "\r",
    (line: string) => line.replace('"kind"', ' "kind"'),
    (line: string) => line.replace("ü", "\\u00fc"),
    (line: string) => "\ufeff" + line,
    (line: string) =>
      JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).reverse())),
  ];
  for (const spell of respelled) {
    const lines = [...whole.lines];
    lines[4] = spell(lines[4]);
    ok(lines[4] !== whole.lines[4]);
    strictEqual(faultOf(lines, whole.head)?.line, 5, lines[4]);
  }
});

function headOf(line: string): Place {
  const { seq, hash } = JSON.parse(line);
  return { seq, hash };
}
