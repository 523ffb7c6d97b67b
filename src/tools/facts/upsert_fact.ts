import { change, previewFlag, previewOutput } from "../preview.ts";
import { defineTool, memoryName, text } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Upserted = { fact: string; replaced: number; removed: string[]; truncated?: boolean };

export default defineTool({
  name: "upsert_fact",
  title: "Upsert Fact",
  effect: "write",
  idempotent: true,
  destructive: true,
  summary: "Store a fact in the place of those with the same first argument.",
  description:
    "Insert or replace a Prolog fact in the knowledge base. The first argument is the key: all facts with the " +
    "same name, number of arguments and key go, then the new fact is stored, whether or not there was one. Use it " +
    "for what has one value at a time, such as a status or a version. Rules stay.",
  input: {
    fact: text('A Prolog fact to insert or replace (e.g. "deploy(prod, v2)")'),
    memory: memoryName(),
    preview: previewFlag(),
  },
  output: {
    fact: { type: "string", description: "The fact as it was stored" },
    replaced: { type: "integer", description: "How many facts it replaced" },
    removed: {
      type: "array",
      items: { type: "string" },
      description: "The replaced facts, as text",
    },
    truncated: { type: "boolean", description: "The list is cut" },
    commit: { type: "integer", description: "Number of the commit that holds the change" },
    preview: previewOutput,
  },
  examples: [{ input: { fact: "deploy(prod, v2)" }, says: "Upserted: deploy(prod, v2)" }],
  async run(memory, { fact, preview }) {
    const { warnings, ...structure } = await change<Upserted>(
      memory,
      { op: "upsert", fact },
      preview,
    );
    return { structure, warnings };
  },
  say: ({ fact, preview }) => `${preview ? "Would upsert" : "Upserted"}: ${fact}`,
});
