/** Lines and broken lines (SPEC 1.1; CASES M01, M06). */
import assert from "node:assert/strict";
import { textOfArguments } from "../../src/mcp/exact.ts";
import { type Incoming, type Line, readLines, readMessage } from "../../src/mcp/framing.ts";

async function* chunks(...texts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === "string" ? new TextEncoder().encode(text) : text;
}

async function linesOf(texts: (string | Uint8Array)[], maximum_bytes?: number): Promise<Line[]> {
  return await Array.fromAsync(readLines(chunks(...texts), maximum_bytes));
}

function read(text: string): Incoming {
  return readMessage({ text });
}

function request(id: string, more: object = {}): Incoming {
  return { kind: "request", id, method: "ping", ...more };
}

function line(id: string, more = ""): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"ping"${more}}`;
}

function assertBroken(text: string, code: number, message: RegExp): void {
  const incoming = read(text);
  assert.ok(incoming.kind === "broken", `${text}: ${incoming.kind}`);
  assert.equal(incoming.code, code);
  assert.match(incoming.message, message);
}

Deno.test("lines are found however the bytes arrive, the last one need not end", async () => {
  assert.deepEqual(await linesOf(["a\nb", "c\n\nd\r", "\n", "é".slice(0), "end"]), [
    { text: "a" },
    { text: "bc" },
    { text: "" },
    { text: "d\r" },
    { text: "éend" },
  ]);
  const emoji = new TextEncoder().encode("😀\n");
  const pieces = [...emoji].map((byte) => Uint8Array.of(byte));
  assert.deepEqual(await linesOf(pieces), [{ text: "😀" }]);
  assert.deepEqual(await linesOf([]), []);
});

Deno.test("a line that is too long is one fault, and the next line is read", async () => {
  const lines = await linesOf(["123456", "789", "0\nok\n", "1".repeat(20)], 8);
  assert.deepEqual(lines, [
    { fault: "the line is longer than 8 bytes" },
    { text: "ok" },
    { fault: "the line is longer than 8 bytes" },
  ]);
});

Deno.test("bytes that are not UTF-8 are a fault, a byte order mark is not", async () => {
  const lines = await linesOf([Uint8Array.of(0x22, 0xff, 0x22, 0x0a, 0xef, 0xbb, 0xbf), "{}"]);
  assert.deepEqual(lines, [{ fault: "the line is not UTF-8" }, { text: "{}" }]);
  assert.equal(readMessage(lines[0]).kind, "broken");
});

Deno.test("what is not JSON is a parse error", () => {
  for (const text of ["{oops", '{"a":1}{"b":2}', `${line("1")} ${line("2")}`, "nul", "'x'"]) {
    assertBroken(text, -32700, /not one JSON value/);
  }
});

Deno.test("what is JSON but no message is an invalid request", () => {
  assertBroken("[]", -32600, /not a batch/);
  assertBroken(`[${line("1")}]`, -32600, /not a batch/);
  for (const text of ["null", "1", '"x"', "true"]) assertBroken(text, -32600, /an object/);
  for (const id of ["null", "1.5", "true", "{}", "[1]", "1e400"]) {
    assertBroken(line(id), -32600, /"id" must be/);
  }
  assertBroken('{"id":1,"method":"ping"}', -32600, /"jsonrpc"/);
  assertBroken('{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, /"jsonrpc"/);
  assertBroken('{"jsonrpc":"2.0","id":1,"method":7}', -32600, /"method" must be/);
  assertBroken('{"jsonrpc":"2.0","id":1}', -32600, /"method" is missing/);
  assertBroken('{"jsonrpc":"2.0"}', -32600, /"method" is missing/);
  assertBroken(line("1", ',"params":[1]'), -32600, /"params" must be an object/);
  assertBroken(line("1", ',"params":"x"'), -32600, /"params" must be an object/);
});

Deno.test("blank lines ask for nothing, carriage returns and a null params are harmless", () => {
  for (const text of ["", "\r", "  \t ", " ".repeat(1_000_000)]) {
    assert.deepEqual(read(text), { kind: "nothing" });
  }
  assert.deepEqual(read(`${line("1")}\r`), request("1"));
  assert.deepEqual(read(line("1", ',"params":null')), request("1"));
});

Deno.test("an id keeps the text it was written as", () => {
  const ids = [
    "0",
    '"0"',
    "-1",
    "1.0",
    "1e3",
    "9007199254740993",
    '"a\\nb"',
    '""',
    '"9007199254740993"',
  ];
  for (const id of ids) {
    assert.deepEqual(read(line(id)), request(id));
  }
  assert.deepEqual(
    read(
      '{"params":{"id":7,"x":{"id":8}},"id": 12345678901234567890 ,"jsonrpc":"2.0","method":"ping"}',
    ),
    request("12345678901234567890", { params: { id: 7, x: { id: 8 } } }),
  );
});

Deno.test("a message without an id is a notification, whatever it is called", () => {
  const params = { name: "remember_fact", arguments: { fact: "p" } };
  assert.deepEqual(
    read(JSON.stringify({ jsonrpc: "2.0", method: "tools/call", params })),
    { kind: "notification", method: "tools/call", params },
  );
});

Deno.test("a cancellation names its request by the text of the id", () => {
  const cancel = (id: string) =>
    read(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
  for (const id of ["5", '"5"', "9007199254740993"]) {
    const incoming = cancel(id);
    assert.ok(incoming.kind === "notification");
    assert.equal(incoming.requestId, id);
  }
  const without = cancel("null");
  assert.ok(without.kind === "notification" && without.requestId === undefined);
});

Deno.test("an answer to a request of ours is passed on", () => {
  assert.equal(read('{"jsonrpc":"2.0","id":1,"result":{}}').kind, "response");
  assert.equal(read('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}').kind, "response");
});

Deno.test("nesting that a recursive reader could not follow is read", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const incoming = read(line("12", `,"params":{"x":${deep}}`));
  assert.ok(incoming.kind === "request" || incoming.kind === "broken");
  if (incoming.kind === "request") assert.equal(incoming.id, "12");
});

Deno.test("a call carries the text of its arguments, and nothing that its sender put in that place", () => {
  const call = (params: string) => {
    const incoming = read(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
    assert.ok(incoming.kind === "request");
    return textOfArguments(incoming.params!._meta as Record<string, unknown> | undefined);
  };
  const exact = '{"X":9007199254740993, "Y":1.0,"Y":"a\\"}b"}';
  assert.equal(call(`{"name":"t","arguments":${exact}}`), exact);
  assert.equal(call(`{"arguments":{"a":1},"arg\\u0075ments":{"a":2}}`), '{"a":2}');
  assert.equal(call(`{"name":"t","_meta":{"zpm/arguments":"{}"}}`), undefined);
  assert.equal(call(`{"name":"t","arguments":null}`), undefined);
});
