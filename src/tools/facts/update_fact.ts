import { change, previewFlag, previewOutput } from "../preview.ts";
import { defineTool, memoryName, text } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Updated = { old_fact: string; new_fact: string; removed: string[] };

export default defineTool({
  name: "update_fact",
  title: "Update Fact",
  effect: "write",
  idempotent: false,
  destructive: true,
  summary: "Replace one stored fact by another, in one step.",
  description:
    "Atomically replace an existing Prolog fact in the knowledge base (retract old_fact, assert new_fact). " +
    "The first fact that matches old_fact goes, the new one comes to the end; a variable in both is the same " +
    "value. Without a match it is an error and nothing changes. Use it when a known fact changed; when you do " +
    "not know whether there is one, use upsert_fact.",
  input: {
    old_fact: text('The existing Prolog fact to retract (e.g. "server(alpha, \\"1.0\\")")'),
    new_fact: text('The new Prolog fact to assert in its place (e.g. "server(alpha, \\"2.0\\")")'),
    memory: memoryName(),
    preview: previewFlag(),
  },
  output: {
    old_fact: { type: "string", description: "The fact that was removed" },
    new_fact: { type: "string", description: "The fact as it was stored" },
    removed: {
      type: "array",
      items: { type: "string" },
      description: "The removed clause, as text",
    },
    commit: { type: "integer", description: "Number of the commit that holds the change" },
    preview: previewOutput,
  },
  examples: [{
    input: { old_fact: 'server(alpha, "1.0")', new_fact: 'server(alpha, "2.0")' },
    says: 'Updated: server(alpha, "1.0") -> server(alpha, "2.0")',
  }],
  async run(memory, { old_fact, new_fact, preview }) {
    const { warnings, ...structure } = await change<Updated>(
      memory,
      { op: "update", old_fact, new_fact },
      preview,
    );
    return { structure, warnings };
  },
  say: ({ old_fact, new_fact, preview }) =>
    `${preview ? "Would update" : "Updated"}: ${old_fact} -> ${new_fact}`,
});
