/** An MCP session in this process: lines in, lines out, and nothing in between that could repair them. */
import { MemoryOffer, type MemoryOfferOptions } from "../../src/mcp/memories/offer.ts";
import { serve, type ServeOptions } from "../../src/mcp/serve.ts";
import { tools } from "../../src/tools/registry.ts";
import { type FakeMemories, fakeMemories } from "./fake_memories.ts";

export interface Session {
  memories: FakeMemories;
  /** Every line the server wrote. */
  lines: string[];
  /** Sends lines as they are; a value that is no string is sent as JSON. */
  send(...lines: unknown[]): void;
  /** The next line that satisfies the test. */
  line(wanted: (line: string) => boolean): Promise<string>;
  /** Calls a tool; the answer's `result` or `error`. */
  call(name: string, input?: unknown): Promise<Answer>;
  /** Ends the input and waits for the end of the session. */
  end(): Promise<void>;
  stop(): Promise<void>;
}

export interface Answer {
  result?: Record<string, unknown> & {
    content?: { text: string }[];
    structuredContent?: Record<string, unknown>;
    isError?: boolean;
  };
  error?: { code: number; message: string };
}

export function startSession(
  options: Partial<ServeOptions & MemoryOfferOptions> & {
    beforeWrite?: (bytes: Uint8Array) => Promise<void>;
  } = {},
): Session {
  const memories = options.memories as FakeMemories ?? fakeMemories();
  const input = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 1e9 });
  const writer = input.writable.getWriter();
  const stop = new AbortController();
  const output = collector(options.beforeWrite);
  const offered = { version: "0.0.0", deadline_ms: 10_000, tools, ...options, memories };
  const done = serve({
    offer: new MemoryOffer(offered),
    ...options,
    input: input.readable,
    output: output.sink,
    stop: stop.signal,
  });
  const send = (...lines: unknown[]) => {
    for (const line of lines) {
      const text = typeof line === "string" ? line : JSON.stringify(line);
      writer.write(new TextEncoder().encode(`${text}\n`)).catch(() => {});
    }
  };
  let id = 100;
  return {
    memories,
    lines: output.lines,
    send,
    line: output.line,
    async call(name, input) {
      const mine = id++;
      const params = { name, ...(input !== undefined && { arguments: input }) };
      send({ jsonrpc: "2.0", id: mine, method: "tools/call", params });
      return JSON.parse(await output.line((line) => hasId(line, mine)));
    },
    async end() {
      await writer.close();
      await done;
    },
    async stop() {
      stop.abort();
      await done;
    },
  };
}

/** Whether a line answers a request; only one that may do so is parsed. */
function hasId(line: string, id: number): boolean {
  return line.includes(`"id":${id}`) && JSON.parse(line).id === id;
}

/** The opening of the older era, with id 0. */
export function handshake(protocolVersion = "2025-11-25"): object[] {
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  return [
    { jsonrpc: "2.0", id: 0, method: "initialize", params },
    { jsonrpc: "2.0", method: "notifications/initialized" },
  ];
}

function collector(beforeWrite?: (bytes: Uint8Array) => Promise<void>) {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const decoder = new TextDecoder();
  let rest: string[] = [];
  return {
    lines,
    sink: {
      async write(bytes: Uint8Array) {
        await beforeWrite?.(bytes);
        const [first, ...more] = decoder.decode(bytes, { stream: true }).split("\n");
        rest.push(first);
        for (const part of more) {
          lines.push(rest.join(""));
          rest = [part];
        }
        if (more.length > 0) { for (const wake of waiting) wake(); }
        return bytes.length;
      },
    },
    async line(wanted: (line: string) => boolean) {
      for (;;) {
        const found = lines.find(wanted);
        if (found !== undefined) return found;
        const more = Promise.withResolvers<void>();
        waiting.add(more.resolve);
        await more.promise;
        waiting.delete(more.resolve);
      }
    },
  };
}
