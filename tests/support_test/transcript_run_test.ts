/** The transcript runner, with a program that only pretends to be zpm. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { replay, runTranscript } from "../support/transcript.ts";
import { ROOT, sourceProgram } from "../support/transcript_program.ts";

const PROGRAM = sourceProgram(join(ROOT, "tests/support_test/fake_zpm.ts"));

/** Runs a transcript of one fence and returns the lines that replace its content. */
async function actual(kind: string, ...lines: string[]): Promise<string[]> {
  const markdown = ["```" + kind, ...lines, "```", ""].join("\n");
  const { text } = await replay(markdown, "a.md", PROGRAM);
  return text.split("\n").slice(1, -2);
}

Deno.test("a command shows stdout, then stderr, then the status", async () => {
  const command = "$ zpm fail 3";
  assert.deepEqual(await actual("console", command), [
    command,
    "before",
    "! it failed",
    "!",
    "! really",
    "? 3",
  ]);
});

Deno.test("a command line is a shell's: quotes, pipes, redirections, cd and continued lines", async () => {
  const lines = await actual(
    "console",
    `$ zpm say 'a  b' "c\\"d" e\\ f`,
    "$ mkdir -p sub && cd sub && zpm say stored > kept.txt",
    "$ head -c 3 kept.txt; cat kept.txt | tr a-z A-Z",
    "$ cat <<END",
    "> one",
    "> END",
  );
  assert.deepEqual(lines, [
    `$ zpm say 'a  b' "c\\"d" e\\ f`,
    `a  b c"d e f`,
    "$ mkdir -p sub && cd sub && zpm say stored > kept.txt",
    "$ head -c 3 kept.txt; cat kept.txt | tr a-z A-Z",
    "stoSTORED",
    "$ cat <<END",
    "> one",
    "> END",
    "one",
  ]);
});

Deno.test("output that looks like a mark is written behind a backslash", async () => {
  const lines = await actual("console", "$ printf '$ x\\n! y\\n? 1\\n\\\\z\\n!w\\n'");
  assert.deepEqual(lines.slice(1), ["\\$ x", "\\! y", "\\? 1", "\\\\z", "!w"]);
});

Deno.test("what differs from run to run has a name, other times stay", async () => {
  const lines = await actual("console", "$ zpm holes", "$ test [DIR] = $(pwd) && echo same");
  assert.deepEqual(lines.slice(1, 3), [
    "[DIR] at [TIME] by process [PID]",
    "http://127.0.0.1:[PORT]/ version 0.0.0, born 1999-01-01T00:00:00Z",
  ]);
  assert.equal(lines[4], "same");
});

Deno.test("the environment holds only what the transcript sets", async () => {
  Deno.env.set("ZPM_FROM_OUTSIDE", "1");
  try {
    const lines = await actual("console", "$ ZPM_SET=1 zpm environment");
    assert.deepEqual(lines.slice(1), ["ZPM_SET", "true"]);
  } finally {
    Deno.env.delete("ZPM_FROM_OUTSIDE");
  }
});

Deno.test("a fence with a name writes a file", async () => {
  const markdown = [
    "```pl name=kb/a.pl",
    "p(1).",
    "```",
    "```console",
    "$ cat kb/a.pl",
    "p(1).",
    "```",
  ];
  const { differences } = await replay(markdown.join("\n"), "a.md", PROGRAM);
  assert.deepEqual(differences, []);
});

Deno.test("a tool's result: items, structure as written, failures, errors of the protocol", async () => {
  const lines = await actual(
    "mcp",
    "> count {}",
    "> two",
    "> refuse",
    "> nothing {}",
    "> !request ping",
  );
  assert.deepEqual(lines, [
    "> count {}",
    "< 1",
    `= {"n":1.0}`,
    "> two",
    "< a",
    "",
    "  b",
    "< c",
    "> refuse",
    "x no",
    "> nothing {}",
    "! -32602 Unknown tool: nothing",
    "> !request ping",
    `= {"answers":"ping"}`,
  ]);
});

Deno.test("arguments are sent as they are written", async () => {
  const lines = await actual("mcp", `> repeat {"x": 1.0}`);
  assert.match(lines[1], /"arguments":\{"x": 1\.0\}/);
});

Deno.test("a raw line shows raw answers; a notification has none", async () => {
  const note = `> !raw {"jsonrpc":"2.0","method":"x"}`;
  assert.deepEqual(await actual("mcp", "> !raw {", note), [
    "> !raw {",
    `| {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
    note,
  ]);
});

Deno.test("one server is kept across fences until it is restarted, killed or ended", async () => {
  const fence = (...lines: string[]) => ["```mcp", ...lines, "```"];
  const markdown = [
    ...fence("> count", "< 1", `= {"n":1.0}`),
    ...fence("> count", "< 2", `= {"n":1.0}`, "> !restart", "> count", "< 1", `= {"n":1.0}`),
    ...fence("> count", "< 2", `= {"n":1.0}`, "> !kill", "> count", "< 1", `= {"n":1.0}`),
    ...fence("> !exit", "? 0", "> count", "< 1", `= {"n":1.0}`),
  ];
  const { differences } = await replay(markdown.join("\n"), "a.md", PROGRAM);
  assert.deepEqual(differences, []);
});

Deno.test("stderr of the server is shown on request, settings and flags with !serve", async () => {
  const lines = await actual("mcp", "> !serve ZPM_GREETING=hello --flag", "> !stderr", "> !stderr");
  assert.deepEqual(lines.slice(1), ["> !stderr", "! serving --flaghello", "> !stderr"]);
});

Deno.test("a server that ends by itself shows its status and what it said", async () => {
  const lines = await actual("mcp", "> die");
  assert.deepEqual(lines, ["> die", "? 3", "! serving ", "! dying"]);
});

Deno.test("a server that ends badly after the last fence is a difference", async () => {
  const markdown = ["```mcp", "> !serve ZPM_STATUS=4", "```"].join("\n");
  const { differences } = await replay(markdown, "a.md", PROGRAM);
  assert.match(differences.join(), /did not end well\n\? 4/);
});

Deno.test("a step that cannot be carried out fails with its line", async () => {
  const markdown = ["", "```mcp", "> count {", "```"].join("\n");
  await assert.rejects(replay(markdown, "a.md", PROGRAM), /a\.md:3: > count \{\n.*!raw/);
});

Deno.test("a wrong transcript fails with file, line and difference; an update makes it right", async () => {
  const path = await Deno.makeTempFile({ suffix: ".md" });
  const wrong =
    "# Title\n\n```console\n$ zpm say one\ntwo\n\n$ zpm say three\nthree\n```\n\nProse.\n";
  await Deno.writeTextFile(path, wrong);
  try {
    const check = () => runTranscript(path, { program: PROGRAM, update: false });
    await assert.rejects(check(), /:4: \$ zpm say one\n {2}- two\n {2}\+ one\n\nIf the new output/);
    assert.equal(await Deno.readTextFile(path), wrong);
    await runTranscript(path, { program: PROGRAM, update: true });
    assert.equal(await Deno.readTextFile(path), wrong.replace("two", "one"));
    await check();
  } finally {
    await Deno.remove(path);
  }
});
