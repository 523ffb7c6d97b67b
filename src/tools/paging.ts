/** `limit` and `offset` of tools that list. */
import { limits } from "../base/limits.ts";
import { count, optional } from "./tool.ts";

export interface Page {
  truncated: boolean;
  next_offset?: number;
}

/** The arguments, of things that a plural names. */
export function pageArguments(things: string) {
  return {
    limit: optional(
      count(`At most so many ${things} (default ${limits.listed})`, {
        minimum: 1,
        maximum: limits.solutions_max,
      }),
    ),
    offset: optional(count(`Skip so many ${things}, to go on`, { minimum: 0 })),
  };
}

/** What they become in a request; an explicit limit also widens the limit of bytes. */
export function pageRequest({ limit, offset }: { limit?: number; offset?: number }) {
  return {
    limit: limit ?? limits.listed,
    offset: offset ?? 0,
    explicit_limit: limit !== undefined,
  };
}

/** The same in the result. */
export const pageOutput = {
  truncated: { type: "boolean", description: "There are more" },
  next_offset: { type: "integer", description: "The offset that continues the list" },
} as const;

export function pageNotes({ truncated, next_offset }: Page): string[] {
  return truncated ? [`There are more: ask again with offset ${next_offset}`] : [];
}
