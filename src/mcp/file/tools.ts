/** The operations of a file as tools: their declarations, and what they answer (SPEC 2.3). */
import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { ZpmError } from "../../base/errors.ts";
import { problemBodyOf } from "../../base/operation_errors.ts";
import { isToolName, type Operation } from "../../operations/operation.ts";
import { type DomainValues, inputSchema, resultSchema } from "../../operations/schemas.ts";
import type { Answer, OperationService } from "../../operations/service.ts";
import { modeText } from "../../operations/words.ts";

/** Which of the operations that are offered are tools: collections are resources. */
export function toolOperations({ offered }: OperationService): Operation[] {
  return offered.filter(({ name, collection }) => !collection && isToolName(name));
}

export function listedTool(operation: Operation, values: DomainValues): ListedTool {
  const { name } = operation;
  const title = name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");
  return {
    name,
    title,
    description: describe(operation),
    inputSchema: inputSchema(operation, values) as ListedTool["inputSchema"],
    outputSchema: {
      type: "object",
      properties: {
        result: resultSchema(operation),
        truncated: {
          type: "boolean",
          description: "There are more solutions than one call collects",
        },
      },
      required: ["result", "truncated"],
      additionalProperties: false,
    } as ListedTool["outputSchema"],
    annotations: { title, ...hints(operation), openWorldHint: false },
  };
}

/** The text of its author; some clients show a model nothing else, so arguments and mode are in it. */
function describe(operation: Operation): string {
  const { description, arguments: all } = operation;
  const said = all.filter(({ description }) => description !== "")
    .map(({ name, description }) => `${name}: ${description}`);
  return [description, said.join("\n"), `Mode: ${modeText(operation)}.`]
    .filter((part) => part !== "").join("\n\n");
}

/** The method that a prefix stands for says what may become of what is there. */
function hints({ method, changing }: Operation) {
  if (!changing) return { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
  return {
    readOnlyHint: false,
    destructiveHint: method !== "POST",
    idempotentHint: method === "PUT" || method === "DELETE",
  };
}

/** Structure and text say the same: each is dropped by some client. */
export function answered({ text, result, truncated }: Answer): CallToolResult {
  const cut = "There are more solutions than one call collects: ask for less, " +
    "or let the server be started with a greater --max-solutions";
  const texts = [`{"result":${text},"truncated":${truncated}}`, ...(truncated ? [cut] : [])];
  return { content: texts.map(item), structuredContent: { result, truncated }, isError: false };
}

/**
 * A failure is told in texts alone, for a person and for a program: a structure would have to be what the schema of
 * the result says.
 */
export function failed(error: ZpmError): CallToolResult {
  const problem = problemBodyOf(error);
  const words = [problem.detail, problem.hint].filter(Boolean).join("\n");
  return { content: [item(words), item(JSON.stringify(problem))], isError: true };
}

function item(text: string) {
  return { type: "text" as const, text };
}
