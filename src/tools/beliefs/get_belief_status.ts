import { defineTool, memoryName, text } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Belief = {
  status: "in" | "out";
  justifications: string[];
  environments: string[][];
  falls_with: string[];
  depends_on_absence: boolean;
  truncated?: boolean;
  source: "interactive" | "journal" | "snapshot" | "file" | "unknown";
};

export default defineTool({
  name: "get_belief_status",
  title: "Get Belief Status",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "Tell whether a fact holds, and on which assumptions it rests.",
  description:
    "Query whether a belief is currently supported and which assumptions justify it. Returns the belief " +
    "status (in or out), the justifying assumptions, and where a stored fact comes from. Works for what rules " +
    "derive, too: environments are the smallest sets of assumptions that are enough for it. Use it before " +
    "retract_assumption to see what depends on it, or to tell a remembered fact from an assumed one.",
  input: {
    fact: text('The Prolog fact to check belief status for (e.g. "available(server_a)")'),
    memory: memoryName(),
  },
  output: {
    status: { type: "string", enum: ["in", "out"], description: "in: it holds; out: it does not" },
    justifications: {
      type: "array",
      items: { type: "string" },
      description:
        "The assumptions it rests on: a stored fact's own in order of first use, those of other memories as MEMORY:NAME",
    },
    environments: {
      type: "array",
      items: { type: "array", items: { type: "string" } },
      description: "Smallest sets of assumptions that suffice; an empty one: it needs none",
    },
    falls_with: {
      type: "array",
      items: { type: "string" },
      description: "The assumptions whose retraction alone ends it",
    },
    depends_on_absence: {
      type: "boolean",
      description: "A proof went through a negation, an aggregation or a condition",
    },
    truncated: { type: "boolean", description: "There may be more environments" },
    source: {
      type: "string",
      enum: ["interactive", "journal", "snapshot", "file", "unknown"],
      description:
        "Of a stored fact: committed by this process, or before it started, brought by the last " +
        "restore, or from a kb file; unknown when it is not stored",
    },
  },
  examples: [{
    input: { fact: "available(server_a)" },
    says: '{"status":"in","justifications":["infra_healthy"],"source":"interactive"}',
  }],
  async run(memory, { fact }) {
    const { warnings, ...structure } = await memory.ask<Belief>({
      op: "belief",
      fact,
      provenance: true,
    });
    return { structure, warnings, notes: notesOn(structure) };
  },
  say: ({ status, justifications, source }) => JSON.stringify({ status, justifications, source }),
});

/** What the reference's text leaves out. */
function notesOn(belief: Belief): string[] {
  const { status, environments, falls_with, depends_on_absence, truncated } = belief;
  if (status === "out") return [];
  const notes = [];
  const needsNone = environments.some((names) => names.length === 0);
  if (needsNone && falls_with.length === 0) notes.push("It holds without any assumption");
  else if (!needsNone) {
    const sets = environments.map((names) => names.join(" + ")).join("; ");
    notes.push(`It is enough that these hold: ${sets}${truncated ? "; perhaps others" : ""}`);
  }
  if (falls_with.length > 0) notes.push(`It ends when this is retracted: ${falls_with.join(", ")}`);
  if (depends_on_absence) {
    notes.push("It depends on something not being there: new facts may end it");
  }
  return notes;
}
