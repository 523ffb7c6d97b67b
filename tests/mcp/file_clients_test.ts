/** Real clients of both eras against a documented file: over HTTP in this process, and over a process's own streams. */
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { answer, MODERN, post, postModern } from "../support/http_server.ts";
import { withFileServer } from "../support/mcp_file.ts";
import { handshake } from "../support/mcp_session.ts";
import { ROOT, sourceProgram } from "../support/transcript_program.ts";

const options = { sanitizeOps: false, sanitizeResources: false };
const identity = { name: "test", version: "1" };
const file = `${ROOT}/fixtures/kb/medication.pl`;
const [command, ...args] = [...sourceProgram(`${ROOT}/main.ts`), "mcp", file, "--stdio"];
const modes = ["legacy", "auto", { pin: MODERN }] as const;

/** What the tests use of either line's client. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: { uri: string }[] }>;
  getPrompt(params: { name: string }): Promise<unknown>;
  close(): Promise<void>;
}

interface Result {
  content: { text: string }[];
  structuredContent?: { result: unknown };
  isError: boolean;
}

/** The clients hold each structure against the schema that was listed. */
async function exercise(client: AnyClient): Promise<void> {
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === "pim_check"));
  const call = async (name: string, input?: Record<string, unknown>) =>
    await client.callTool({ name, ...(input && { arguments: input }) }) as Result;
  const { structuredContent } = await call("pim_check", { Age: 80, Drugs: ["diazepam"] });
  assert.deepEqual(structuredContent!.result, [
    { Substance: "diazepam", Reason: "raises the risk of falls" },
  ]);
  assert.equal(
    (await call("class", { Name: "warfarin" })).structuredContent!.result,
    "anticoagulant",
  );
  assert.equal((await call("reviewed")).structuredContent!.result, false);
  const wrong = await call("pim_check", { Age: "80", Drugs: [] });
  assert.equal(wrong.isError, true);
  assert.match(wrong.content[0].text, /^invalid argument `Age`: expected an integer/);
  await assert.rejects(call("no_such_tool"), /Unknown tool: no_such_tool/);
  const { resources } = await client.listResources();
  assert.deepEqual(resources.map(({ uri }) => uri), [
    "charon://source",
    "charon://collection/drugs",
  ]);
  const { contents } = await client.readResource({ uri: "charon://collection/drugs/warfarin" });
  assert.equal((contents[0] as { text?: string }).text, '"anticoagulant"');
  await client.getPrompt({ name: "knowledge_base_overview" });
  await client.close();
}

Deno.test("stdio: the client of the 1.x line", options, async () => {
  const client = new OldClient(identity);
  await client.connect(new OldStdio({ command, args, stderr: "inherit" }));
  assert.equal(client.getServerVersion()!.title, "Medication check");
  await exercise(client as AnyClient);
});

Deno.test("HTTP: the client of the 1.x line", options, async () => {
  await withFileServer(await Deno.readTextFile(file), async (address) => {
    const client = new OldClient(identity);
    const transport = new OldHttp(new URL(address));
    // Its own types disagree with each other on a session that is not there.
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    await exercise(client as AnyClient);
  });
});

for (const mode of modes) {
  const name = typeof mode === "string" ? mode : mode.pin;
  Deno.test(`stdio: the current client, ${name}`, options, async () => {
    const client = new Client(identity, { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport({ command, args, stderr: "inherit" }));
    await exercise(client as AnyClient);
  });
  Deno.test(`HTTP: the current client, ${name}`, options, async () => {
    await withFileServer(await Deno.readTextFile(file), async (address) => {
      const client = new Client(identity, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(address)));
      await exercise(client as AnyClient);
    });
  });
}

Deno.test(
  "HTTP: digits are kept, foreign pages are refused, and nobody shows a token",
  options,
  async () => {
    const text = "%! int(+X:int, -Y:int) is det.\nint(X, X).\n";
    await withFileServer(text, async (address) => {
      const headers = { Authorization: "", "Mcp-Name": "int" };
      const params = { name: "int", arguments: { X: "?" } };
      const message = JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          ...params,
          _meta: {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      }).replace('"?"', "9007199254740993");
      const sent = { "MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", ...headers };
      const { result } = await answer(await post(address, message, { headers: sent }));
      assert.equal(result.structuredContent.result, "9007199254740993");
      const [initialize, initialized] = handshake();
      const begun = await post(address, initialize, { headers: { Authorization: "" } });
      const session = { Authorization: "", "Mcp-Session-Id": begun.headers.get("mcp-session-id")! };
      assert.equal((await answer(begun)).result.serverInfo.name, "t.pl");
      await (await post(address, initialized, { headers: session })).body?.cancel();
      const older = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' +
        '{"name":"int","arguments":{"X":-9007199254740993}}}';
      const called = await answer(await post(address, older, { headers: session }));
      assert.equal(called.result.structuredContent.result, "-9007199254740993");
      const other = await postModern(address, "tools/list", {}, {
        headers: { Origin: "http://localhost:6274" },
      });
      assert.equal(other.status, 403);
      await other.body?.cancel();
      const own = await postModern(address, "tools/list", {}, {
        headers: { Origin: new URL(address).origin },
      });
      assert.equal((await answer(own)).result.tools.length, 1);
    });
  },
);
