/** A principal over standard input and output: by a token of the environment, of `initialize`, or of each call. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { serveOverStdio } from "../../src/mcp/principals/serve.ts";
import { MODERN } from "../support/http_server.ts";
import { handshake } from "../support/mcp_session.ts";
import { openedIn, tokenOf } from "../support/principals.ts";

interface Lines {
  /** Sends a request and gives its answer. */
  // deno-lint-ignore no-explicit-any -- an answer of any shape; the test looks
  ask(method: string, params: Record<string, unknown>): Promise<any>;
  audit(): Promise<string>;
}

async function withLines(
  { token, first }: { token?: string; first?: object[] },
  test: (lines: Lines) => Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "zpm-stdio-" }));
  const { opened } = await openedIn(folder, {});
  const input = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 1e9 });
  const writer = input.writable.getWriter();
  const waiting = new Map<number, (answer: unknown) => void>();
  const output = {
    write(bytes: Uint8Array) {
      for (const line of new TextDecoder().decode(bytes).split("\n").filter((each) => each)) {
        const answer = JSON.parse(line);
        waiting.get(answer.id)?.(answer);
      }
      return Promise.resolve(bytes.length);
    },
  };
  const done = serveOverStdio(opened, { input: input.readable, output, token });
  const send = (message: object) =>
    writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  let id = 0;
  try {
    for (const message of first ?? []) await send(message);
    await test({
      async ask(method, params) {
        const answer = Promise.withResolvers<unknown>();
        waiting.set(++id, answer.resolve);
        await send({ jsonrpc: "2.0", id, method, params });
        return await answer.promise;
      },
      audit: () => Deno.readTextFile(`${folder}/audit/audit.jsonl`).catch(() => ""),
    });
  } finally {
    await writer.close();
    await done;
    await opened.close();
    await Deno.remove(folder, { recursive: true });
  }
}

const stored = (name: string) => ({
  name: "assert",
  arguments: { sentence: `(human ${name})`, context: "CxUniverse" },
});

/** A message of the newer era is complete in itself. */
function modern(params: Record<string, unknown>, token?: string): Record<string, unknown> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    ...(token && { token }),
  };
  return { ...params, _meta };
}

Deno.test("the token of the environment is the caller's", () =>
  withLines({ token: tokenOf("ann"), first: handshake() }, async ({ ask, audit }) => {
    const { result } = await ask("tools/call", stored("zeno"));
    strictEqual(result.isError, false);
    ok((await audit()).includes('"principal":"ann"'));
  }));

Deno.test("the token of initialize goes before it", () => {
  const [initialize, initialized] = handshake() as [{ params: object }, object];
  const _meta = { token: tokenOf("bob") };
  const first = [{ ...initialize, params: { ...initialize.params, _meta } }, initialized];
  return withLines({ token: tokenOf("ann"), first }, async ({ ask, audit }) => {
    const { result } = await ask("tools/call", stored("zeno"));
    strictEqual(result.isError, false);
    const text = await audit();
    ok(text.includes('"principal":"bob"') && !text.includes('"principal":"ann"'));
    ok(!text.includes(tokenOf("bob")));
  });
});

Deno.test("in the newer era each call shows its own", () =>
  withLines({}, async ({ ask, audit }) => {
    for (const name of ["ann", "bob"]) {
      const { result } = await ask("tools/call", modern(stored(name), tokenOf(name)));
      strictEqual(result.isError, false);
    }
    const principals = [...(await audit()).matchAll(/"principal":"(\w+)"/g)].map(([, who]) => who);
    deepStrictEqual(principals, ["ann", "bob"]);
  }));

Deno.test("without a token, and with a wrong one, no verb runs", () =>
  withLines({}, async ({ ask, audit }) => {
    const texts = new Set<string>();
    for (const token of [undefined, "a-token-that-is-nobodys"]) {
      const { result } = await ask("tools/call", modern(stored("zeno"), token));
      strictEqual(result.isError, true);
      texts.add(result.content[0].text);
    }
    strictEqual(texts.size, 1);
    ok(!(await audit()).includes('"attempt"'));
  }));
