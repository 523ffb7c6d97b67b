/** What tools that ask a goal have in common: how many answers they give, and how these look. */
import { limits } from "../base/limits.ts";
import { count, optional } from "./tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
export type Answers = {
  /** Values may be raw JSON numbers (`1.0` keeps its point): serialised as they are, never rebuilt. */
  answers: Record<string, unknown>[];
  exact: Record<string, string | string[]>[];
  unknown?: string[];
  output?: string;
  truncated: boolean;
  next_offset?: number;
};

export const answerArguments = {
  limit: optional(count(
    `At most so many answers (default ${limits.solutions}, fewer when they are long)`,
    { minimum: 1, maximum: limits.solutions_max },
  )),
  offset: optional(count("Skip so many answers, to go on", { minimum: 0 })),
  timeout_ms: optional(count(
    `Stop after so many milliseconds (default ${limits.deadline_ms})`,
    { minimum: 1, maximum: limits.deadline_max_ms },
  )),
};

/** What they become in a request; an explicit limit also widens the limit of bytes. */
export function answerRequest({ limit, offset }: { limit?: number; offset?: number }) {
  return {
    offset: offset ?? 0,
    limit: limit ?? limits.solutions,
    explicit_limit: limit !== undefined,
  };
}

export const unknownOutput = {
  type: "array",
  items: { type: "string" },
  description: "Predicates that were called and do not exist, as name/arity",
} as const;

export const answerOutput = {
  answers: {
    type: "array",
    items: { type: "object", additionalProperties: true },
    description: "One object per answer, from variable to value",
  },
  exact: {
    type: "array",
    items: { type: "object", additionalProperties: true },
    description:
      "The same bindings as Prolog text that can be pasted into a goal; _residual is what remains to be true",
  },
  unknown: unknownOutput,
  output: { type: "string", description: "What the goal printed" },
  truncated: { type: "boolean", description: "There are more answers" },
  next_offset: { type: "integer", description: "The offset that continues a truncated answer" },
} as const;

export function answersText({ answers }: Answers): string {
  return JSON.stringify(answers);
}

export function answerNotes({ truncated, next_offset, output }: Answers): string[] {
  const notes = [];
  if (output) notes.push(`Printed: ${output.trimEnd()}`);
  if (truncated) notes.push(`There are more answers: ask again with offset ${next_offset}`);
  return notes;
}
