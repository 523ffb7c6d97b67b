/** The tools as MCP lists them and answers their calls, derived from the declarations (SPEC 1.4). */
import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { ToolResult } from "../../tools/invoke.ts";
import { coreTools } from "../../tools/registry.ts";
import { inputSchema, outputSchema } from "../../tools/schema.ts";
import type { Tool } from "../../tools/tool.ts";

/** A server offers the same tools as long as it runs, and over HTTP it is made anew for each request. */
const listed = new WeakMap<readonly Tool[], ListedTool[]>();

export function listedTools(tools: readonly Tool[]): ListedTool[] {
  const known = listed.get(tools) ?? tools.map(listedTool);
  listed.set(tools, known);
  return known;
}

/** A result on the wire; `isError` is said also when it is false, and the structure stays as it is. */
export function callResult({ texts, structure, isError }: ToolResult): CallToolResult {
  return {
    content: texts.map((text) => ({ type: "text", text })),
    structuredContent: structure,
    isError,
  };
}

function listedTool(tool: Tool): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: `${tool.description}\nExample: ${exampleOf(tool)}`,
    inputSchema: inputSchema(tool) as ListedTool["inputSchema"],
    outputSchema: outputSchema(tool) as ListedTool["outputSchema"],
    annotations: {
      title: tool.title,
      readOnlyHint: tool.effect === "read",
      destructiveHint: tool.destructive,
      idempotentHint: tool.idempotent,
      openWorldHint: false,
    },
    ...(coreTools.has(tool.name) && { _meta: { "anthropic/alwaysLoad": true } }),
  };
}

function exampleOf({ examples: [{ input, says }] }: Tool): string {
  return `${JSON.stringify(input)} answers ${says}`;
}
