/** What the audit keeps of a result, and what a result says of the audit. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Judged, Receipt } from "../../custody/custody.ts";
import type { ToolResult } from "../../tools/invoke.ts";

/** The code of a failed result of a tool; undefined of a good one. */
export function codeIn({ isError, structuredContent }: CallToolResult): string | undefined {
  if (!isError) return undefined;
  const { error } = structuredContent as { error?: { code?: string } };
  return error?.code ?? "bug";
}

/** Of a verb's result: its code when it failed, the handles that a write gave or hid. */
export function judgeVerb(
  effect: "read" | "write",
  { isError, structure }: Pick<ToolResult, "isError" | "structure">,
): Judged {
  if (isError) return { code: String(structure.code) };
  return effect === "write" ? { handles: handlesIn(structure) } : {};
}

/**
 * The receipt stands beside the result, where no schema of a tool forbids it. That somebody is revoked by now is said
 * in words as well: the write is stored all the same.
 */
export function received(result: CallToolResult, receipt: Receipt): CallToolResult {
  const _meta = { ...result._meta, "zpm/receipt": receipt };
  if (!receipt.revoked) return { ...result, _meta };
  const text = "This was stored; the rights of the caller were revoked while it ran";
  return { ...result, content: [...result.content, { type: "text", text }], _meta };
}

function handlesIn(structure: unknown): number[] {
  if (Array.isArray(structure)) return structure.flatMap(handlesIn);
  if (typeof structure !== "object" || structure === null) return [];
  return Object.entries(structure).flatMap(([name, value]) =>
    name === "handle" || name === "except_handle" ? [value as number] : handlesIn(value)
  );
}
