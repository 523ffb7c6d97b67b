/** The tools as MCP lists them and answers their calls, derived from the declarations (SPEC 1.4). */
import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { ToolResult } from "../tools/invoke.ts";
import { coreTools, tools } from "../tools/registry.ts";
import { inputSchema, outputSchema } from "../tools/schema.ts";
import type { Tool } from "../tools/tool.ts";

let listed: ListedTool[] | undefined;

export function listedTools(): ListedTool[] {
  return listed ??= tools.map(listedTool);
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
