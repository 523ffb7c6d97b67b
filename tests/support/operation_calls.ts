/** Calls of operations by name, for the tests of what they change. */
import assert from "node:assert/strict";
import { problemOf } from "../../src/base/operation_errors.ts";
import { ZpmError } from "../../src/base/errors.ts";
import type { OperationService } from "../../src/operations/service.ts";

export const context = { client: "test" };

/** A compound as JSON has it. */
export function term(name: string, ...args: unknown[]) {
  return { functor: name, args };
}

function operationOf(service: OperationService, name: string) {
  const operation = service.set.operations.find((one) => one.name === name);
  assert.ok(operation, name);
  return operation;
}

/** Calls an operation with a JSON body; what it answers. */
export async function call(
  service: OperationService,
  name: string,
  args: object = {},
): Promise<unknown> {
  const given = { query: [], body: JSON.stringify(args) };
  return (await service.call(operationOf(service, name), given, context)).result;
}

/** Puts a row of a collection, which its predicate names; whether it is new. */
export async function put(
  service: OperationService,
  name: string,
  key: string[],
  value: unknown = true,
): Promise<boolean> {
  const given = { query: [], body: JSON.stringify(value), key };
  return (await service.put(operationOf(service, name), given, context)).created;
}

/** Removes a row; whether there was one. */
export async function remove(
  service: OperationService,
  name: string,
  key: string[],
): Promise<boolean> {
  return await service.remove(operationOf(service, name), { query: [], key }, context);
}

/** All rows of a collection. */
export async function rows(service: OperationService, name: string): Promise<unknown> {
  return (await service.rows(operationOf(service, name), { query: [] }, context)).result;
}

/** The problem that a call ends with, and what it says. */
export async function refused(work: Promise<unknown>): Promise<[problem: string, said: string]> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ZpmError) return [problemOf(error), error.message];
    throw error;
  }
  throw new Error("it was not refused");
}
