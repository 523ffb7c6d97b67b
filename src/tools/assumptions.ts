/** What the tools of `beliefs` share: the names of assumptions, and what goes with one. */
import type { Changed } from "./preview.ts";
import { text } from "./tool.ts";

export function assumptionName(description: string) {
  return {
    ...text(description),
    pattern: "^[a-z][a-z0-9_]{0,63}$",
    rule: "a lower-case letter, then lower-case letters, digits or _, at most 64 in all",
  };
}

/** The same with `*` and `?`. */
export function assumptionPattern(description: string) {
  return {
    ...text(description),
    pattern: "^[a-z*?][a-z0-9_*?]{0,63}$",
    rule: "the name of an assumption, in which * stands for any characters and ? for one",
  };
}

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
export type Retracted = {
  assumptions: string[];
  count: number;
  removed: string[];
  truncated?: boolean;
};

export const removedOutput = {
  count: { type: "integer", description: "Number of facts removed" },
  removed: {
    type: "array",
    items: { type: "string" },
    description: "The facts that were left without support, as text",
  },
  truncated: { type: "boolean", description: "The list of facts is cut" },
} as const;

/** Facts in the note; the structure has more. */
const SHOWN = 10;

/** What the reference's sentence only counts. */
export function removedNotes(
  { assumptions, count, removed, preview }: Changed<Retracted>,
): string[] {
  const notes = [];
  if (assumptions.length > 1) {
    notes.push(`${preview ? "It would retract" : "Retracted"}: ${assumptions.join(", ")}`);
  }
  if (count > 0) {
    const shown = removed.slice(0, SHOWN);
    const more = count > shown.length ? [`... and ${count - shown.length} more`] : [];
    notes.push([`${preview ? "It would remove" : "Removed"}:`, ...shown, ...more].join("\n"));
  }
  return notes;
}
