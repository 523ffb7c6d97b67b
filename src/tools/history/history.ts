import { limits } from "../../base/limits.ts";
import { count, defineTool, memoryName, optional, text } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Page = {
  commits: {
    number: number;
    time: string;
    tool: string;
    who?: string;
    changes: string[];
    more?: number;
  }[];
  truncated: boolean;
  next_offset?: number;
};

export default defineTool({
  name: "history",
  title: "History",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "List the commits of a memory, newest first, with their changes.",
  description:
    "List what was changed in a memory: every commit with its number, time, tool and changes, the newest first. " +
    "A change begins with + for a clause that came and - for one that went. With a predicate, only commits that " +
    "touched it. Use it to see what happened, and to find the number for query_logic's as_of or what undo would take back.",
  input: {
    predicate: optional(text('Only changes of this predicate (e.g. "role/2", or "role" for all)')),
    limit: optional(count(`At most so many commits (default ${limits.history})`, {
      minimum: 1,
      maximum: limits.history_max,
    })),
    offset: optional(
      count("Skip so many commits, to go on after a truncated list", { minimum: 0 }),
    ),
    memory: memoryName(),
  },
  output: {
    commits: {
      type: "array",
      description: "The commits, the newest first",
      items: {
        type: "object",
        additionalProperties: false,
        properties: {
          number: { type: "integer", description: "Number of the commit" },
          time: { type: "string", description: "When it was made" },
          tool: { type: "string", description: "The tool that made it" },
          who: { type: "string", description: "The principal, where there are several" },
          changes: {
            type: "array",
            items: { type: "string" },
            description: "What it changed, a line each",
          },
          more: { type: "integer", description: "How many changes are not shown" },
        },
      },
    },
    truncated: { type: "boolean", description: "There are older commits" },
    next_offset: { type: "integer", description: "The offset that continues a truncated list" },
  },
  examples: [{
    input: { predicate: "mortal/1", limit: 1 },
    says:
      '[{"number":3,"time":"[TIME]","tool":"define_rule","changes":["+ mortal(X) :- human(X)"]}]',
  }],
  async run(memory, { predicate, limit, offset }) {
    const { warnings, ...structure } = await memory.ask<Page>({
      op: "history",
      offset: offset ?? 0,
      limit: limit ?? limits.history,
      explicit_limit: limit !== undefined,
      ...(predicate !== undefined && { predicate }),
    });
    return { structure, warnings, notes: notesOn(structure) };
  },
  say: ({ commits }) => JSON.stringify(commits),
});

function notesOn({ truncated, next_offset }: Page): string[] {
  return truncated ? [`There are more commits: ask again with offset ${next_offset}`] : [];
}
