import { change, type Changed, previewFlag, previewOutput } from "../preview.ts";
import { defineTool, memoryName, text } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Cleared = { pattern: string; count: number; removed: string[]; truncated?: boolean };

/** Clauses in the note; the structure has them all. */
const SHOWN = 10;

export default defineTool({
  name: "clear_context",
  title: "Clear Context",
  effect: "write",
  idempotent: true,
  destructive: true,
  summary: "Remove every fact and rule whose head matches a pattern.",
  description:
    "Remove all facts from the knowledge base matching a given category or pattern. Rules whose head " +
    "matches go, too; a name alone (p) means p without arguments. It succeeds also when nothing matches. " +
    "Use it when a whole topic is over; preview shows first what would go.",
  input: {
    category: text(
      'A Prolog pattern to match facts for bulk deletion (e.g. "project(beta, _)", "role(_, _)")',
    ),
    memory: memoryName(),
    preview: previewFlag(),
  },
  output: {
    pattern: { type: "string", description: "The pattern as it was read" },
    count: { type: "integer", description: "Number of clauses removed" },
    removed: {
      type: "array",
      items: { type: "string" },
      description: "The removed clauses, as text",
    },
    truncated: { type: "boolean", description: "The list is cut" },
    commit: {
      type: "integer",
      description: "Number of the commit; absent when nothing matched",
    },
    preview: previewOutput,
  },
  examples: [{
    input: { category: "project(beta, _)" },
    says: "Cleared all facts matching: project(beta, _)",
  }],
  async run(memory, { category, preview }) {
    const { warnings, ...structure } = await change<Cleared>(
      memory,
      { op: "clear", category },
      preview,
    );
    return { structure, warnings, notes: [removedNote(structure)] };
  },
  say: ({ pattern, preview }) =>
    `${preview ? "Would clear" : "Cleared"} all facts matching: ${pattern}`,
});

/** The reference's sentence is the same whether or not anything matched; this one tells. */
function removedNote({ count, removed, preview }: Changed<Cleared>): string {
  if (count === 0) return preview ? "Nothing matches" : "Nothing matched";
  const shown = removed.slice(0, SHOWN);
  const more = count > shown.length ? [`... and ${count - shown.length} more`] : [];
  return [`${preview ? "It would remove" : "Removed"}:`, ...shown, ...more].join("\n");
}
