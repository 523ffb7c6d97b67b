import { change, previewFlag, previewOutput } from "../preview.ts";
import { defineTool, memoryName, text } from "../tool.ts";

export default defineTool({
  name: "forget_fact",
  title: "Forget Fact",
  effect: "write",
  idempotent: false,
  destructive: true,
  summary: "Remove the first fact that matches.",
  description:
    "Remove a single fact from the knowledge base by retracting the first matching clause. When the " +
    "same fact is stored several times, one call removes one of them. Rules are never removed. Use it when " +
    "something is no longer true.",
  input: {
    fact: text('A Prolog fact to retract (e.g. "human(socrates)")'),
    memory: memoryName(),
    preview: previewFlag(),
  },
  output: {
    fact: { type: "string", description: "The fact that was removed" },
    removed: {
      type: "array",
      items: { type: "string" },
      description: "The removed clause, as text",
    },
    commit: { type: "integer", description: "Number of the commit that holds the removal" },
    preview: previewOutput,
  },
  examples: [{ input: { fact: "human(socrates)" }, says: "Retracted: human(socrates)" }],
  async run(memory, { fact, preview }) {
    const { warnings, ...structure } = await change<{ fact: string; removed: string[] }>(
      memory,
      { op: "forget", fact },
      preview,
    );
    return { structure, warnings };
  },
  say: ({ fact, preview }) => preview ? `Would retract: ${fact}` : `Retracted: ${fact}`,
});
