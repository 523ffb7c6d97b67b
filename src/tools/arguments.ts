/**
 * The arguments of a call: checked against the tool's schema, refused in words (SPEC 1.1).
 *
 * `@cfworker/json-schema` decides; the words come from the declaration, because a person should read
 * `"limit" must be an integer from 1 to 10000` and not a path into a schema.
 */
import { Validator } from "@cfworker/json-schema";
import { invalidArguments, tooLong, unreadable, type ZpmError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { closest, listed, positionAt } from "../base/text.ts";
import { inputSchema, propertySchema } from "./schema.ts";
import type { Argument, Tool } from "./tool.ts";

export type ArgumentValues = Record<string, string | number | boolean | string[]>;

/** What the caller sent, as the tool's `run` takes it; throws a `ZpmError` that says what to change. */
export function readArguments(tool: Tool, raw: unknown): ArgumentValues {
  const given = asObject(raw);
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const declared = Object.entries<Argument>(tool.input);
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(tool.input, name));
  if (unknown.length > 0) throw unknownArguments(unknown, declared.map(([name]) => name));
  for (const [name, argument] of declared) {
    if (argument.required && isMissing(values[name], argument)) throw missing(name, argument);
    if (typeof values[name] === "string" && isMissing(values[name], argument)) throw blank(name);
  }
  if (!validatorOf(tool).validate(values).valid) throw wrongValue(declared, values);
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "string") checkText(name, value);
    if (Array.isArray(value)) checkTexts(name, value);
  }
  return values as ArgumentValues;
}

function asObject(raw: unknown): Record<string, unknown> {
  if (raw === undefined || raw === null) return {};
  if (typeof raw === "object" && !Array.isArray(raw)) return raw as Record<string, unknown>;
  throw invalidArguments(`The arguments must be one object, not ${shown(raw)}`);
}

function isMissing(value: unknown, argument: Argument): boolean {
  if (value === undefined || Array.isArray(value) && value.length === 0) return true;
  return typeof value === "string" && !argument.blank && value.trim() === "";
}

function missing(name: string, { type, description, blank }: Argument): ZpmError {
  const empty = type === "array" ? "empty" : "blank";
  const rule = blank ? "is required" : `is required and must not be ${empty}`;
  return invalidArguments(`"${name}" ${rule}: ${description}`);
}

function blank(name: string): ZpmError {
  return invalidArguments(`"${name}" must not be blank: leave it out if it is not needed`);
}

function unknownArguments(unknown: string[], accepted: string[]): ZpmError {
  const quoted = unknown.map((name) => JSON.stringify(name));
  const nearest = unknown.length === 1 ? closest(unknown[0], accepted) : undefined;
  return invalidArguments(
    `Unknown argument ${listed(quoted)}${nearest ? `, perhaps "${nearest}" is meant` : ""}; ` +
      (accepted.length > 0 ? `accepted: ${accepted.join(", ")}` : "this tool takes no arguments"),
  );
}

/** The first value that breaks its own property's schema; each is tried alone, which also finds the name. */
function wrongValue(declared: [string, Argument][], values: Record<string, unknown>): ZpmError {
  const wrong = declared.find(([name, argument]) =>
    name in values && !fits(values[name], argument)
  );
  if (!wrong) return invalidArguments("The arguments do not match the tool's schema");
  const [name, argument] = wrong;
  return invalidArguments(`"${name}" must be ${wanted(argument)}, not ${shown(values[name])}`);
}

function fits(value: unknown, argument: Argument): boolean {
  return new Validator(propertySchema(argument), dialect).validate(value).valid;
}

function wanted({ type, minimum, maximum, pattern, rule, choices }: Argument): string {
  if (choices) return `one of ${choices.map((choice) => `"${choice}"`).join(", ")}`;
  if (pattern !== undefined) return rule ?? `a text that matches ${pattern}`;
  if (type === "string") return "a string";
  if (type === "boolean") return "true or false";
  if (type === "array") return "a list of strings";
  if (minimum !== undefined && maximum !== undefined) {
    return `an integer from ${minimum} to ${maximum}`;
  }
  return minimum !== undefined ? `an integer of at least ${minimum}` : "an integer";
}

/** Text that no reader should see: too long, or not Unicode (SPEC 1.3). */
function checkText(name: string, value: string): void {
  if (
    value.length > limits.text_bytes / 4 &&
    new TextEncoder().encode(value).length > limits.text_bytes
  ) {
    throw tooLong(name);
  }
  if (!value.isWellFormed()) {
    throw unreadable(
      name,
      "an unpaired surrogate, which is not a character",
      positionAt(value, brokenAt(value)),
    );
  }
}

/** All of a list counts as one text. */
function checkTexts(name: string, values: string[]): void {
  const length = values.reduce((sum, value) => sum + value.length, 0);
  if (length > limits.text_bytes) throw tooLong(name);
  values.forEach((value, index) => checkText(`${name}[${index}]`, value));
}

/** Offset of the first unpaired surrogate. */
function brokenAt(value: string): number {
  const repaired = value.toWellFormed();
  let offset = 0;
  while (value.charCodeAt(offset) === repaired.charCodeAt(offset)) offset++;
  return offset;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

const dialect = "2020-12";
const validators = new WeakMap<Tool, Validator>();

function validatorOf(tool: Tool): Validator {
  let validator = validators.get(tool);
  if (!validator) validators.set(tool, validator = new Validator(inputSchema(tool), dialect));
  return validator;
}
