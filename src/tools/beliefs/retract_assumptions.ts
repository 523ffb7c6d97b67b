import { assumptionPattern, removedNotes, removedOutput, type Retracted } from "../assumptions.ts";
import { change, previewFlag, previewOutput } from "../preview.ts";
import { defineTool, memoryName } from "../tool.ts";

export default defineTool({
  name: "retract_assumptions",
  title: "Retract Assumptions",
  effect: "write",
  idempotent: true,
  destructive: true,
  summary: "Take back every assumption whose name matches a pattern.",
  description:
    "Retract all assumptions matching a glob-style pattern with full propagation semantics. In it * stands " +
    "for any characters and ? for one; an underscore is an underscore. Facts that are left without support " +
    "go. It succeeds also when no name matches. Use it for a group of assumptions that share a prefix; " +
    "preview shows first what would go.",
  input: {
    pattern: assumptionPattern('A glob-style pattern to match assumption names (e.g. "infra_*")'),
    memory: memoryName(),
    preview: previewFlag(),
  },
  output: {
    pattern: { type: "string", description: "The pattern" },
    assumptions: {
      type: "array",
      items: { type: "string" },
      description: "The assumptions that were retracted",
    },
    ...removedOutput,
    commit: { type: "integer", description: "Number of the commit; absent when no name matched" },
    preview: previewOutput,
  },
  examples: [{
    input: { pattern: "infra_*" },
    says: "Retracted pattern 'infra_*': 1 assumption(s) removed",
  }],
  async run(memory, { pattern, preview }) {
    const { warnings, ...structure } = await change<Retracted & { pattern: string }>(
      memory,
      { op: "retract_assumptions", pattern },
      preview,
    );
    return { structure, warnings, notes: removedNotes(structure) };
  },
  say: ({ pattern, assumptions, preview }) =>
    preview
      ? `Would retract pattern '${pattern}': ${assumptions.length} assumption(s) would be removed`
      : `Retracted pattern '${pattern}': ${assumptions.length} assumption(s) removed`,
});
