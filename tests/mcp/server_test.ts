/** An MCP session from line to line (SPEC 1.1, 1.4; CASES M01, M03, M04, M06). */
import assert from "node:assert/strict";
import { noProject } from "../../src/base/errors.ts";
import { limits } from "../../src/base/limits.ts";
import { instructionsFor } from "../../src/mcp/memories/instructions.ts";
import { listedTools } from "../../src/mcp/memories/tools.ts";
import { tools as allTools } from "../../src/tools/registry.ts";
import { selectTools } from "../../src/tools/selection.ts";
import { fakeMemories } from "../support/fake_memories.ts";
import { handshake, startSession } from "../support/mcp_session.ts";

const instructions = instructionsFor(allTools);
const hasId = (id: unknown) => (line: string) => JSON.parse(line).id === id;

Deno.test("the handshake names the server, its version and what it can do", async () => {
  const session = startSession({ version: "1.2.3" });
  session.send(...handshake());
  const { result } = JSON.parse(await session.line(hasId(0)));
  assert.equal(result.protocolVersion, "2025-11-25");
  assert.deepEqual(result.serverInfo, { name: "zpm", title: "zpm", version: "1.2.3" });
  // Nothing is promised that is not sent.
  assert.deepEqual(result.capabilities, {
    tools: {},
    resources: { subscribe: true, listChanged: true },
    prompts: {},
    completions: {},
  });
  assert.equal(result.instructions, instructions);
  assert.ok(new TextEncoder().encode(instructions).length < 2048);
  await session.end();
});

Deno.test("older revisions are spoken, an unknown one gets the newest of its era", async () => {
  for (
    const [asked, given] of [["2024-11-05", "2024-11-05"], ["2025-06-18", "2025-06-18"], [
      "1999-01-01",
      "2025-11-25",
    ]]
  ) {
    const session = startSession();
    session.send(...handshake(asked));
    assert.equal(JSON.parse(await session.line(hasId(0))).result.protocolVersion, given);
    await session.end();
  }
});

