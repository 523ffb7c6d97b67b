/**
 * Lines of JSON-RPC, read before the SDK sees them (SPEC 1.1).
 *
 * The SDK says nothing to broken JSON, batches, `id: null` or `id: 1.5`, so that their sender waits for ever,
 * and rounds large ids. Here every line becomes a message of the right shape, an error reply, or nothing.
 */
import { joined } from "../base/bytes.ts";
import { parseWithNumbers } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { withExactArguments } from "./exact.ts";

/** A line of input, or what kept it from becoming one. */
export type Line = { text: string } | { fault: string };

/** What one line asks for. Ids are JSON text: `7`, `"7"` and `9007199254740993` as they were written. */
export type Incoming =
  | { kind: "nothing" }
  | { kind: "broken"; code: -32700 | -32600; message: string }
  | { kind: "request"; id: string; method: string; params?: Params }
  | { kind: "notification"; method: string; params?: Params; requestId?: string }
  | { kind: "response"; message: Record<string, unknown> };

export type Params = Record<string, unknown>;

const newline = 0x0a;

/** The lines of a stream; the last one need not end, a line that is too long is skipped and reported. */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  maximum_bytes: number = limits.message_bytes,
): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      parts.push(chunk.subarray(start, end));
      yield lineOf(parts, length + end - start, maximum_bytes);
      [parts, length, start] = [[], 0, end + 1];
    }
    const rest = chunk.subarray(start);
    length += rest.length;
    if (length <= maximum_bytes) parts.push(rest);
    else parts = [];
  }
  if (length > 0) yield lineOf(parts, length, maximum_bytes);
}

/** What a line asks for; never throws. */
export function readMessage(line: Line): Incoming {
  if ("fault" in line) return broken(-32700, `Parse error: ${line.fault}`);
  if (line.text.trim() === "") return { kind: "nothing" };
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return broken(-32700, "Parse error: the line is not one JSON value");
  }
  if (Array.isArray(value)) {
    return broken(-32600, "Invalid request: send one message at a time, not a batch");
  }
  if (typeof value !== "object" || value === null) {
    return broken(-32600, "Invalid request: a message is an object");
  }
  return readObject(value as Record<string, unknown>, line.text);
}

function readObject(value: Record<string, unknown>, text: string): Incoming {
  if (value.jsonrpc !== "2.0") {
    return broken(-32600, 'Invalid request: "jsonrpc" must be "2.0"');
  }
  if ("id" in value && !isId(value.id)) {
    return broken(-32600, 'Invalid request: "id" must be a string or an integer');
  }
  if (!("method" in value)) return readResponse(value);
  if (typeof value.method !== "string") {
    return broken(-32600, 'Invalid request: "method" must be a string');
  }
  const params = value.params ?? undefined;
  if (params !== undefined && (typeof params !== "object" || Array.isArray(params))) {
    return broken(-32600, 'Invalid request: "params" must be an object');
  }
  const message = { method: value.method, ...(params && { params: params as Params }) };
  if ("id" in value) {
    const exact = withExactArguments(message, text);
    return { kind: "request", id: idText(value.id, text), ...exact };
  }
  return { kind: "notification", ...message, ...cancelledRequest(message, text) };
}

/** An answer to a request of ours. */
function readResponse(value: Record<string, unknown>): Incoming {
  const isResponse = "id" in value && ("result" in value) !== ("error" in value);
  if (!isResponse) return broken(-32600, 'Invalid request: "method" is missing');
  return { kind: "response", message: value };
}

/** `notifications/cancelled` names a request by its id, which keeps its text like the id itself. */
function cancelledRequest(message: { method: string; params?: Params }, text: string) {
  const requestId = message.params?.requestId;
  if (message.method !== "notifications/cancelled" || !isId(requestId)) return {};
  return {
    requestId: idText(
      requestId,
      text,
      (value) => (value as { params: Params }).params,
      "requestId",
    ),
  };
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || (typeof value === "number" && Number.isInteger(value));
}

/** An id as JSON text; a number's digits are looked up in the line, for `JSON.parse` may have rounded them. */
function idText(
  id: unknown,
  text: string,
  holderOf: (value: unknown) => unknown = (value) => value,
  key = "id",
): string {
  if (typeof id === "string") return JSON.stringify(id);
  try {
    const { value, written } = parseWithNumbers(text);
    return written(holderOf(value) as object, key) ?? String(id);
  } catch {
    // Nested too deeply for a reviver, which is recursive: an id in ordinary digits is right anyway.
    return String(id);
  }
}

function lineOf(parts: Uint8Array[], length: number, maximum_bytes: number): Line {
  if (length > maximum_bytes) return { fault: `the line is longer than ${maximum_bytes} bytes` };
  const bytes = parts.length === 1 ? parts[0] : joined(parts);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { fault: "the line is not UTF-8" };
  }
}

function broken(code: -32700 | -32600, message: string): Incoming {
  return { kind: "broken", code, message };
}
