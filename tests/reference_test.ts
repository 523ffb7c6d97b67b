/**
 * Every text that the tool reference documents is shown: what a tool says on success, and each of its errors, as the
 * first text of a call. Most stand in a transcript; here are the calls without an engine and without a store, which no
 * transcript can bring. Where zpm says something else, the table in src/README.md gives the reason.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import reference from "../fixtures/reference.json" with { type: "json" };
import { bug } from "../src/base/errors.ts";
import { engineUnavailable } from "../src/base/execution_errors.ts";
import { limits } from "../src/base/limits.ts";
import type { Memories, Memory } from "../src/memory/memory.ts";
import { invoke } from "../src/tools/invoke.ts";
import { tools } from "../src/tools/registry.ts";
import { inputSchema } from "../src/tools/schema.ts";
import { fakeMemories } from "./support/fake_memories.ts";
import { parseFences, parseSteps } from "./support/transcript_parse.ts";
import { ROOT } from "./support/transcript_program.ts";

interface Example {
  text: string;
  isError: boolean;
}

interface Said extends Example {
  tool: string;
}

const said = [...readTranscripts(), ...await withoutEngine(), ...await withoutStore()];
const departures = readDepartures();

for (const { name, examples } of reference.tools) {
  for (const example of withoutRepeats(examples)) {
    Deno.test(`${name}: says ${short(example.text)}`, () => {
      const shown = said.some((call) => call.tool === name && same(call, example));
      const departed = departures.some(({ tool, line }) =>
        tool === name && line === firstLine(example.text)
      );
      assert.notEqual(shown, departed, departed ? "it is shown: no departure" : "it is not shown");
    });
  }
}

Deno.test("each departure from the reference is about a text of it", () => {
  for (const { tool, line } of departures) {
    const model = reference.tools.find(({ name }) => name === tool);
    assert.ok(model?.examples.some(({ text }) => firstLine(text) === line), `${tool}: ${line}`);
  }
});

function withoutRepeats(examples: Example[]): Example[] {
  return examples.filter((one, index) =>
    examples.findIndex(({ text, isError }) => text === one.text && isError === one.isError) ===
      index
  );
}

/** A text of JSON is compared as JSON, with its keys in order. */
function same(one: Example, other: Example): boolean {
  return one.isError === other.isError && plain(one.text) === plain(other.text);
}

function plain(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function firstLine(text: string): string {
  return text.split("\n")[0];
}

function short(text: string): string {
  const line = firstLine(text);
  return line.length > 60 ? `${line.slice(0, 60)}...` : line;
}

/** The first text of each call of a tool, over MCP. */
function readTranscripts(): Said[] {
  const directory = join(ROOT, "fixtures/transcripts");
  return [...Deno.readDirSync(directory)].flatMap(({ name }) =>
    parseFences(Deno.readTextFileSync(join(directory, name)))
      .filter((fence) => fence.kind === "mcp" && fence.name === undefined)
      .flatMap((fence) => parseSteps(fence, "> "))
      .map(({ command, expected }) => ({ tool: command.split(" ")[0], ...firstText(expected) }))
  );
}

async function withoutEngine(): Promise<Said[]> {
  return await saidOf(
    { ask: () => Promise.reject(engineUnavailable("out of memory")) },
    /out of memory/,
  );
}

async function withoutStore(): Promise<Said[]> {
  const lost = () => Promise.reject(bug("the store stopped"));
  return await saidOf({ health: lost, list: lost }, /the store stopped/);
}

/** What the reading tools say, called without arguments, when a part of the memory fails; the cause is never lost. */
async function saidOf(broken: Partial<Memory>, cause: RegExp): Promise<Said[]> {
  const context = { by: "test", client: "test", deadline_ms: limits.deadline_ms };
  const memories: Memories = {
    memory: async (name) => ({ ...await fakeMemories().memory(name, context), ...broken }),
  };
  const askable = tools.filter((tool) =>
    tool.effect === "read" && !inputSchema(tool).required?.length
  );
  return await Promise.all(askable.map(async (tool) => {
    const { texts, isError } = await invoke(tool, {}, memories, context);
    if (isError) assert.match(texts.join("\n"), cause);
    return { tool: tool.name, text: texts[0], isError };
  }));
}

/** What goes on in further lines is indented. */
function firstText(expected: string[]): Example {
  const [first = "", ...rest] = expected;
  const end = rest.findIndex((line) => !line.startsWith("  "));
  const more = rest.slice(0, end < 0 ? rest.length : end).map((line) => line.slice(2));
  return { text: [first.slice(2), ...more].join("\n"), isError: first.startsWith("x ") };
}

/** The rows of the table: tool, first line of the documented text, reason. */
function readDepartures(): { tool: string; line: string }[] {
  const page = Deno.readTextFileSync(join(ROOT, "src/README.md"));
  const [, part = ""] = page.split("## Where we depart from the tool reference");
  return [...part.matchAll(/^\| `(\w+)` \| `([^`]+)` \| .+ \|$/gm)]
    .map(([, tool, line]) => ({ tool, line }));
}
