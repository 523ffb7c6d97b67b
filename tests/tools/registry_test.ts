/** What holds for every tool (SPEC 1.4), checked against the tool reference. */
import assert from "node:assert/strict";
import { coreTools, findTool, tools } from "../../src/tools/registry.ts";
import { hasMemory, inputSchema, outputSchema } from "../../src/tools/schema.ts";
import reference from "../../fixtures/reference.json" with { type: "json" };

interface ReferenceTool {
  name: string;
  title: string;
  description: string;
  annotations: { readOnlyHint: boolean; idempotentHint: boolean; destructiveHint: boolean };
  inputSchema: {
    properties: Record<string, { type: string; description: string }>;
    required: string[];
  };
  memoryParameter: boolean;
}

/** Properties that SPEC 1.4 adds to those of the reference. */
const added: Record<string, string[]> = {
  clear_context: ["preview"],
  define_rule: ["tabled"],
  explain_why: ["max_proofs"],
  find_predicate_references: ["limit", "offset"],
  forget_fact: ["preview"],
  get_justification: ["limit", "offset"],
  list_assumptions: ["limit", "offset"],
  query_logic: ["limit", "offset", "timeout_ms", "as_of"],
  restore_snapshot: ["preview"],
  retract_assumption: ["preview"],
  retract_assumptions: ["preview"],
  trace_dependency: ["limit", "offset"],
  update_fact: ["preview"],
  upsert_fact: ["preview"],
  verify_consistency: ["limit", "offset"],
};

/** First sentences of the reference that are not carried over as they are. */
const reworded = new Set<string>(["mount_memory", "unmount_memory"]);

const known = new Map(
  (reference.tools as unknown as ReferenceTool[]).map((tool) => [tool.name, tool]),
);

Deno.test("names are unique, and each tool is found by its name", () => {
  assert.equal(new Set(tools.map((tool) => tool.name)).size, tools.length);
  for (const tool of tools) assert.equal(findTool(tool.name), tool);
  for (const name of coreTools) assert.ok(findTool(name), name);
});

Deno.test("the file of a tool has its name", async () => {
  const names: string[] = [];
  const root = new URL("../../src/tools/", import.meta.url);
  for await (const group of Deno.readDir(root)) {
    if (!group.isDirectory) continue;
    for await (const file of Deno.readDir(new URL(`${group.name}/`, root))) {
      names.push(file.name.replace(/\.ts$/, ""));
    }
  }
  assert.deepEqual(names.sort(), tools.map((tool) => tool.name).sort());
});

Deno.test("all tools of the reference are there, in its order, and new ones after them", () => {
  assert.deepEqual(tools.slice(0, known.size).map(({ name }) => name), [...known.keys()]);
});

for (const tool of tools) {
  const model = known.get(tool.name);

  Deno.test(`${tool.name}: summary, examples and descriptions`, () => {
    assert.ok(tool.summary.length <= 80 && tool.summary.endsWith("."), tool.summary);
    assert.ok(tool.examples.length >= 1);
    assert.ok(tool.description.length <= 800, `${tool.description.length} characters`);
    for (const example of tool.examples) {
      for (const name of Object.keys(example.input)) assert.ok(name in tool.input, name);
    }
  });

  Deno.test(`${tool.name}: schemas are flat, closed and described`, () => {
    for (const schema of [inputSchema(tool), outputSchema(tool)]) {
      assert.equal(schema.type, "object");
      assert.equal(schema.additionalProperties, false);
      const text = JSON.stringify(schema);
      for (const keyword of ["$schema", "$ref", "$defs", "anyOf", "oneOf", "allOf"]) {
        assert.ok(!text.includes(`"${keyword}"`), keyword);
      }
      checkDescribed(schema);
    }
  });

  if (!model) continue;
  Deno.test(`${tool.name}: what the reference says of it`, () => {
    assert.equal(tool.title, model.title);
    assert.deepEqual({
      readOnlyHint: tool.effect === "read",
      idempotentHint: tool.idempotent,
      destructiveHint: tool.destructive,
    }, model.annotations);
    assert.equal(hasMemory(tool), model.memoryParameter);
    const first = model.description.split(". ")[0].replace(/\.$/, "");
    if (!reworded.has(tool.name)) assert.ok(tool.description.startsWith(first), first);

    const { properties, required } = inputSchema(tool);
    for (const [name, property] of Object.entries(model.inputSchema.properties)) {
      assert.partialDeepStrictEqual(properties[name], property);
    }
    assert.deepEqual(required, model.inputSchema.required);
    const extra = Object.keys(properties).filter((name) =>
      !(name in model.inputSchema.properties) && name !== "memory"
    );
    assert.deepEqual(extra, added[tool.name] ?? []);
  });
}

Deno.test("the texts of the examples are the reference's where the call is the same", () => {
  const says = (name: string) => findTool(name)!.examples[0].says;
  const shown = (name: string) =>
    (known.get(name) as unknown as { examples: { text: string }[] }).examples[0].text;
  const names = [
    "echo",
    "remember_fact",
    "define_rule",
    "forget_fact",
    "clear_context",
    "update_fact",
    "upsert_fact",
  ];
  for (const name of names) {
    assert.equal(says(name), shown(name));
  }
});

/** Lists have typed items, and every property has a description, at every depth. */
function checkDescribed(schema: Record<string, unknown>): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const { description, type, items } = property as Record<string, unknown>;
    assert.ok(typeof description === "string" && description !== "", name);
    if (type === "array") assert.ok((items as { type?: string | string[] })?.type?.length, name);
    checkDescribed(property as Record<string, unknown>);
    if (items) checkDescribed(items as Record<string, unknown>);
  }
}
