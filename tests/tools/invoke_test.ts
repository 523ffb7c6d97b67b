/** One call of one tool: arguments, results, failures (SPEC 1.1). */
import assert from "node:assert/strict";
import { shuttingDown, stopped } from "../../src/base/errors.ts";
import { limits } from "../../src/base/limits.ts";
import type { CallContext } from "../../src/memory/memory.ts";
import { invoke, type ToolResult } from "../../src/tools/invoke.ts";
import { findTool, tools } from "../../src/tools/registry.ts";
import { inputSchema } from "../../src/tools/schema.ts";
import { fakeMemories } from "../support/fake_memories.ts";

const context: CallContext = { by: "test", client: "test", deadline_ms: limits.deadline_ms };

async function call(
  name: string,
  input: unknown,
  options: { memories?: ReturnType<typeof fakeMemories>; signal?: AbortSignal } = {},
): Promise<ToolResult> {
  const memories = options.memories ?? fakeMemories();
  return await invoke(findTool(name)!, input, memories, { ...context, signal: options.signal });
}

async function refused(name: string, input: unknown, hint: RegExp): Promise<void> {
  const result = await call(name, input);
  assert.equal(result.texts[0], "InvalidArguments");
  assert.match(result.texts[1], hint);
  assert.equal(result.isError, true);
  assert.deepEqual(result.structure, {
    error: { code: "input", message: "InvalidArguments", hint: result.texts[1] },
  });
}

Deno.test("a success has the reference's words, a structure and the memory's name", async () => {
  assert.deepEqual(await call("remember_fact", { fact: "human(socrates)" }), {
    texts: ["Asserted: human(socrates)"],
    structure: { fact: "human(socrates)", commit: 1, duplicate: false, memory: "default" },
    isError: false,
  });
  assert.deepEqual(await call("echo", { message: "Hello" }), {
    texts: ["Hello"],
    structure: { message: "Hello" },
    isError: false,
  });
});

Deno.test("absent and null arguments are an empty object, null for an optional one is absent", async () => {
  for (const input of [undefined, null, {}, { memory: null }]) {
    assert.equal((await call("get_knowledge_schema", input)).isError, false);
  }
  assert.equal((await call("query_logic", { goal: "p(X)", limit: null })).isError, false);
});

Deno.test("a missing, null or blank required argument is refused", async () => {
  for (const input of [undefined, {}, { fact: null }, { fact: "" }, { fact: " \n\t" }]) {
    await refused("remember_fact", input, /"fact" is required/);
  }
  await refused("define_rule", { head: "p(X)" }, /"body" is required/);
  await refused("echo", {}, /"message" is required/);
  assert.equal((await call("echo", { message: "" })).texts[0], "");
});

for (const tool of tools) {
  Deno.test(`${tool.name}: what is required must be there and have its type`, async () => {
    const [example] = tool.examples;
    for (const name of inputSchema(tool).required ?? []) {
      const wrong = [undefined, null, 7, { text: "x" }, ...(name === "message" ? [] : ["", " \n"])];
      for (const value of wrong) {
        await refused(tool.name, { ...example.input, [name]: value }, new RegExp(`"${name}"`));
      }
    }
    await refused(
      tool.name,
      { ...example.input, nothing: 1 },
      /Unknown argument "nothing"|takes no/,
    );
  });
}

Deno.test("a wrong type or a value outside its bounds is refused in words", async () => {
  await refused("remember_fact", { fact: 7 }, /"fact" must be a string, not 7/);
  await refused("remember_fact", { fact: ["a"] }, /"fact" must be a string, not \["a"\]/);
  await refused(
    "query_logic",
    { goal: "p", limit: 0 },
    /"limit" must be an integer from 1 to 10000, not 0/,
  );
  await refused("query_logic", { goal: "p", limit: 1.5 }, /integer from 1/);
  await refused("query_logic", { goal: "p", limit: "3" }, /not "3"/);
  await refused("query_logic", { goal: "p", timeout_ms: 50_001 }, /from 1 to 50000/);
  await refused("explain_why", { fact: "p", max_depth: -1 }, /integer of at least 0, not -1/);
  await refused("define_rule", { head: "p", body: "q", tabled: "yes" }, /true or false/);
  await refused(
    "query_logic",
    { goal: "p", memory: "default), halt, (" },
    /"memory" must be a lower-case letter/,
  );
  await refused("remember_fact", "human(x)", /must be one object/);
  await refused("remember_fact", [], /must be one object/);
});

