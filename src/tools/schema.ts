/**
 * The JSON Schemas (2020-12) of a tool, derived from its declaration (SPEC 1.4).
 *
 * Clients are picky, so the shape is narrow: `type: object` at the top, closed, no `$schema`, no `$ref`, no
 * unions of objects, a description on every property. The schema of the result has no `required`: some
 * clients hold failed results against it too, and those carry `error` instead of the tool's own keys.
 */
import type { Argument, Tool } from "./tool.ts";

/** A JSON Schema of an object. */
export type ObjectSchema = {
  type: "object";
  properties: Record<string, Record<string, unknown>>;
  required?: string[];
  additionalProperties: false;
};

export function inputSchema(tool: Tool): ObjectSchema {
  const names = Object.entries<Argument>(tool.input);
  return {
    type: "object",
    properties: Object.fromEntries(
      names.map(([name, argument]) => [name, propertySchema(argument)]),
    ),
    required: names.filter(([, argument]) => argument.required).map(([name]) => name),
    additionalProperties: false,
  };
}

/** The schema of one argument. */
export function propertySchema(
  { type, description, required, minimum, maximum, pattern, choices }: Argument,
) {
  return {
    type,
    description,
    ...(type === "array" &&
      { items: { type: "string" as const }, ...(required && { minItems: 1 }) }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(pattern !== undefined && { pattern }),
    ...(choices !== undefined && { enum: [...choices] }),
  };
}

export function outputSchema(tool: Tool): ObjectSchema {
  return {
    type: "object",
    properties: {
      ...tool.output,
      ...(hasMemory(tool) &&
        { memory: { type: "string", description: "The memory this is about" } }),
      warnings: {
        type: "array",
        items: { type: "string" },
        description: "What to know about this result",
      },
      error: errorSchema,
    },
    additionalProperties: false,
  };
}

/** Whether a tool lets its caller choose the memory, and so says in its result which one it was. */
export function hasMemory(tool: Tool): boolean {
  return "memory" in tool.input;
}

const errorSchema = {
  type: "object",
  description: "Why the call failed",
  properties: {
    code: { type: "string", description: "Kind of failure" },
    message: { type: "string", description: "What went wrong" },
    hint: { type: "string", description: "The way out" },
    at: {
      type: "object",
      description: "Where in the text, from 1",
      properties: {
        line: { type: "integer", description: "Line" },
        column: { type: "integer", description: "Column" },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};
