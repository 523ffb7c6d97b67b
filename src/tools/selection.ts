/** Which tools a server offers: all, or those that its operator chose. */
import { tools } from "./registry.ts";
import type { Tool } from "./tool.ts";

/** Names as the registry has them; reading only wins over the other two. */
export interface Selection {
  readOnly: boolean;
  /** Only these; all when absent. */
  only?: string[];
  /** Not these. */
  without: string[];
}

export const everything: Selection = { readOnly: false, without: [] };

/** The tools that are left, in the order of the registry. */
export function selectTools(selection: Selection): readonly Tool[] {
  return tools.filter((tool) => isSelected(selection, tool));
}

/** Whether a tool is left, also one that is in no registry. */
export function isSelected(
  { readOnly, only, without }: Selection,
  { name, effect }: Pick<Tool, "name" | "effect">,
): boolean {
  return (!readOnly || effect === "read") && (!only || only.includes(name)) &&
    !without.includes(name);
}