Deno.test("a list is a list of strings, and not empty where it is required", async () => {
  await refused("remember_facts", { facts: [] }, /"facts" is required and must not be empty/);
  await refused("remember_facts", { facts: "a(1)" }, /must be a list of strings, not "a\(1\)"/);
  await refused("remember_facts", { facts: ["a(1)", 2] }, /must be a list of strings/);
  const broken = await call("remember_facts", { facts: ["a(1)", "n('\ud800')"] });
  assert.match(broken.texts[0], /^Cannot read the facts\[1\]: an unpaired surrogate/);
  const half = "é".repeat(limits.text_bytes / 4);
  const long = await call("remember_facts", { facts: [half, half, half, half, half] });
  assert.equal(long.texts[0], "Stopped: size");
});

Deno.test("an optional text is left out, not blank", async () => {
  await refused("verify_consistency", { scope: "  " }, /"scope" must not be blank/);
});

Deno.test("unknown argument names are refused by name, before anything else", async () => {
  await refused(
    "query_logic",
    { gaol: "p(X)" },
    /Unknown argument "gaol", perhaps "goal" is meant; accepted: goal, memory/,
  );
  await refused("echo", { message: "x", a: 1, b: 2 }, /Unknown argument "a" and "b"/);
  await refused("get_persistence_status", { memory: "default" }, /takes no arguments/);
  await refused("echo", { message: "x", constructor: 1 }, /Unknown argument "constructor"/);
  await refused(
    "echo",
    JSON.parse('{"message": "x", "__proto__": 1}'),
    /Unknown argument "__proto__"/,
  );
});

Deno.test("text that is not Unicode, or too long, is refused before it reaches a reader", async () => {
  const broken = await call("remember_fact", { fact: "n('ab\n\ud800x')" });
  assert.match(
    broken.texts[0],
    /^Cannot read the fact: an unpaired surrogate.* at line 2, column 1$/,
  );
  assert.deepEqual((broken.structure.error as { at: unknown }).at, { line: 2, column: 1 });
  assert.equal((await call("remember_fact", { fact: "mood(u1,'😀')" })).isError, false);
  const long = await call("remember_fact", { fact: "é".repeat(limits.text_bytes / 2 + 1) });
  assert.equal(long.texts[0], "Stopped: size");
});

Deno.test("warnings stand in both halves, notes in the text", async () => {
  const unknown = await call("query_logic", { goal: "unknown" });
  assert.deepEqual(unknown.texts, ["[]", "Warning: Unknown predicate: parnet/2"]);
  assert.deepEqual(unknown.structure.warnings, ["Unknown predicate: parnet/2"]);
  assert.deepEqual(unknown.structure.unknown, ["parnet/2"]);
  const cut = await call("query_logic", { goal: "cut" });
  assert.equal(cut.texts[1], "Printed: hello\nThere are more answers: ask again with offset 1");
  assert.equal(cut.structure.warnings, undefined);
});

