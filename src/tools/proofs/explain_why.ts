import { limits } from "../../base/limits.ts";
import { count, defineTool, memoryName, optional, text } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Node = {
  id: number;
  /** The node this one helps to prove; null at the root. */
  parent: number | null;
  goal: string;
  rule_applied: string;
  /** Null for a step that no clause made. */
  source: string | null;
  truncated?: boolean;
};

type Proof = { fact: string; proven: boolean; nodes: Node[] };

interface Branch {
  goal: string;
  rule_applied: string;
  children: Branch[];
  truncated?: boolean;
}

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
  },
  output: {
    fact: { type: "string", description: "The term as it was given" },
    proven: { type: "boolean", description: "The term has a proof" },
    nodes: {
      type: "array",
      description: "The steps of the proof, the root first",
      items: {
        type: "object",
        additionalProperties: false,
        properties: {
          id: { type: "integer", description: "Number of this step" },
          parent: {
            type: ["integer", "null"],
            description: "The step it helps to prove, null at the root",
          },
          goal: { type: "string", description: "The goal with its bindings" },
          rule_applied: {
            type: "string",
            description: "The rule as text, or fact, builtin, negation, tabled",
          },
          source: {
            type: ["string", "null"],
            description: "Where the clause comes from: file:line or a commit; null for a built-in",
          },
          truncated: { type: "boolean", description: "The proof goes on below max_depth" },
        },
      },
    },
  },
  examples: [{
    input: { fact: "mortal(socrates)" },
    says: '{"fact":"mortal(socrates)","proven":true,"proof_tree":{"goal":"mortal(socrates)",' +
      '"rule_applied":"mortal(X) :- human(X)","children":[{"goal":"human(socrates)",' +
      '"rule_applied":"fact","children":[]}]}}',
  }],
  async run(memory, { fact, max_depth }) {
    const { warnings, ...proof } = await memory.ask<Proof>({
      op: "explain",
      fact,
      max_depth: max_depth ?? limits.proof_depth,
    });
    return { structure: { fact: proof.fact, proven: proof.proven, nodes: proof.nodes }, warnings };
  },
  say: ({ fact, proven, nodes }) => JSON.stringify({ fact, proven, proof_tree: treeOf(nodes) }),
});

/** The reference's nested tree, from the flat list that clients' schema readers can take. */
function treeOf(nodes: Node[]): Branch | null {
  const branches = new Map<number, Branch>();
  let root: Branch | null = null;
  for (const { id, parent, goal, rule_applied, truncated } of nodes) {
    const branch: Branch = { goal, rule_applied, children: [], ...(truncated && { truncated }) };
    branches.set(id, branch);
    if (parent === null) root ??= branch;
    else branches.get(parent)?.children.push(branch);
  }
  return root;
}
