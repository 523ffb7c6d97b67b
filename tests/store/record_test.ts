import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Commit } from "../../src/store/protocol.ts";
import { decodeLine, encodeCommit, FIRST_SUM } from "../../src/store/record.ts";
import { scan, START } from "../../src/store/recovery.ts";
import { commit, commits } from "../support/commits.ts";

Deno.test("a commit comes back from its line as it was", () => {
  const whole: Commit = {
    seq: 1,
    at: "2026-01-01T00:00:00.000Z",
    by: "update_fact",
    who: "ann",
    call: "op-1",
    ops: [
      ["+", "q('a\\nb', \"É日本\u2028\", 'don''t')"],
      ["+", "r(A,B):-s(A,B)", ["Who", "What"]],
      ["-", 7, 0, "p(1)"],
      ["-", 7, 1, "r(A):-s(A)", ["Who"]],
      ["r", 7, 0, "p(1)"],
      ["r", 7, 1, "r(A):-s(A)", ["Who"]],
      ["x", "p(3)", 1],
      ["~x", "p(3)", 1],
      ["a", "p(3)", "h"],
      ["a", "p(A)", "h", ["Who"]],
      ["a", "p(4)", "h", [], [3, 0], [2, 1]],
      ["~a", "p(4)", "h", [], [3, 0], [2, 1]],
      ["p", 2, 1, "p(4)"],
      ["p", 2, 2, "p(A)", ["Who"]],
      ["s", "before_refactor"],
      ["d", "p/2"],
      ["t", "p/2"],
      ["~t", "p/2"],
    ],
  };
  const { text, sum } = encodeCommit(whole, FIRST_SUM);
  strictEqual(text.indexOf("\n"), text.length - 1);
  const line = decodeLine(bytesOf(text.trimEnd()));
  deepStrictEqual(line, { kind: "commit", commit: whole, part: 1, of: 1, prev: FIRST_SUM, sum });
});

Deno.test("a line says what it is in the order people read it", () => {
  const { text } = encodeCommit(commit(1, "p(1)"), FIRST_SUM);
  strictEqual(
    text.replace(/"sum":".{8}"/, '"sum":"[SUM]"'),
    '{"v":1,"seq":1,"at":"2026-01-01T00:00:00.000Z","by":"remember_fact","ops":[["+","p(1)"]],' +
      '"prev":"00000000","sum":"[SUM]"}\n',
  );
});

Deno.test("every flipped bit of a line is noticed", () => {
  const line = bytesOf(encodeCommit(commit(1), FIRST_SUM).text.trimEnd());
  for (let i = 0; i < line.length * 8; i++) {
    const rotten = line.slice();
    rotten[i >> 3] ^= 1 << (i & 7);
    strictEqual(decodeLine(rotten).kind, "bad");
  }
});

Deno.test("a long commit is several lines and one commit", () => {
  const facts = Array.from({ length: 50 }, (_, i) => `long(${i},'${"x".repeat(40)}')`);
  const long = commit(2, ...facts);
  const { text } = log([commit(1), long, commit(3)], 400);
  strictEqual(text.trimEnd().split("\n").every((line) => line.length < 600), true);
  strictEqual(text.includes('"part":2'), true);
  const found = scan(bytesOf(text), START);
  deepStrictEqual(found.commits, [commit(1), long, commit(3)]);
  strictEqual(found.rest.kind, "none");
});

Deno.test("an operation longer than a line is kept whole", () => {
  const huge = commit(1, "a", `b('${"x".repeat(5000)}')`, "c");
  const found = scan(bytesOf(log([huge], 1000).text), START);
  deepStrictEqual(found.commits, [huge]);
});

Deno.test("a line of a newer version is known as such, whatever its sum", () => {
  const ours = encodeCommit(commit(1), FIRST_SUM).text.trimEnd();
  strictEqual(decodeLine(bytesOf('{"v":2,"whatever":[],"digest":"abc"}')).kind, "newer");
  strictEqual(decodeLine(bytesOf(ours.replace('"v":1', '"v":2'))).kind, "bad");
});

