/** get_kb_overview where a transcript cannot bring it: without a folder, and without an engine. */
import assert from "node:assert/strict";
import { engineUnavailable } from "../../src/base/errors.ts";
import { limits } from "../../src/base/limits.ts";
import { invoke } from "../../src/tools/invoke.ts";
import { findTool } from "../../src/tools/registry.ts";
import type { Memories, Memory } from "../../src/memory/memory.ts";
import reference from "../../fixtures/reference.json" with { type: "json" };
import { fakeMemories } from "../support/fake_memories.ts";

const context = { by: "test", client: "test", deadline_ms: limits.deadline_ms };

/** The fake memory, with some of it replaced. */
function memoriesWith(changes: Partial<Memory>): Memories {
  return {
    memory: async (name, context) => ({
      ...await fakeMemories().memory(name, context),
      ...changes,
    }),
  };
}

function documented(tool: string, example: number): string {
  return reference.tools.find(({ name }) => name === tool)!.examples[example].text;
}

Deno.test("the reference's empty overview is that of a memory without a folder", async () => {
  const fake = await fakeMemories().memory("default", context);
  const healthy = await fake.health();
  const memories = memoriesWith({
    health: () => Promise.resolve({ ...healthy, status: "degraded" }),
    snapshots: { ...fake.snapshots, list: () => Promise.resolve([]) },
  });
  const result = await invoke(findTool("get_kb_overview")!, {}, memories, context);
  assert.equal(result.texts[0], documented("get_kb_overview", 1));
});

Deno.test("without an engine, the tools of the reference have their own sentence", async () => {
  const memories = memoriesWith({
    ask: () => Promise.reject(engineUnavailable("out of memory")),
  });
  for (const tool of ["get_kb_overview", "get_knowledge_schema", "verify_consistency"]) {
    const { isError, texts } = await invoke(findTool(tool)!, {}, memories, context);
    assert.deepEqual([isError, texts[0]], [true, documented(tool, 2)]);
    assert.match(texts[1], /^The engine does not start: out of memory/);
  }
});
