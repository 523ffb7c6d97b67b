import { assumptionName, removedNotes, removedOutput, type Retracted } from "../assumptions.ts";
import { change, previewFlag, previewOutput } from "../preview.ts";
import { defineTool, memoryName } from "../tool.ts";

export default defineTool({
  name: "retract_assumption",
  title: "Retract Assumption",
  effect: "write",
  idempotent: true,
  destructive: true,
  summary: "Take an assumption back, and the facts that stood on it alone.",
  description:
    "Retract a named assumption and remove all facts that have no remaining justifications. Facts that are " +
    "also remembered, or stand on another assumption, stay; what rules derived from the removed ones no longer " +
    "follows. Use it when a hypothesis turned out wrong; preview shows first what would go.",
  input: {
    assumption: assumptionName('The assumption name to retract (e.g. "infra_healthy")'),
    memory: memoryName(),
    preview: previewFlag(),
  },
  output: {
    assumptions: {
      type: "array",
      items: { type: "string" },
      description: "The assumptions that were retracted",
    },
    ...removedOutput,
    commit: { type: "integer", description: "Number of the commit that holds the change" },
    preview: previewOutput,
  },
  examples: [{
    input: { assumption: "infra_healthy" },
    says: "Retracted assumption 'infra_healthy': 1 fact(s) removed",
  }],
  async run(memory, { assumption, preview }) {
    const { warnings, ...structure } = await change<Retracted>(
      memory,
      { op: "retract_assumption", assumption },
      preview,
    );
    return { structure, warnings, notes: removedNotes(structure) };
  },
  say: ({ assumptions, count, preview }) =>
    preview
      ? `Would retract assumption '${assumptions[0]}': ${count} fact(s) would be removed`
      : `Retracted assumption '${assumptions[0]}': ${count} fact(s) removed`,
});
