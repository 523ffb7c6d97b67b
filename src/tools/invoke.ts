/**
 * One call of one tool, the same from every face: arguments in, texts and structure out (SPEC 1.1).
 *
 * Big clients show only the structure of a success and only the text of a failure, so each half is complete
 * alone. This is the only place that catches everything: whatever is thrown becomes a failed result.
 */
import { bug, cancelled, ZpmError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { CallContext, Memories, Memory } from "../memory/memory.ts";
import { type ArgumentValues, readArguments } from "./arguments.ts";
import { hasMemory } from "./schema.ts";
import type { Outcome, Tool } from "./tool.ts";

export interface ToolResult {
  /** The first is what the reference documents; a second carries warnings, notes, or the way out. */
  texts: string[];
  /** May hold raw JSON numbers: serialise it, never rebuild it. */
  structure: Record<string, unknown>;
  isError: boolean;
}

export async function invoke(
  tool: Tool,
  rawArguments: unknown,
  memories: Memories,
  context: CallContext,
): Promise<ToolResult> {
  try {
    const input = readArguments(tool, rawArguments);
    const memory = lazyMemory(memories, nameOf(input), withTimeout(context, input));
    const outcome = await finish(tool, Promise.resolve(tool.run(memory, input)), context.signal);
    return success(tool, outcome, memory.name);
  } catch (error) {
    return failure(error instanceof ZpmError ? error : bug(String(error), error), tool);
  }
}

/** The result of a call that did not succeed, of a tool when there is one. */
export function failure(error: ZpmError, tool?: Tool): ToolResult {
  const { says, message } = error;
  const found = says === undefined && hasFindings(error) &&
    `Found before that: ${cut(JSON.stringify(error.partial))}`;
  const lines = [says && message, error.hint, placeOf(error), found].filter(Boolean);
  const first = says ?? message;
  return {
    texts: lines.length > 0 ? [first, lines.join("\n")] : [first],
    structure: { error: error.body(), ...(tool ? own(tool, error.partial ?? {}) : error.partial) },
    isError: true,
  };
}

/** Whether there is something to show: lists that are not empty. Errors are told in the hint. */
function hasFindings({ partial }: ZpmError): boolean {
  return Object.entries(partial ?? {}).some(([name, value]) =>
    name !== "errors" && Array.isArray(value) && value.length > 0
  );
}

/** What rules print comes with every answer of an engine; a tool that has no place for it leaves it out. */
function own(tool: Tool, structure: Record<string, unknown>): Record<string, unknown> {
  if ("output" in tool.output) return structure;
  const { output: _, ...rest } = structure;
  return rest;
}

function success(tool: Tool, outcome: Outcome, memory: string): ToolResult {
  const warnings = outcome.warnings ?? [];
  const said = [...warnings.map((warning) => `Warning: ${warning}`), ...(outcome.notes ?? [])];
  return {
    texts: said.length > 0
      ? [tool.say(outcome.structure), said.join("\n")]
      : [tool.say(outcome.structure)],
    structure: {
      ...own(tool, outcome.structure),
      ...(hasMemory(tool) && { memory: outcome.structure.memory ?? memory }),
      ...(warnings.length > 0 && { warnings }),
    },
    isError: false,
  };
}

/** Where the fault stands, unless the message already says it. */
function placeOf({ at, message }: ZpmError): string | undefined {
  if (!at) return undefined;
  const place = `line ${at.line}, column ${at.column}`;
  return message.includes(place) ? undefined : `At ${place}`;
}

function cut(text: string): string {
  return text.length <= limits.answer_bytes
    ? text
    : `${text.slice(0, limits.answer_bytes)}... (cut)`;
}

/** The default memory is asked about `__all__` of them. */
function nameOf({ memory }: ArgumentValues): string {
  return typeof memory === "string" && memory !== "__all__" ? memory : "default";
}

/** `timeout_ms` of a call lowers or raises its deadline, within what a client waits for. */
function withTimeout(context: CallContext, { timeout_ms }: ArgumentValues): CallContext {
  if (typeof timeout_ms !== "number") return context;
  return { ...context, deadline_ms: Math.min(timeout_ms, limits.deadline_max_ms) };
}

/** The memory of a call, looked up when it is first used: a tool that asks nothing needs no engine. */
function lazyMemory(
  memories: Memories,
  name: string,
  context: CallContext,
): Memory & { name: string } {
  let found: Promise<Memory> | undefined;
  const memory = () => found ??= memories.memory(name, context);
  return {
    name,
    ask: async (request) => (await memory()).ask(request),
    async commit(request) {
      const reply = await (await memory()).commit<Record<string, unknown>>(request);
      // `NAME:fact` given to the default memory was written to the memory NAME.
      if (typeof reply.memory === "string") this.name = reply.memory;
      return reply as never;
    },
    health: async () => (await memory()).health(),
    list: async () => (await memory()).list(),
    snapshots: {
      list: async () => (await memory()).snapshots.list(),
      save: async (snapshot) => (await memory()).snapshots.save(snapshot),
      read: async (snapshot) => (await memory()).snapshots.read(snapshot),
      remove: async (snapshot) => (await memory()).snapshots.remove(snapshot),
    },
    other: async (other) => (await memory()).other(other),
    create: async (created, scope) => (await memory()).create(created, scope),
    delete: async (deleted, scope) => (await memory()).delete(deleted, scope),
  };
}

/**
 * A read is answered as soon as its caller gives up; a write is always awaited, because only its memory knows
 * whether it was still dropped or is already on disk.
 */
async function finish(
  tool: Tool,
  running: Promise<Outcome>,
  signal?: AbortSignal,
): Promise<Outcome> {
  if (!signal || tool.effect === "write") return await running;
  const stopped = Promise.withResolvers<never>();
  const stop = () =>
    stopped.reject(signal.reason instanceof ZpmError ? signal.reason : cancelled());
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([running, stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
