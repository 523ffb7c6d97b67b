import { limits } from "../../base/limits.ts";
import { change, previewFlag, previewOutput } from "../preview.ts";
import { count, defineTool, flag, memoryName, optional } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Undone = { undone: number[]; changes: string[]; count: number; truncated?: boolean };

export default defineTool({
  name: "undo",
  title: "Undo",
  effect: "write",
  idempotent: false,
  destructive: true,
  summary: "Take back the last commits of a memory.",
  description:
    "Take back the last commits of a memory by a new commit: what they added goes, what they removed comes back to its " +
    "place. Commits of another process are only taken back with force. Undoing an undo brings its changes back. Use it " +
    "after a mistake; preview shows first what would change, history shows the commits.",
  input: {
    count: optional(
      count("How many commits to take back (default 1)", { minimum: 1, maximum: limits.undo_max }),
    ),
    force: optional(flag("Take back commits of other processes, too (default: false)")),
    memory: memoryName(),
    preview: previewFlag(),
  },
  output: {
    undone: {
      type: "array",
      items: { type: "integer" },
      description: "Numbers of the commits that were taken back",
    },
    changes: {
      type: "array",
      items: { type: "string" },
      description: "What that changed: + for a clause that came, - for one that went",
    },
    count: { type: "integer", description: "How many changes that were" },
    commit: { type: "integer", description: "Number of the commit that takes them back" },
    preview: previewOutput,
  },
  examples: [{ input: { count: 1, preview: true }, says: "Would undo: commit 3" }],
  async run(memory, { count, force, preview }) {
    const { warnings, ...structure } = await change<Undone>(
      memory,
      { op: "undo", count: count ?? 1, force: force ?? false },
      preview,
    );
    return { structure, warnings, notes: changesOf(structure) };
  },
  say: ({ undone, preview }) => `${preview ? "Would undo" : "Undone"}: ${commitsText(undone)}`,
});

function commitsText(numbers: number[]): string {
  const [first, last] = [numbers[0], numbers[numbers.length - 1]];
  return first === last ? `commit ${first}` : `commits ${first} to ${last}`;
}

function changesOf({ changes, count }: Undone): string[] {
  const hidden = count - changes.length;
  return hidden > 0 ? [...changes, `... and ${hidden} more`] : changes;
}