Deno.test("tools/list carries all a client wants to know, in few bytes", async () => {
  const session = startSession();
  session.send(...handshake(), '{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  const line = await session.line(hasId(1));
  const { tools } = JSON.parse(line).result;
  assert.deepEqual(tools, JSON.parse(JSON.stringify(listedTools(allTools))));
  assert.ok(line.length < 2_400 * tools.length, `${line.length} bytes`);
  for (const tool of tools) {
    assert.match(tool.name, /^[a-z_]{1,40}$/);
    assert.equal(tool.annotations.openWorldHint, false);
    assert.equal(tool.annotations.title, tool.title);
    // Clients cut a description there.
    assert.ok(new TextEncoder().encode(tool.description).length < 2048);
  }
  const core = tools.filter((tool: { _meta?: object }) => tool._meta);
  assert.ok(core.length >= 3 && core.length <= 5);
  await session.end();
});

Deno.test("a broken line gets its error, and the next good line its answer", async () => {
  const session = startSession();
  const good = '{"jsonrpc":"2.0","id":"good","method":"ping"}';
  session.send(...handshake(), "{oops", "", "[]", `[${good}]`, good.replace('"good"', "null"));
  session.send(
    good.replace('"good"', "1.5"),
    `${good} ${good}`,
    " ".repeat(1_000_000),
    `${good}\r`,
  );
  await session.line(hasId("good"));
  await session.end();
  const codes = session.lines.map((line) => JSON.parse(line)).filter((reply) => reply.error)
    .map(({ id, error }) => [id, error.code]);
  const invalid = [null, -32600];
  assert.deepEqual(codes, [[null, -32700], invalid, invalid, invalid, invalid, [null, -32700]]);
});

Deno.test("ids come back as the text they were sent as", async () => {
  const ids = ["0", '"0"', '"a\\nb"', "9007199254740993", "1.0", "-7"];
  const session = startSession();
  for (const id of ids) session.send(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
  await session.end();
  assert.deepEqual(session.lines.map((line) => /"id":("[^"]*"|[^,}]*)/.exec(line)![1]), ids);
});

Deno.test("a notification is not answered and runs nothing", async () => {
  const session = startSession();
  session.send(
    ...handshake(),
    {
      jsonrpc: "2.0",
      method: "tools/call",
      params: { name: "remember_fact", arguments: { fact: "p" } },
    },
    { jsonrpc: "2.0", method: "notifications/nonsense", params: { x: 1 } },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 77 } },
    { jsonrpc: "2.0", method: "notifications/cancelled" },
  );
  await session.end();
  assert.equal(session.lines.length, 1);
  assert.deepEqual(session.memories.calls, []);
});

Deno.test("calls give texts, structure and isError, which is said also when it is false", async () => {
  const session = startSession();
  session.send(...handshake());
  assert.deepEqual((await session.call("remember_fact", { fact: "p(a)" })).result, {
    content: [{ type: "text", text: "Asserted: p(a)" }],
    structuredContent: { fact: "p(a)", commit: 1, duplicate: false, memory: "default" },
    isError: false,
  });
  const failed = await session.call("remember_fact", {});
  assert.equal(failed.result!.isError, true);
  assert.deepEqual(failed.result!.content!.map(({ text }) => text)[0], "InvalidArguments");
  assert.equal((await session.call("get_knowledge_schema", null)).result!.isError, false);
  assert.equal((await session.call("get_knowledge_schema")).result!.isError, false);
  await session.end();
});

Deno.test("an unknown tool and malformed params are errors of the protocol", async () => {
  const session = startSession();
  session.send(...handshake());
  const unknown = await session.call("remember_fatc", { fact: "p" });
  assert.deepEqual(unknown.error, {
    code: -32602,
    message: 'Unknown tool: remember_fatc, perhaps "remember_fact" is meant',
  });
  assert.equal((await session.call("echo", "text")).error!.code, -32602);
  session.send('{"jsonrpc":"2.0","id":1,"method":"tools/call"}');
  session.send('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":5}}');
  session.send('{"jsonrpc":"2.0","id":3,"method":"no/such"}');
  for (const [id, code] of [[1, -32602], [2, -32602], [3, -32601]]) {
    assert.equal(JSON.parse(await session.line(hasId(id))).error.code, code);
  }
  await session.end();
});

Deno.test("a tool that is not offered is unknown, neither listed nor spoken of", async () => {
  const tools = selectTools({ readOnly: true, without: ["echo"] });
  const session = startSession({ tools });
  session.send(...handshake(), '{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  const { instructions } = JSON.parse(await session.line(hasId(0))).result;
  const listed = JSON.parse(await session.line(hasId(1))).result.tools;
  assert.deepEqual(listed.map(({ name }: { name: string }) => name), tools.map(({ name }) => name));
  for (const { name, effect, examples: [{ input }] } of allTools) {
    const { result, error } = await session.call(name, input);
    if (effect === "read" && name !== "echo") assert.equal(result?.isError, false, name);
    else assert.equal(error?.code, -32602, name);
    if (effect === "write") assert.ok(!instructions.includes(name), name);
  }
  assert.match(instructions, /only reads/);
  await session.end();
});

Deno.test("a float keeps its point on the wire", async () => {
  const session = startSession();
  session.send(...handshake());
  session.send(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_logic","arguments":{"goal":"float"}}}',
  );
  assert.match(await session.line(hasId(1)), /"structuredContent":\{"answers":\[\{"X":1\.0\}\]/);
  await session.end();
});

Deno.test("arguments nested beyond any reader's depth are refused, not fatal", async () => {
  const session = startSession();
  session.send(...handshake());
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  session.send(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":${deep}}}}`,
  );
  const reply = JSON.parse(await session.line(hasId(1)));
  assert.equal(reply.result.content[0].text, "InvalidArguments");
  assert.equal((await session.call("echo", { message: "alive" })).result!.isError, false);
  await session.end();
});

Deno.test("the handshake and tools/list do not wait for the memories", async () => {
  let settled = 0;
  const memories = fakeMemories({ delay_ms: 300 });
  const session = startSession({ memories, onsettled: () => settled++ });
  const started = performance.now();
  session.send(...handshake());
  const called = session.call("query_logic", { goal: "p" });
  const echoed = await session.call("echo", { message: "x" });
  session.send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  await session.line(hasId(1));
  assert.ok(performance.now() - started < 250);
  assert.equal(echoed.result!.isError, false);
  assert.ok(settled >= 2);
  assert.equal((await called).result!.isError, false);
  await session.end();
});

Deno.test("a cancelled call is stopped and not answered, others go on", async () => {
  const session = startSession();
  session.send(...handshake());
  const slow = (id: string) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"query_logic","arguments":{"goal":"slow 5000"}}}`;
  session.send(slow("9007199254740993"), slow('"s"'));
  while (session.memories.calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  session.send(
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}',
  );
  session.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s"}}');
  await session.call("echo", { message: "y" });
  const signals = session.memories.calls.map(({ context }) => context.signal!.aborted);
  assert.deepEqual(signals, [true, true]);
  await session.end();
  assert.ok(
    !session.lines.some((line) => line.includes("9007199254740993") || line.includes('"s"')),
  );
});

Deno.test("at the end of input finished answers and writes go out, reads are stopped with a reply", async () => {
  const session = startSession();
  session.send(...handshake());
  const read = session.call("query_logic", { goal: "slow 60000" });
  const write = session.call("remember_fact", { fact: "slow 1300" });
  const quick = session.call("query_logic", { goal: "slow 200" });
  const started = performance.now();
  await session.end();
  const took = performance.now() - started;
  assert.ok(took > limits.drain_ms && took < limits.drain_ms + 2_000, `${took} ms`);
  assert.equal((await read).result!.content![0].text, "Stopped: end of input");
  assert.equal((await write).result!.isError, false);
  assert.equal((await quick).result!.isError, false);
});

Deno.test("a request to stop ends a session whose input is still open", async () => {
  const session = startSession();
  session.send(...handshake());
  const write = session.call("remember_fact", { fact: "slow 100" });
  await session.call("echo", { message: "x" });
  await session.stop();
  assert.equal((await write).result!.isError, false);
});

Deno.test("without a project the handshake works and each call says why it does not", async () => {
  const session = startSession({ problem: noProject() });
  session.send(...handshake(), '{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  await session.line(hasId(1));
  for (const name of ["echo", "query_logic"]) {
    const { result } = await session.call(name, { message: "x" });
    assert.equal(result!.isError, true);
    assert.match(result!.content![0].text, /run 'zpm init'/);
  }
  await session.end();
});

Deno.test("a slow reader gets all of a big answer, although input has ended", async () => {
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
  const session = startSession({ beforeWrite: pause });
  session.send(...handshake());
  const answer = session.call("query_logic", { goal: "many 20000", limit: 10_000 });
  await session.end();
  const { structuredContent } = (await answer).result!;
  assert.equal((structuredContent!.answers as unknown[]).length, 20_000);
});

Deno.test("a reader that takes nothing holds back its own input, not the process", async () => {
  const gate = Promise.withResolvers<void>();
  const session = startSession({ beforeWrite: () => gate.promise });
  session.send(...handshake());
  const message = "x".repeat(1_000_000);
  const calls = Array.from({ length: 20 }, () => session.call("echo", { message }));
  const before = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok(performance.now() - before < 2_000);
  assert.equal(session.lines.length, 0);
  gate.resolve();
  for (const call of calls) {
    assert.equal((await call).result!.content![0].text.length, message.length);
  }
  await session.end();
});

Deno.test("2026-07-28: discover, list and call, each result complete and cacheable", async () => {
  const session = startSession({ version: "1.2.3" });
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  };
  const ask = async (id: number, method: string, params: object = {}) => {
    session.send({ jsonrpc: "2.0", id, method, params: { ...params, _meta } });
    return JSON.parse(await session.line(hasId(id)));
  };
  const discovered = (await ask(1, "server/discover")).result;
  assert.deepEqual(discovered.supportedVersions, ["2026-07-28"]);
  assert.equal(discovered.instructions, instructions);
  assert.equal(discovered._meta["io.modelcontextprotocol/serverInfo"].version, "1.2.3");
  const listed = (await ask(2, "tools/list")).result;
  for (const result of [discovered, listed]) {
    assert.equal(result.resultType, "complete");
    assert.equal(result.ttlMs, limits.list_ttl_ms);
    assert.equal(result.cacheScope, "public");
  }
  const called =
    (await ask(3, "tools/call", { name: "query_logic", arguments: { goal: "float" } })).result;
  assert.equal(called.resultType, "complete");
  assert.equal(called.isError, false);
  assert.match(session.lines[2], /"X":1\.0/);
  assert.equal((await ask(4, "tools/call", { name: "nope" })).error.code, -32602);
  await session.end();
});

Deno.test("2026-07-28: a subscription is named by the id of its request", async () => {
  const session = startSession();
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const uri = "zpm://memory/default/source";
  const params = { notifications: { toolsListChanged: true, resourceSubscriptions: [uri] }, _meta };
  session.send({ jsonrpc: "2.0", id: "watch", method: "subscriptions/listen", params });
  const acknowledged = await session.line((line) => line.includes("acknowledged"));
  const key = "io.modelcontextprotocol/subscriptionId";
  assert.equal(JSON.parse(acknowledged).params._meta[key], "watch");
  // What is never sent is not acknowledged.
  assert.deepEqual(JSON.parse(acknowledged).params.notifications, { resourceSubscriptions: [uri] });
  session.memories.tell({ memory: "other" });
  session.memories.tell({ memory: "default" });
  const told = await session.line((line) => line.includes("notifications/resources/updated"));
  assert.deepEqual([JSON.parse(told).params.uri, JSON.parse(told).params._meta[key]], [
    uri,
    "watch",
  ]);
  await session.end();
  const closed = JSON.parse(session.lines.at(-1)!);
  assert.equal(closed.id, "watch");
  assert.equal(closed.result._meta[key], "watch");
});
