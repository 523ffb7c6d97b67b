/** `preview: true`: what a change would do, without doing it (SPEC 1.7). */
import type { Memory, Reply, Request } from "../memory/memory.ts";
import { flag, optional } from "./tool.ts";

/** What a change answers beside its own keys. */
export type Changed<Body> = Reply<Body & { commit?: number; preview?: boolean }>;

/** The argument of a tool that can show its effect beforehand. */
export function previewFlag() {
  return optional(flag("Only show what would change"));
}

/** The same in the result, where it is said. */
export const previewOutput = {
  type: "boolean",
  description: "Nothing was changed; this is what would be",
} as const;

/** Commits, or asks what committing would answer. */
export async function change<Body>(
  memory: Memory,
  request: Request,
  preview = false,
): Promise<Changed<Body>> {
  if (!preview) return await memory.commit<Body>(request);
  const reply = await memory.ask<Body>({ op: "preview", request });
  return { ...reply, preview: true };
}
