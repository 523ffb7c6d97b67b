/**
 * JSON Schemas of declared types, for OpenAPI and for tools: what is taken, and what is answered.
 *
 * The two differ. An answer may be null, for an output that was left unbound, and says in digits, as a string, an
 * integer that a JSON number would round (SPEC 2.1). No schema is a choice between others: clients take none.
 */
import { type Argument, inputs, type Operation, outputs, type Type } from "./operation.ts";

export type Schema = Record<string, unknown>;

/** Integers beyond those that every reader of JSON keeps. */
const DIGITS = "^-?[0-9]+$";
/** Integers and fractions, and what is no finite number. */
const NUMBER_TEXT = "^-?([0-9]+(r[0-9]+)?|[0-9.]+(Inf|NaN))$";

const ANY = {
  description:
    'A string, a number, true, false, an array, or a compound as {"functor": NAME, "args": [...]}',
};

/** What a value may be that is sent. */
function takenSchema(type: Type): Schema {
  switch (type.kind) {
    case "list":
      return { type: "array", items: takenSchema(type.of) };
    case "oneof":
      return oneOf(type.values);
    case "any":
      return ANY;
    default:
      return { type: jsonType(type), ...bounds(type) };
  }
}

/** What a value may be that is answered. */
function answeredSchema(type: Type): Schema {
  switch (type.kind) {
    case "list":
      return { type: ["array", "null"], items: answeredSchema(type.of) };
    case "oneof":
      return oneOf([...type.values, null]);
    case "any":
      return { description: `${ANY.description}; null for what is unbound` };
  }
  const name = jsonType(type);
  if (name === "integer" && mayBeLong(type)) {
    return { type: [name, "string", "null"], ...bounds(type), pattern: DIGITS };
  }
  if (name === "number" && type.kind !== "between") {
    return { type: [name, "string", "null"], pattern: NUMBER_TEXT };
  }
  return { type: [name, "null"], ...bounds(type) };
}

function jsonType(type: Exclude<Type, { kind: "list" | "oneof" | "any" }>): string {
  switch (type.kind) {
    case "int":
    case "nonneg":
    case "positive_integer":
      return "integer";
    case "float":
    case "number":
      return "number";
    case "atom":
    case "string":
      return "string";
    case "bool":
      return "boolean";
    case "between":
      return type.whole ? "integer" : "number";
  }
}

function bounds(type: Type): Schema {
  switch (type.kind) {
    case "nonneg":
      return { minimum: 0 };
    case "positive_integer":
      return { minimum: 1 };
    case "between":
      return { minimum: type.low, maximum: type.high };
    default:
      return {};
  }
}

function mayBeLong(type: Type): boolean {
  if (type.kind !== "between") return true;
  return !Number.isSafeInteger(type.low) || !Number.isSafeInteger(type.high);
}

/** With the types of its values, since some clients want one on every property. */
function oneOf(values: unknown[]): Schema {
  const types = [...new Set(values.map(typeOf))];
  return { type: types.length === 1 ? types[0] : types, enum: values };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** The schema of an input, with its description and the values of a domain that cannot change. */
export function argumentSchema({ type, description }: Argument, values?: unknown[]): Schema {
  return {
    ...takenSchema(type),
    ...(values && { enum: values }),
    ...(description && { description }),
  };
}

/** An object with the inputs of an operation. */
export function inputSchema(operation: Operation, values: DomainValues): Schema {
  return objectSchema(inputs(operation), values);
}

/** An object with a value for each of these. */
export function objectSchema(all: Argument[], values: DomainValues = new Map()): Schema {
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
  if (columns.length === 1) return columnSchema(columns[0]);
  return {
    type: "object",
    properties: Object.fromEntries(columns.map((column) => [column.name, columnSchema(column)])),
    required: columns.map(({ name }) => name),
    additionalProperties: false,
  };
}

function columnSchema({ type, description }: Argument): Schema {
  return { ...answeredSchema(type), ...(description && { description }) };
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

/** One column may be null anyway. */
function orNull(schema: Schema): Schema {
  return schema.type === "object" ? { ...schema, type: ["object", "null"] } : schema;
}

/** The columns of a member of a collection: those that are not its key. */
export function memberColumns({ arguments: all, collection }: Operation): Argument[] {
  return all.filter(({ name }) => !collection?.keys.includes(name));
}
