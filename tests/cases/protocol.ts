/** M: the protocol: ids, broken lines, large replies, what tools say of themselves. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ask, call, fails, file, restart, type Rows, type Step } from "../support/cases.ts";
import { cacheSource, projectProgram, projectVersion } from "../support/transcript_program.ts";
import { tellProcess } from "../support/process.ts";
import { handshake } from "../support/mcp_session.ts";
import { tools } from "../../src/tools/registry.ts";
import type { World } from "../support/world.ts";

const ping = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
const pong = (id: string): string => `{"result":{},"jsonrpc":"2.0","id":${id}}`;

/** The answers to these lines. */
async function linesAfter({ session }: World, ...sent: string[]): Promise<string[]> {
  const last = async () => {
    const id = `"last ${session.lines.length}"`;
    session.send(ping(id));
    await session.line((line) => line.includes(id));
    return session.lines.length;
  };
  const before = await last();
  session.send(...sent);
  return session.lines.slice(before, await last() - 1);
}

/** Sends a line, which is answered by an error with this code and id null. */
const broken = (line: string, code: number, ...more: number[]): Step => async (world) => {
  const answers = (await linesAfter(world, line)).map((text) => JSON.parse(text));
  deepStrictEqual(
    answers.map(({ id, error }) => [id, error.code]),
    [code, ...more].map((c) => [null, c]),
  );
};

export const protocol: Rows = {
  M01: [
    async (world) => {
      const ids = ["0", '"0"', '"a\\nb"', "9007199254740993"];
      deepStrictEqual((await linesAfter(world, ...ids.map(ping))).sort(), ids.map(pong).sort());
      const remember =
        '"method":"tools/call","params":{"name":"remember_fact","arguments":{"fact":"x(1)"}}';
      deepStrictEqual(
        await linesAfter(
          world,
          `{"jsonrpc":"2.0",${remember}}`,
          '{"jsonrpc":"2.0","method":"notifications/whatever"}',
        ),
        [],
      );
      strictEqual(await world.journals(), "");
    },
    broken('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
  ],
  M03: [largeReply],
  M04: [
    ask("X is 1/0", ({ isError, code }) => deepStrictEqual([isError, code], [true, undefined])),
    call("no_such_tool", {}, ({ code }) => strictEqual(code, -32602)),
    async ({ session }) => {
      session.send('{"jsonrpc":"2.0","id":"bad","method":"tools/call","params":{"name":7}}');
      const line = await session.line((text) => text.includes('"id":"bad"'));
      strictEqual(JSON.parse(line).error.code, -32602);
    },
  ],
  M06: [
    broken("{oops", -32700),
    broken("[]", -32600),
    broken(`[${ping("1")}]`, -32600),
    broken(
      '{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}',
      -32700,
    ),
    async (world) => {
      deepStrictEqual(await linesAfter(world, "", "\r", `${ping("1")}\r`), [pong("1")]);
      deepStrictEqual(await linesAfter(world, " ".repeat(1_000_000) + ping("2")), [pong("2")]);
    },
  ],
  M07: [saysWhatItDoes],
  M08: [
    file(
      ".zpm/kb/wide.pl",
      Array.from({ length: 3_000 }, (_, i) => `p${i}('${"x".repeat(1_000)}').\n`).join(""),
    ),
    restart,
    call("get_kb_overview", { sample_size: 50 }, ({ texts, structure, isError }) => {
      ok(!isError);
      ok(new TextEncoder().encode(texts[0]).length <= 65_536);
      strictEqual(JSON.parse(texts[0]).truncated, true);
      strictEqual(structure.truncated, true);
    }),
  ],
};

/** A reply of megabytes to a client that reads slowly and has closed its end: whole, then the end, status 0. */
async function largeReply(world: World): Promise<void> {
  const facts = Array.from({ length: 20_000 }, (_, i) => `many(${i}, 'number ${i}').\n`).join("");
  await world.write(".zpm/kb/many.pl", facts);
  await cacheSource();
  const [command, ...args] = projectProgram();
  const child = new Deno.Command(command, {
    args: [...args, "serve", "--project", world.project],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const params = { name: "query_logic", arguments: { goal: "many(X, Y)", limit: 10_000 } };
  const lines = [...handshake(), { jsonrpc: "2.0", id: 1, method: "tools/call", params }];
  await writer.write(new TextEncoder().encode(lines.map((l) => JSON.stringify(l) + "\n").join("")));
  let text = "";
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.length > 65_536) await writer.close().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  strictEqual((await child.status).code, 0);
  const answers = text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
  strictEqual(answers.find(({ id }) => id === 1).result.structuredContent.answers.length, 10_000);
}

/** What `tools/list` says is what the tools do: names, required and unknown arguments, read-only. */
async function saysWhatItDoes(world: World): Promise<void> {
  const { session } = world;
  session.send('{"jsonrpc":"2.0","id":"list","method":"tools/list"}');
  const line = await session.line((text) => text.includes('"id":"list"'));
  const listed = JSON.parse(line).result.tools;
  deepStrictEqual(listed.map(({ name }: { name: string }) => name), tools.map(({ name }) => name));
  for (const { name, inputSchema } of listed) {
    const required = inputSchema.required ?? [];
    await call(name, { nonsense: 1 }, fails("InvalidArguments", /nonsense/))(world);
    if (required.length > 0) await call(name, {}, fails("InvalidArguments", /required/))(world);
    const [argument] = Object.keys(inputSchema.properties);
    if (argument) await call(name, { [argument]: { a: 1 } }, fails("InvalidArguments"))(world);
  }
  for (const { name, annotations } of listed) {
    const before = await world.journals();
    for (const { input } of tools.find((tool) => tool.name === name)!.examples) {
      if (annotations.readOnlyHint) await world.call(name, input);
    }
    strictEqual(await world.journals(), before, name);
  }
  const { version } = await tellProcess(world.project, [{
    name: "echo",
    arguments: { message: "" },
  }]);
  strictEqual(version, projectVersion());
}