Deno.test("a float keeps its point in both halves", async () => {
  const result = await call("query_logic", { goal: "float" });
  assert.equal(result.texts[0], '[{"X":1.0}]');
  assert.match(JSON.stringify(result.structure), /^\{"answers":\[\{"X":1\.0\}\]/);
});

Deno.test("what a failure found before it stopped is in both halves", async () => {
  const result = await call("query_logic", { goal: "stopped" });
  assert.deepEqual(result.texts, [
    "Stopped: inferences",
    'Ask for less\nFound before that: {"answers":[{"X":1}]}',
  ]);
  assert.deepEqual(Object.keys(result.structure), ["error", "answers"]);
});

Deno.test("what rules printed before a failure is left out where the tool has no place for it", async () => {
  const memories = fakeMemories();
  const found = { violations: [], faults: [], output: "printed" };
  const stopping = {
    ...memories,
    memory: async (name: string, asking: CallContext) => ({
      ...await memories.memory(name, asking),
      ask: () => Promise.reject(stopped("time", found)),
    }),
  };
  const checks = await call("verify_consistency", {}, { memories: stopping });
  assert.deepEqual(Object.keys(checks.structure), ["error", "violations", "errors"]);
  const query = await call("query_logic", { goal: "p" }, { memories: stopping });
  assert.equal(query.structure.output, "printed");
});

Deno.test("a position that the message does not name follows the hint", async () => {
  const result = await call("query_logic", { goal: "unreadable" });
  assert.deepEqual(result.texts, ["Cannot read the goal: odd", "Mend it\nAt line 2, column 7"]);
});

Deno.test("our own fault is a failed result as well", async () => {
  const result = await call("query_logic", { goal: "crash" });
  assert.equal((result.structure.error as { code: string }).code, "bug");
  assert.match(result.texts[0], /^Internal fault: /);
  assert.equal(result.isError, true);
});

Deno.test("a memory that is not mounted is named", async () => {
  const result = await call("query_logic", { goal: "p", memory: "elsewhere" });
  assert.equal(result.texts[0], "Memory not mounted: elsewhere");
});

Deno.test("query_logic says to the engine whether the limit was asked for", async () => {
  const memories = fakeMemories();
  await call("query_logic", { goal: "p" }, { memories });
  await call("query_logic", { goal: "p", limit: 5, offset: 2, timeout_ms: 700 }, { memories });
  assert.deepEqual(memories.calls.map((call) => call.request), [
    { op: "query", goal: "p", offset: 0, limit: 100, explicit_limit: false },
    { op: "query", goal: "p", offset: 2, limit: 5, explicit_limit: true },
  ]);
  assert.deepEqual(memories.calls.map((call) => call.context.deadline_ms), [
    limits.deadline_ms,
    700,
  ]);
});

Deno.test("explain_why shows the reference's tree and a flat list", async () => {
  const memories = fakeMemories();
  await call("remember_fact", { fact: "p(a)" }, { memories });
  const proven = await call("explain_why", { fact: "p(a)" }, { memories });
  assert.equal(
    proven.texts[0],
    '{"fact":"p(a)","proven":true,"proof_tree":{"goal":"p(a)","rule_applied":"fact","children":[]}}',
  );
  assert.deepEqual(Object.keys(proven.structure), ["fact", "proven", "nodes", "memory"]);
  const not = await call("explain_why", { fact: "q(a)" }, { memories });
  assert.equal(not.texts[0], '{"fact":"q(a)","proven":false,"proof_tree":null}');
  assert.equal(memories.calls[1].request.max_depth, 64);
});

Deno.test("get_persistence_status speaks the reference's four lines", async () => {
  const result = await call("get_persistence_status", {});
  assert.equal(
    result.texts[0],
    "status: active\ndir: /srv/zpm\nlast_snapshot: before\njournal_size: 1024 bytes",
  );
  assert.equal(result.structure.checkpoint_at, null);
});

Deno.test("a read ends when its caller gives up, even if the engine is deaf", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(shuttingDown()), 20);
  const started = performance.now();
  const result = await call("query_logic", { goal: "deaf 300" }, { signal: controller.signal });
  assert.ok(performance.now() - started < 250);
  assert.equal(result.texts[0], "Stopped: end of input");
  await new Promise((resolve) => setTimeout(resolve, 350));
});

Deno.test("a write is awaited, cancelled or not", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 10);
  const result = await call("remember_fact", { fact: "slow 60" }, { signal: controller.signal });
  assert.equal(result.isError, false);
});

Deno.test("structures keep to the declared output", async () => {
  for (const tool of tools) {
    const result = await call(tool.name, tool.examples[0].input);
    assert.equal(result.isError, false, tool.name);
    const declared = [...Object.keys(tool.output), "memory", "warnings"];
    for (const key of Object.keys(result.structure)) {
      assert.ok(declared.includes(key), `${tool.name}: ${key}`);
    }
  }
});
