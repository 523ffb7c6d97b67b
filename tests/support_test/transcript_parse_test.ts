/** The parts of the transcript runner that run nothing: fences, steps, rewriting, differences, holes, JSON. */
import assert from "node:assert/strict";
import { parseFences, parseSteps, rewriteFences } from "../support/transcript_parse.ts";
import { diffLines } from "../support/transcript_diff.ts";
import { fillHoles, hideHoles } from "../support/transcript_holes.ts";
import { rawMember } from "../../src/base/raw_json.ts";
import { compactJson } from "../support/transcript_json.ts";
import { makeShell } from "../support/transcript_console.ts";
import { makePlace, removePlace } from "../support/transcript_program.ts";

Deno.test("fences have a kind, a name and the line of their content", () => {
  const fences = parseFences("a\n```pl name=kb/a.pl\np.\n```\n  ~~~console\n  $ x\n  ```\n  ~~~\n");
  assert.deepEqual(fences.map(({ kind, name, line, content }) => ({ kind, name, line, content })), [
    { kind: "pl", name: "kb/a.pl", line: 3, content: ["p."] },
    { kind: "console", name: undefined, line: 6, content: ["$ x", "```"] },
  ]);
});

Deno.test("a fence that is never closed is an error with its line", () => {
  assert.throws(() => parseFences("\n```console\n$ x\n"), /line 2: the fence is never closed/);
});

Deno.test("steps hold a command, its continued lines and the expected lines", () => {
  const [fence] = parseFences("```console\n$ a\n> b\nx\n\ny\n\n$ c\n> d\n```");
  const steps = parseSteps(fence, "$ ", "> ");
  assert.deepEqual(
    steps.map(({ line, command, expected, blanks }) => ({ line, command, expected, blanks })),
    [
      { line: 2, command: "a\nb", expected: ["x", "", "y"], blanks: 1 },
      { line: 8, command: "c\nd", expected: [], blanks: 0 },
    ],
  );
});

Deno.test("a fence that does not start with a command is an error", () => {
  const [fence] = parseFences("```console\nzpm x\n```");
  assert.throws(() => parseSteps(fence, "$ "), /line 2: a fence starts with a command/);
});

Deno.test("rewriting keeps everything but the content, and a fence stays closed", () => {
  const markdown = "a\n\n ```console\n $ x\n ```\nb\n```mcp\n> y\n```\n";
  const [first, second] = parseFences(markdown);
  const content = new Map([[first, ["$ x", "```", "1"]], [second, ["> y", "< 2"]]]);
  const rewritten = rewriteFences(markdown, content);
  assert.equal(rewritten, "a\n\n ````console\n $ x\n ```\n 1\n ````\nb\n```mcp\n> y\n< 2\n```\n");
  assert.deepEqual(parseFences(rewritten).map((fence) => fence.content), [...content.values()]);
});

Deno.test("a difference shows both sides in place, and blanks at the end of a line", () => {
  assert.equal(diffLines(["a", "b"], ["a", "b"]), undefined);
  assert.equal(diffLines(["a", "b ", "c"], ["a", "b", "c"]), "    a\n  - b·\n  + b\n    c");
  assert.equal(diffLines([], ["x"]), "  + x");
  assert.equal(diffLines(["x"], []), "  - x");
});

Deno.test("holes: only what differs from run to run", () => {
  const holes = { dir: "/tmp/d", version: "1.2.3", started: new Date() };
  const now = new Date().toISOString();
  assert.equal(hideHoles(`/tmp/d/x ${now}`, holes), "[DIR]/x [TIME]");
  assert.equal(hideHoles("2001-02-03T04:05:06Z", holes), "2001-02-03T04:05:06Z");
  assert.equal(
    hideHoles("v1.2.3, 11.2.3, 1.2.34, 1.2.3.4", holes),
    "v[VERSION], 11.2.3, 1.2.34, 1.2.3.4",
  );
  assert.equal(hideHoles(`pid: 12, {"pid":34}`, holes), `pid: [PID], {"pid":[PID]}`);
  assert.equal(fillHoles("cd [DIR]/a", holes), "cd /tmp/d/a");
});

Deno.test("JSON stays as it was written", () => {
  const json = `{"a": {"x,}": [1, "]"], "b" : 1.0, "c":"q\\"}"}, "d": 10000000000000000001 }`;
  assert.equal(rawMember(json, ["a", "b"]), "1.0");
  assert.equal(rawMember(json, ["a", "c"]), `"q\\"}"`);
  assert.equal(rawMember(json, ["d"]), "10000000000000000001");
  assert.equal(rawMember(json, ["e"]), undefined);
  assert.equal(rawMember("{}", ["a"]), undefined);
  assert.equal(
    compactJson(json),
    `{"a":{"x,}":[1,"]"],"b":1.0,"c":"q\\"}"},"d":10000000000000000001}`,
  );
});

Deno.test("a command past its limit is killed with its children", async () => {
  const place = await makePlace(["false"]);
  try {
    const shown = await makeShell(place, 200).run("echo begun; sleep 30 | cat");
    assert.deepEqual(shown, ["begun", "? 137", "? the command did not end within 200 ms"]);
  } finally {
    await removePlace(place);
  }
});
