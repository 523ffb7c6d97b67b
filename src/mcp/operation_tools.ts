/** Operations as tools: their declarations, and what they answer (SPEC 2.3). */
import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { ZpmError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { problemBodyOf, unreadableRequest } from "../base/operation_errors.ts";
import { isToolName, type Operation } from "../operations/operation.ts";
import {
  type DomainValues,
  inputSchema,
  resultSchema,
  type Schema,
} from "../operations/schemas.ts";
import type { Answer, OperationService } from "../operations/service.ts";
import { modeText } from "../operations/words.ts";
import type { Given } from "./offer.ts";

/** Which of the operations that a file offers are tools. */
export function toolOperations({ offered }: OperationService): Operation[] {
  return offered.filter(isTool);
}

/** Collections are resources. */
export function isTool({ name, collection }: Operation): boolean {
  return !collection && isToolName(name);
}

/** `more` are properties that an answer may have beside the two that it always has. */
export function listedTool(
  operation: Operation,
  values: DomainValues,
  more: Record<string, Schema> = {},
): ListedTool {
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
        ...more,
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

/** The arguments as an operation takes them: at most as long as the body of a request over HTTP. */
export function bodyOf({ text = "{}" }: Given): string {
  // A character has three bytes at most.
  const maximum = limits.text_bytes;
  if (text.length * 3 <= maximum || new TextEncoder().encode(text).length <= maximum) return text;
  throw unreadableRequest(`the arguments are longer than ${maximum} bytes`);
}

/** Structure and text say the same: each is dropped by some client. `more` is what `listedTool` calls so. */
export function answered(
  { text, result, truncated }: Pick<Answer, "text" | "result" | "truncated">,
  more: Record<string, unknown> = {},
): CallToolResult {
  const cut = "There are more solutions than one call collects: ask for less, " +
    "or let the server be started with a greater --max-solutions";
  const rest = JSON.stringify(more).slice(1, -1);
  const first = `{"result":${text},"truncated":${truncated}${rest && `,${rest}`}}`;
  const texts = truncated ? [first, cut] : [first];
  const structure = { result, truncated, ...more };
  return { content: texts.map(item), structuredContent: structure, isError: false };
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
