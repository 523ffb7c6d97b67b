/**
 * Real clients of both eras against a server process: the SDK's 1.x line, and its current one in each way
 * of agreeing on a protocol revision.
 */
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { tools } from "../../src/tools/registry.ts";

const identity = { name: "test", version: "1" };
const program = {
  command: Deno.execPath(),
  args: ["run", "-A", new URL("../support/fake_serve.ts", import.meta.url).pathname],
};

/** What the tests use of either line's client. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

interface Result {
  content: { text: string }[];
  structuredContent: Record<string, unknown>;
  isError: boolean;
}

async function exercise(client: AnyClient): Promise<void> {
  const listed = await client.listTools();
  assert.deepEqual(listed.tools.map(({ name }) => name), tools.map(({ name }) => name));
  const call = async (name: string, input?: Record<string, unknown>) =>
    await client.callTool({ name, ...(input && { arguments: input }) }) as Result;
  const stored = await call("remember_fact", { fact: "p(a)" });
  assert.equal(stored.content[0].text, "Asserted: p(a)");
  // The clients check each structure against the listed output schema, failures included.
  for (const { name, examples } of tools) {
    assert.equal((await call(name, examples[0].input)).isError, false, name);
  }
  for (const goal of ["stopped", "unknown", "cut", "crash", "unreadable"]) {
    const { isError, structuredContent } = await call("query_logic", { goal });
    assert.equal(isError, "error" in structuredContent);
  }
  assert.equal((await call("remember_fact")).content[0].text, "InvalidArguments");
  await assert.rejects(call("no_such_tool"), /Unknown tool: no_such_tool/);
  await client.close();
}

Deno.test("the client of the 1.x line", async () => {
  const client = new OldClient(identity);
  await client.connect(new OldTransport({ ...program, stderr: "ignore" }));
  assert.equal(client.getServerVersion()!.name, "zpm");
  await exercise(client as AnyClient);
});

for (const mode of ["legacy", "auto", { pin: "2026-07-28" }] as const) {
  Deno.test(`the current client, ${typeof mode === "string" ? mode : mode.pin}`, async () => {
    const client = new Client(identity, { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport({ ...program, stderr: "ignore" }));
    const era = mode === "legacy" ? "2025-11-25" : "2026-07-28";
    assert.equal(client.getNegotiatedProtocolVersion(), era);
    await exercise(client as AnyClient);
  });
}

Deno.test("SIGTERM and SIGINT end the process with code 0, output written", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const child = new Deno.Command(program.command, {
      args: program.args,
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const writer = child.stdin.getWriter();
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    await writer.write(new TextEncoder().encode(ping));
    const reader = child.stdout.getReader();
    assert.match(new TextDecoder().decode((await reader.read()).value), /"id":1/);
    child.kill(signal);
    assert.equal((await child.status).code, 0);
    await reader.cancel();
    await writer.abort();
  }
});

Deno.test("a big answer reaches a slow reader whole, although input ended at once", async () => {
  const child = new Deno.Command(program.command, {
    args: program.args,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const call = { name: "query_logic", arguments: { goal: "many 20000" } };
  const line = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call });
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(line));
  await writer.close();
  let text = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  assert.equal(JSON.parse(text).result.structuredContent.answers.length, 20_000);
  assert.ok(text.endsWith("\n"));
  assert.equal((await child.status).code, 0);
});
