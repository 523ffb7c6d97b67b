/** How a tool that takes many texts tells which of them were refused: the schema of `errors`. */
import type { OutputSchema } from "./tool.ts";

/** `place` is what says where one stands. */
export function refusedOutput(place: OutputSchema) {
  return {
    type: "array",
    description: "What was refused",
    items: {
      type: "object",
      additionalProperties: false,
      properties: {
        ...place,
        message: { type: "string", description: "What is wrong" },
        hint: { type: "string", description: "The way out" },
      },
    },
  };
}

/** Where a text stands in a list of them. */
export const indexOutput = { type: "integer", description: "Place in the list, from 0" };
