/** The steps of a proof: their schema, and the tree that they are. */

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
export type Step = {
  id: number;
  /** The node this one helps to prove; null at the root. */
  parent: number | null;
  goal: string;
  rule_applied: string;
  /** Null for a step that no clause made. */
  source: string | null;
  truncated?: boolean;
};

interface Branch {
  goal: string;
  rule_applied: string;
  children: Branch[];
  truncated?: boolean;
}

/** The schema of a proof's steps. */
export function stepsOutput(description: string) {
  return {
    type: "array",
    description,
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
  };
}

/** The same again in one schema: clients are sent all of them, so it is told in few bytes. */
export const alikeOutput = {
  type: "array",
  description: "Its steps, as in nodes",
  items: { type: "object" },
};

/** The reference's nested tree, from the flat list that clients' schema readers can take. */
export function treeOf(steps: Step[]): Branch | null {
  const branches = new Map<number, Branch>();
  let root: Branch | null = null;
  for (const { id, parent, goal, rule_applied, truncated } of steps) {
    const branch: Branch = { goal, rule_applied, children: [], ...(truncated && { truncated }) };
    branches.set(id, branch);
    if (parent === null) root ??= branch;
    else branches.get(parent)?.children.push(branch);
  }
  return root;
}