Deno.test("an operation that is not known makes the line newer, not bad", () => {
  const later = { ...commit(1), ops: [["!", "p(1)"]] } as unknown as Commit;
  strictEqual(decodeLine(bytesOf(encodeCommit(later, FIRST_SUM).text.trimEnd())).kind, "newer");
});

Deno.test("a torn tail is dropped at every byte, and with it nothing else", () => {
  const { text } = log(commits(1, 4));
  const tail = encodeCommit(commit(5), log(commits(1, 4)).sum).text;
  checkEveryCut(text, tail, 5);
});

Deno.test("a commit in parts is there whole or not at all, at every byte", () => {
  const { text, sum } = log(commits(1, 2));
  const facts = Array.from({ length: 6 }, (_, i) => `fact(${i},'${"y".repeat(30)}')`);
  const tail = encodeCommit(commit(3, ...facts), sum, 150).text;
  strictEqual(tail.includes('"of":'), true);
  checkEveryCut(text, tail, 3);
});

Deno.test("zeros behind the last line are a torn tail", () => {
  const { text } = log(commits(1, 2));
  const found = scan(bytesOf(text + "\0".repeat(500)), START);
  deepStrictEqual(found.rest, { kind: "torn", bytes: 500 });
  strictEqual(found.commits.length, 2);
});

Deno.test("a flipped byte in the middle ends the good prefix there", () => {
  const lines = log(commits(1, 5)).text.trimEnd().split("\n");
  lines[2] = lines[2].replace("p(3)", "p(8)");
  const found = scan(bytesOf(lines.join("\n") + "\n"), START);
  deepStrictEqual(found.commits, commits(1, 2));
  const offset = lines[0].length + lines[1].length + 2;
  deepStrictEqual(found.rest, { kind: "damaged", record: 3, offset, unread: 2 });
});

Deno.test("a garbage line, a lost line and a doubled line are damage", () => {
  const lines = log(commits(1, 5)).text.trimEnd().split("\n");
  for (
    const [changed, unread] of [
      [lines.toSpliced(2, 0, "garbage"), 3],
      [lines.toSpliced(2, 1), 1],
      [lines.toSpliced(2, 0, lines[1]), 3],
    ] as const
  ) {
    const found = scan(bytesOf(changed.join("\n") + "\n"), START);
    deepStrictEqual(found.commits, commits(1, 2));
    strictEqual(found.rest.kind === "damaged" && found.rest.unread, unread);
  }
});

Deno.test("a sound line of another log is damage", () => {
  const lines = log(commits(1, 4)).text.trimEnd().split("\n");
  const others = log([commit(1), commit(2, "other(2)"), commit(3)]).text.trimEnd().split("\n");
  const found = scan(bytesOf(lines.with(2, others[2]).join("\n") + "\n"), START);
  deepStrictEqual(found.commits, commits(1, 2));
  strictEqual(found.rest.kind, "damaged");
});

/** Cuts `tail` behind `text` after every byte: all of it but the newline counts as whole. */
function checkEveryCut(text: string, tail: string, seq: number): void {
  const good = bytesOf(text).length;
  const all = bytesOf(text + tail);
  for (let end = good; end <= all.length; end++) {
    const found = scan(all.subarray(0, end), START);
    const whole = end >= all.length - 1;
    strictEqual(found.at.seq, whole ? seq : seq - 1, `cut at ${end} of ${all.length}`);
    strictEqual(found.commits.length, found.at.seq);
    const torn = { kind: "torn", bytes: end - good };
    deepStrictEqual(found.rest, whole || end === good ? { kind: "none" } : torn);
  }
}

function log(all: Commit[], line_bytes?: number): { text: string; sum: string } {
  let text = "";
  let sum = FIRST_SUM;
  for (const each of all) {
    const encoded = encodeCommit(each, sum, line_bytes);
    text += encoded.text;
    sum = encoded.sum;
  }
  return { text, sum };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
