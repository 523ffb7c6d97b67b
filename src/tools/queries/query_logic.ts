import { limits } from "../../base/limits.ts";
import { count, defineTool, memoryName, optional, text } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Answers = {
  /** Values may be raw JSON numbers (`1.0` keeps its point): serialised as they are, never rebuilt. */
  answers: Record<string, unknown>[];
  exact: Record<string, string | string[]>[];
  unknown?: string[];
  output?: string;
  truncated: boolean;
  next_offset?: number;
};

export default defineTool({
  name: "query_logic",
  title: "Query Logic",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "Ask a goal and get every answer as JSON.",
  description:
    "Execute a Prolog goal and return all variable bindings as JSON. Answers come in order, from stored " +
    "facts, rules and the pure libraries (lists, arithmetic, findall, aggregate, clpfd). No answer is []; a goal " +
    "that does not read, throws or hits a limit is an error. Use it to look something up, to combine facts, or " +
    "to check whether something follows. Nothing it does is kept.",
  input: {
    goal: text('A Prolog goal to query (e.g. "fruit(X)", "parent(john, Y)")'),
    memory: memoryName(),
    limit: optional(count(
      `At most so many answers (default ${limits.solutions}); without it a long answer also ends by its size`,
      { minimum: 1, maximum: limits.solutions_max },
    )),
    offset: optional(count("Skip so many answers, to go on after a truncated one", { minimum: 0 })),
    timeout_ms: optional(count(
      `Stop after so many milliseconds (default ${limits.deadline_ms})`,
      { minimum: 1, maximum: limits.deadline_max_ms },
    )),
    as_of: optional(
      count("Ask what was stored as of this commit (see history)", { minimum: 0 }),
    ),
  },
  output: {
    answers: {
      type: "array",
      items: { type: "object", additionalProperties: true },
      description: "One object per answer, from variable to value",
    },
    exact: {
      type: "array",
      items: {
        type: "object",
        properties: {
          _residual: {
            type: "array",
            items: { type: "string" },
            description: "What remains to be true of the unbound variables",
          },
        },
        additionalProperties: { type: "string" },
      },
      description: "The same bindings as Prolog text that can be pasted into a goal",
    },
    unknown: {
      type: "array",
      items: { type: "string" },
      description: "Predicates that were called and do not exist, as name/arity",
    },
    output: { type: "string", description: "What the goal printed" },
    truncated: { type: "boolean", description: "There are more answers" },
    next_offset: { type: "integer", description: "The offset that continues a truncated answer" },
  },
  examples: [
    { input: { goal: "mortal(X)" }, says: '[{"X":"socrates"}]' },
    { input: { goal: "member(N, [1, 2, 3])", limit: 2 }, says: '[{"N":1},{"N":2}]' },
  ],
  async run(memory, { goal, limit, offset, as_of }) {
    const { warnings, ...structure } = await memory.ask<Answers>({
      op: "query",
      goal,
      offset: offset ?? 0,
      limit: limit ?? limits.solutions,
      explicit_limit: limit !== undefined,
      ...(as_of !== undefined && { as_of }),
    });
    const past = as_of === undefined ? [] : [asOfText(as_of)];
    return { structure, warnings: [...past, ...warnings ?? []], notes: notesOn(structure) };
  },
  say: ({ answers }) => JSON.stringify(answers),
});

function asOfText(commit: number): string {
  return `As of commit ${commit}: what was stored then, with the files as they are now`;
}

function notesOn({ truncated, next_offset, output }: Answers): string[] {
  const notes = [];
  if (output) notes.push(`Printed: ${output.trimEnd()}`);
  if (truncated) notes.push(`There are more answers: ask again with offset ${next_offset}`);
  return notes;
}
