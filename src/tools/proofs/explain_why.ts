import { limits } from "../../base/limits.ts";
import { unknownOutput } from "../answers.ts";
import { alikeOutput, type Step, stepsOutput, treeOf } from "../proof_steps.ts";
import { count, defineTool, memoryName, optional, text } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Proof = {
  fact: string;
  proven: boolean;
  nodes: Step[];
  /** With `max_proofs` only, as `more_proofs`. */
  other_proofs?: { nodes: Step[] }[];
  more_proofs?: boolean;
  unknown?: string[];
};

export default defineTool({
  name: "explain_why",
  title: "Explain Why",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "Show the proof of a fact, step by step.",
  description:
    "Trace the proof tree for a given fact and return a structured JSON explanation of how it was derived. " +
    "Each step names the rule or fact it used and where that came from. Use it to justify an answer, or to find " +
    "out which stored fact a conclusion rests on. A goal without a proof gives proven: false, which is not an error.",
  input: {
    fact: text('The Prolog term to explain (e.g. "risky(deploy_v3)")'),
    max_depth: optional(
      count("Optional maximum proof tree depth (truncates deeper levels)", { minimum: 0 }),
    ),
    memory: memoryName(),
    max_proofs: optional(count(
      "Show up to so many proofs of the same answer",
      { minimum: 1, maximum: limits.proofs_max },
    )),
  },
  output: {
    fact: { type: "string", description: "The term as it was given" },
    proven: { type: "boolean", description: "The term has a proof" },
    nodes: stepsOutput("The steps of the proof, the root first"),
    other_proofs: {
      type: "array",
      description: "Other proofs of the same answer",
      items: {
        type: "object",
        additionalProperties: false,
        properties: { nodes: alikeOutput },
      },
    },
    more_proofs: { type: "boolean", description: "There are, or may be, more" },
    unknown: unknownOutput,
  },
  examples: [{
    input: { fact: "mortal(socrates)" },
    says: '{"fact":"mortal(socrates)","proven":true,"proof_tree":{"goal":"mortal(socrates)",' +
      '"rule_applied":"mortal(X) :- human(X)","children":[{"goal":"human(socrates)",' +
      '"rule_applied":"fact","children":[]}]}}',
  }],
  async run(memory, { fact, max_depth, max_proofs }) {
    const { warnings, ...structure } = await memory.ask<Proof>({
      op: "explain",
      fact,
      max_depth: max_depth ?? limits.proof_depth,
      ...(max_proofs !== undefined && { max_proofs, explicit_limit: true }),
    });
    return { structure, warnings, notes: notesOn(structure, max_proofs) };
  },
  say: ({ fact, proven, nodes, other_proofs }) =>
    JSON.stringify({
      fact,
      proven,
      proof_tree: treeOf(nodes),
      other_proofs: other_proofs?.map((proof) => treeOf(proof.nodes)),
    }),
});

function notesOn({ more_proofs, other_proofs = [] }: Proof, max_proofs = 1) {
  const full = more_proofs && other_proofs.length + 1 === max_proofs;
  return full && max_proofs < limits.proofs_max
    ? [`There are more proofs: raise max_proofs, up to ${limits.proofs_max}`]
    : [];
}
