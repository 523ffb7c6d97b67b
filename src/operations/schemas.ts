/** JSON Schemas of declared types, for OpenAPI and for tools. */
import { type Argument, inputs, type Operation, outputs, type Type } from "./operation.ts";

export type Schema = Record<string, unknown>;

/** What a value may be. */
export function schemaOf(type: Type): Schema {
  switch (type.kind) {
    case "int":
      return { type: "integer" };
    case "nonneg":
      return { type: "integer", minimum: 0 };
    case "positive_integer":
      return { type: "integer", minimum: 1 };
    case "float":
    case "number":
      return { type: "number" };
    case "atom":
    case "string":
      return { type: "string" };
    case "bool":
      return { type: "boolean" };
    case "list":
      return { type: "array", items: schemaOf(type.of) };
    case "between":
      return { type: type.whole ? "integer" : "number", minimum: type.low, maximum: type.high };
    case "oneof":
      return { enum: type.values };
    case "any":
      return {
        description:
          'A string, a number, true, false, an array, or a compound as {"functor": NAME, "args": [...]}',
      };
  }
}

/** The schema of an argument, with its description and the values of a domain that cannot change. */
export function argumentSchema({ type, description }: Argument, values?: unknown[]): Schema {
  return {
    ...schemaOf(type),
    ...(values && { enum: values }),
    ...(description && { description }),
  };
}

/** An object with the inputs of an operation. */
export function inputSchema(operation: Operation, values: DomainValues): Schema {
  const all = inputs(operation);
  return {
    type: "object",
    properties: Object.fromEntries(
      all.map((argument) => [argument.name, argumentSchema(argument, values.get(argument.name))]),
    ),
    required: all.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Values of the fixed domains of an operation, by argument. */
export type DomainValues = Map<string, unknown[]>;

/** What one solution is: true, a value, or an object. */
export function solutionSchema(columns: Argument[]): Schema {
  if (columns.length === 0) return { type: "boolean", enum: [true] };
  if (columns.length === 1) return argumentSchema(columns[0]);
  return {
    type: "object",
    properties: Object.fromEntries(columns.map((column) => [column.name, argumentSchema(column)])),
    required: columns.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** What an operation answers: the declaration decides, never how many solutions there were. */
export function resultSchema(operation: Operation): Schema {
  const columns = outputs(operation);
  const solution = solutionSchema(columns);
  if (operation.collection) return { type: "array", items: solution };
  switch (operation.determinism) {
    case "det":
      return solution;
    case "semidet":
      return columns.length === 0 ? { type: "boolean" } : orNull(solution);
    default:
      return { type: "array", items: solution };
  }
}

function orNull(schema: Schema): Schema {
  const { type, enum: values } = schema;
  return {
    ...schema,
    ...(typeof type === "string" && { type: [type, "null"] }),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

/** The columns of a member of a collection: those that are not its key. */
export function memberColumns({ arguments: all, collection }: Operation): Argument[] {
  return all.filter(({ name }) => !collection?.keys.includes(name));
}
