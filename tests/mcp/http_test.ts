/** MCP over Streamable HTTP: who is let in, what is a message, sessions, streams and ends. */
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { limits } from "../../src/base/limits.ts";
import { makeGuard } from "../../src/mcp/http_guard.ts";
import { tools } from "../../src/tools/registry.ts";
import {
  answer,
  type HttpServer,
  MODERN,
  post,
  postModern,
  texts,
  TOKEN,
  withServer,
} from "../support/http_server.ts";
import { handshake } from "../support/mcp_session.ts";

const [initialize, initialized] = handshake();
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

/** Begins a session of the older era; the header that names it. */
async function begin(address: string): Promise<Record<string, string>> {
  const response = await post(address, initialize);
  assert.equal((await answer(response)).result.protocolVersion, "2025-11-25");
  const headers = { "Mcp-Session-Id": response.headers.get("mcp-session-id")! };
  assert.equal((await post(address, initialized, { headers })).status, 202);
  return headers;
}

function call(name: string, input: Record<string, unknown>, id: unknown = 7) {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } };
}

async function calledCount({ memories }: HttpServer, count: number): Promise<void> {
  while (memories.calls.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

Deno.test("only a request to this machine, from no foreign page, with the token, is let in", async () => {
  await withServer(async ({ address }) => {
    const status = async (headers: Record<string, string>) => {
      const response = await post(address, initialize, { headers });
      const { error } = await answer(response);
      return [response.status, error?.message];
    };
    assert.deepEqual(await status({ Origin: "https://example.com" }), [
      403,
      'The Origin "https://example.com" may not use this server',
    ]);
    assert.equal((await status({ Origin: "null" }))[0], 403);
    for (const origin of ["http://localhost:6274", "http://127.0.0.1"]) {
      assert.equal((await status({ Origin: origin }))[0], 200);
    }
    const refused = [401, "A bearer token is needed"];
    for (const authorization of ["", TOKEN, `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, "Bearer"]) {
      assert.deepEqual(await status({ Authorization: authorization }), refused);
    }
    assert.equal((await status({ Authorization: `bearer  ${TOKEN}` }))[0], 200);
    const response = await post(address, ping, { headers: { Authorization: "" } });
    assert.equal(response.headers.get("www-authenticate"), "Bearer");
    await response.body?.cancel();
  });
});

Deno.test("a name that points to this machine is not its own", () => {
  const guard = makeGuard("127.0.0.2", TOKEN);
  const status = (Host: string, Authorization = `Bearer ${TOKEN}`) =>
    guard(new Request("http://127.0.0.1/mcp", { headers: { Host, Authorization } }))?.status;
  const own = ["localhost", "LOCALHOST:3000", "127.0.0.1:3000", "[::1]:3000", "127.0.0.2:3000"];
  for (const host of own) assert.equal(status(host), undefined, host);
  for (
    const host of ["example.com", "localhost.example.com", "127.0.0.3", "", "a b"]
  ) {
    // Who comes under another name is not even told that a token is needed.
    assert.equal(status(host, ""), 403, host);
  }
});

Deno.test("other paths, methods, types and sizes are refused", async () => {
  await withServer(async ({ address }) => {
    const status = async (response: Promise<Response>) => {
      const { status, body } = await response;
      await body?.cancel();
      return status;
    };
    assert.equal(await status(post(`${address}/x`, ping)), 404);
    const Authorization = `Bearer ${TOKEN}`;
    for (const method of ["GET", "DELETE", "PUT", "OPTIONS"]) {
      assert.equal(await status(fetch(address, { method, headers: { Authorization } })), 405);
    }
    assert.equal(
      await status(post(address, ping, { headers: { "Content-Type": "text/plain" } })),
      415,
    );
    const long = new Uint8Array(limits.message_bytes + 1).fill(0x20);
    assert.equal(await status(post(address, long)), 413);
    // Also when its length is not said beforehand.
    const body = new Blob([long]).stream();
    const chunked = {
      method: "POST",
      headers: { Authorization, "Content-Type": "application/json" },
    };
    assert.equal(await status(fetch(address, { ...chunked, body })), 413);
  });
});

Deno.test("what is no message gets its error with status 400", async () => {
  await withServer(async ({ address }) => {
    const broken: [string | Uint8Array, number, RegExp][] = [
      ["{oops", -32700, /not one JSON value/],
      ["", -32700, /empty/],
      [Uint8Array.of(0xff), -32700, /not UTF-8/],
      [JSON.stringify([ping]), -32600, /not a batch/],
      ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, /"id" must be/],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, /"id" must be/],
      ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600, /from -9007199254740991/],
    ];
    for (const [text, code, message] of broken) {
      const response = await post(address, text);
      const { id, error } = await answer(response);
      assert.deepEqual([response.status, id, error.code], [400, null, code]);
      assert.match(error.message, message);
    }
  });
});

Deno.test("a session of the older era lives from initialize to DELETE", async () => {
  await withServer(async ({ address, memories }) => {
    assert.equal((await post(address, ping)).status, 400);
    const headers = await begin(address);
    const response = await post(address, call("query_logic", { goal: "float" }, "a"), { headers });
    assert.equal(response.headers.get("x-accel-buffering"), "no");
    const [text] = await texts(response);
    assert.match(text, /"structuredContent":\{"answers":\[\{"X":1\.0\}\]/);
    assert.equal(JSON.parse(text).id, "a");
    assert.equal(memories.calls[0].context.client, `session ${headers["Mcp-Session-Id"]}`);
    const unknown = await answer(await post(address, call("no_such_tool", {}), { headers }));
    assert.equal(unknown.error.code, -32602);
    const nulls = {
      ...call("get_knowledge_schema", {}),
      params: { name: "echo", arguments: null },
    };
    assert.equal((await answer(await post(address, nulls, { headers }))).result.isError, true);
    const wrong = { "Mcp-Session-Id": crypto.randomUUID() };
    assert.equal((await post(address, ping, { headers: wrong })).status, 404);
    const end = { ...headers, Authorization: `Bearer ${TOKEN}` };
    assert.equal((await fetch(address, { method: "DELETE", headers: end })).status, 200);
    assert.equal((await post(address, ping, { headers })).status, 404);
  });
});

Deno.test("there are only so many sessions: the one that was used longest ago ends", async () => {
  await withServer(async ({ address }) => {
    const [first, second] = [await begin(address), await begin(address)];
    const used = async (headers: Record<string, string>) => {
      const { status, body } = await post(address, ping, { headers });
      await body?.cancel();
      return status;
    };
    assert.equal(await used(first), 200);
    for (let count = 2; count <= limits.http_sessions; count++) await begin(address);
    assert.deepEqual([await used(first), await used(second)], [200, 404]);
  });
});

Deno.test("the older era: who hangs up has not cancelled, a notification does", async () => {
  await withServer(async (server) => {
    const { address, memories } = server;
    const headers = await begin(address);
    const hangUp = new AbortController();
    const slow = call("query_logic", { goal: "slow 400" }, "first");
    await post(address, slow, { headers, signal: hangUp.signal });
    await calledCount(server, 1);
    hangUp.abort();
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(memories.calls[0].context.signal!.aborted, false);
    const cancelled = post(address, call("query_logic", { goal: "slow 5000" }, "second"), {
      headers,
    });
    await calledCount(server, 2);
    const params = { requestId: "second" };
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params };
    assert.equal((await post(address, cancel, { headers })).status, 202);
    assert.equal(memories.calls[1].context.signal!.aborted, true);
    await (await cancelled).body?.cancel();
  });
});

Deno.test("2026-07-28: a message is complete in itself", async () => {
  await withServer(async ({ address }) => {
    const discovered = await answer(await postModern(address, "server/discover"));
    assert.deepEqual(discovered.result.supportedVersions, [MODERN]);
    const listed = await answer(await postModern(address, "tools/list"));
    assert.equal(listed.result.tools.length, tools.length);
    const called = await postModern(address, "tools/call", {
      name: "query_logic",
      arguments: { goal: "float" },
    });
    assert.equal(called.headers.get("mcp-session-id"), null);
    assert.match((await texts(called)).at(-1)!, /"answers":\[\{"X":1\.0\}\]/);
    const mismatch = await postModern(address, "tools/list", {}, {
      headers: { "Mcp-Method": "tools/call" },
    });
    assert.equal(mismatch.status, 400);
    assert.equal((await answer(mismatch)).error.code, -32020);
    const unknown = await postModern(address, "no/such");
    assert.deepEqual([unknown.status, (await answer(unknown)).error.code], [404, -32601]);
  });
});

Deno.test("2026-07-28: closing the response stream stops a read, and others go on", async () => {
  await withServer(async (server) => {
    const { address, memories } = server;
    const slow = { name: "query_logic", arguments: { goal: "slow 5000" } };
    // Before there is a stream, and when there is one.
    for (const [index, wait_ms] of [10, 400].entries()) {
      const hangUp = new AbortController();
      const sent = postModern(address, "tools/call", slow, { signal: hangUp.signal });
      sent.catch(() => {});
      await calledCount(server, index + 1);
      await new Promise((resolve) => setTimeout(resolve, wait_ms));
      hangUp.abort();
      const { signal } = memories.calls[index].context;
      while (!signal!.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const echo = { name: "echo", arguments: { message: "alive" } };
    const { result } = await answer(await postModern(address, "tools/call", echo));
    assert.equal(result.content[0].text, "alive");
  });
});

/** The messages of an open stream, one by one. */
async function* messages({ body }: Response) {
  let rest = "";
  for await (const text of body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line.startsWith("data: ")) yield JSON.parse(line.slice(6));
  }
}

const source = "zpm://memory/default/source";

Deno.test("a session hears on its GET stream of the resources it subscribed to", async () => {
  await withServer(async ({ address, memories }) => {
    const headers = await begin(address);
    const subscribe = {
      jsonrpc: "2.0",
      id: 2,
      method: "resources/subscribe",
      params: { uri: source },
    };
    await answer(await post(address, subscribe, { headers }));
    const Authorization = `Bearer ${TOKEN}`;
    const stream = await fetch(address, {
      headers: { ...headers, Authorization, Accept: "text/event-stream" },
    });
    const heard = messages(stream);
    memories.tell({ memory: "other" });
    memories.tell({ memory: "default" });
    const { method, params } = (await heard.next()).value;
    assert.deepEqual([method, params.uri], ["notifications/resources/updated", source]);
    await heard.return(undefined);
  });
});

Deno.test("2026-07-28: a listener hears of its resources until it goes away or the server ends", async () => {
  await withServer(async ({ address, memories, stop }) => {
    const listen = async () => {
      const notifications = { resourceSubscriptions: [source], resourcesListChanged: true };
      const heard = messages(await postModern(address, "subscriptions/listen", { notifications }));
      const { method } = (await heard.next()).value;
      assert.equal(method, "notifications/subscriptions/acknowledged");
      return heard;
    };
    const [first, second] = [await listen(), await listen()];
    memories.tell({ memory: "default" });
    for (const heard of [first, second]) {
      const { method, params } = (await heard.next()).value;
      assert.deepEqual([method, params.uri], ["notifications/resources/updated", source]);
    }
    await first.return(undefined);
    memories.tell("mounts");
    const { method } = (await second.next()).value;
    assert.equal(method, "notifications/resources/list_changed");
    const ended = stop();
    assert.equal((await second.next()).value.result.resultType, "complete");
    await ended;
  });
});

Deno.test("a stream without messages shows that it is alive", async () => {
  await withServer(async ({ address }) => {
    const slow = { name: "query_logic", arguments: { goal: "slow 500" } };
    const response = await postModern(address, "tools/call", slow);
    assert.equal(response.headers.get("x-accel-buffering"), "no");
    assert.ok((await response.text()).split(": keepalive\n\n").length > 2);
  }, { keepAlive_ms: 50 });
});

Deno.test("asked to stop, it answers what runs, stops reads, and lets nothing new in", async () => {
  await withServer(async (server) => {
    const { address, stop } = server;
    const modern = async (name: string, input: object) =>
      await answer(await postModern(address, "tools/call", { name, arguments: input }));
    const headers = await begin(address);
    const waiting = [
      modern("query_logic", { goal: "slow 60000" }),
      modern("remember_fact", { fact: "slow 1300" }),
      post(address, call("query_logic", { goal: "slow 200" }), { headers }).then(answer),
    ];
    await calledCount(server, 3);
    const ended = stop();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const late = await post(address, ping, { headers }).catch(() => undefined);
    assert.ok(late === undefined || late.status === 503);
    await late?.body?.cancel();
    const [read, write, quick] = (await Promise.all(waiting)).map(({ result }) => result);
    assert.equal(read.content[0].text, "Stopped: end of input");
    assert.equal(write.isError, false);
    assert.equal(quick.isError, false);
    await ended;
    await assert.rejects(fetch(address));
  });
});

const identity = { name: "test", version: "1" };
const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };

Deno.test("the client of the 1.x line", async () => {
  await withServer(async ({ address }) => {
    const client = new OldClient(identity);
    const transport = new OldTransport(new URL(address), { requestInit });
    // Its own types disagree with each other on a session that is not there.
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    assert.equal((await client.listTools()).tools.length, tools.length);
    const called = await client.callTool({ name: "remember_fact", arguments: { fact: "p(a)" } });
    assert.equal(called.isError, false);
    await transport.terminateSession();
    await client.close();
  });
});

for (const mode of ["legacy", "auto", { pin: MODERN }] as const) {
  Deno.test(`the current client, ${typeof mode === "string" ? mode : mode.pin}`, async () => {
    await withServer(async ({ address }) => {
      const client = new Client(identity, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
      assert.equal(
        client.getNegotiatedProtocolVersion(),
        mode === "legacy" ? "2025-11-25" : MODERN,
      );
      assert.equal((await client.listTools()).tools.length, tools.length);
      const called = await client.callTool({ name: "remember_fact", arguments: { fact: "p(a)" } });
      assert.equal(called.isError, false);
      await client.close();
    });
  });
}
