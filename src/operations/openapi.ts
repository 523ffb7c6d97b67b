/**
 * The OpenAPI 3.1 document of a file: made from the same operations that answer, so that the two cannot drift
 * apart. What is withheld is not in it.
 */
import { ZpmError } from "../base/errors.ts";
import { type Problem, PROBLEMS } from "../base/operation_errors.ts";
import { type Argument, inputs, keyColumns, type Operation } from "./operation.ts";
import {
  argumentSchema,
  type DomainValues,
  inputSchema,
  memberColumns,
  objectSchema,
  resultSchema,
  type Schema,
  solutionSchema,
} from "./schemas.ts";
import type { OperationService } from "./service.ts";
import { summary } from "./words.ts";

/** The document of what is exposed; `file` names it where its author did not. */
export async function openApi(file: string, service: OperationService): Promise<Schema> {
  const { title, description } = service.set;
  const paths: Record<string, Schema> = {};
  const ids = new Set(service.set.operations.map(({ name }) => name));
  for (const operation of service.offered) {
    const values = await fixedValues(operation, service);
    const path = `/${encodeURIComponent(operation.path)}`;
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: described(operation, values),
    };
    if (!operation.collection) continue;
    const members: Record<string, Schema> = { GET: member(operation), ...changes(operation) };
    for (const each of Object.values(members)) each.operationId = unused(each.operationId, ids);
    paths[memberPath(path, operation)] = Object.fromEntries(
      service.memberMethods(operation).map((method) => [method.toLowerCase(), members[method]]),
    );
  }
  return {
    openapi: "3.1.0",
    info: { title: title || file, ...(description && { description }), version: "1.0.0" },
    paths,
    components: {
      schemas: { Problem: problemSchema },
      responses: Object.fromEntries(RESPONSES.map((name) => [name, response(name)])),
    },
  };
}

/** The id of an operation on members, which another predicate may have as its name. */
function unused(wanted: unknown, ids: Set<string>): string {
  let id = String(wanted);
  while (ids.has(id)) id += "_";
  ids.add(id);
  return id;
}

/** The values of the domains that cannot change while the file stays as it is. */
export async function fixedValues(
  operation: Operation,
  service: OperationService,
): Promise<DomainValues> {
  const found: DomainValues = new Map();
  for (const { name, domain } of inputs(operation)) {
    if (!domain?.fixed) continue;
    const values = await listed(operation, name, service);
    if (values) found.set(name, values);
  }
  return found;
}

/** A domain that cannot be listed, or not whole, is none: who calls the operation hears why. */
async function listed(
  operation: Operation,
  argument: string,
  service: OperationService,
): Promise<unknown[] | undefined> {
  try {
    const { values, truncated } = await service.values(operation, argument, { client: "openapi" });
    return truncated ? undefined : values;
  } catch (error) {
    if (error instanceof ZpmError) return undefined;
    throw error;
  }
}

function described(operation: Operation, values: DomainValues): Schema {
  const inBody = !["GET", "DELETE"].includes(operation.method);
  const many = operation.collection || ["nondet", "multi"].includes(operation.determinism);
  return {
    operationId: operation.name,
    ...texts(operation),
    ...(inBody ? body(operation, values) : query(operation, values)),
    responses: {
      200: {
        description: "The answer",
        ...(many && { headers: { "X-Charon-Truncated": truncatedHeader } }),
        content: { "application/json": { schema: resultSchema(operation) } },
      },
      ...problems("BadRequest", "Unprocessable", "Failed", "Stopped"),
    },
  };
}

function member(operation: Operation): Schema {
  return {
    operationId: `${operation.name}_member`,
    ...texts(operation),
    parameters: keyColumns(operation).map((key) => parameter(key, "path")),
    responses: {
      200: theMember("The member", operation),
      ...problems("BadRequest", "Absent", "Unprocessable", "Failed", "Stopped"),
    },
  };
}

/** What a member says beside its key, as it is answered and as it is put. */
function theMember(description: string, operation: Operation): Schema {
  const schema = solutionSchema(memberColumns(operation));
  return { description, content: { "application/json": { schema } } };
}

/** How a member is put and removed; a value alone, which is taken as well, is left to who knows of it. */
function changes(operation: Operation): Record<string, Schema> {
  const { name, collection } = operation;
  const parameters = keyColumns(operation).map((key) => parameter(key, "path"));
  const columns = memberColumns(operation);
  const failures = problems("BadRequest", "Absent", "Unprocessable", "Failed", "Stopped");
  return {
    PUT: {
      operationId: `${name}_member_put`,
      summary: `Puts a member of ${collection!.name} to its place, instead of one with its key`,
      parameters,
      ...(columns.length > 0 && { requestBody: bodyOf(objectSchema(columns), true) }),
      responses: {
        200: theMember("It took the place of another one", operation),
        201: theMember("It is new", operation),
        ...failures,
      },
    },
    DELETE: {
      operationId: `${name}_member_delete`,
      summary: `Removes a member of ${collection!.name}`,
      parameters,
      responses: { 204: { description: "It is gone" }, ...failures },
    },
  };
}

function memberPath(path: string, { collection }: Operation): string {
  return path + collection!.keys.map((key) => `/{${key}}`).join("");
}

function texts({ description }: Operation): Schema {
  return description ? { summary: summary(description), description } : {};
}

function query(operation: Operation, values: DomainValues): Schema {
  const parameters = inputs(operation).map((argument) =>
    parameter(argument, "query", values.get(argument.name))
  );
  return parameters.length > 0 ? { parameters } : {};
}

/** Scalars are raw text; lists and compounds are JSON text. */
function parameter(argument: Argument, place: "query" | "path", values?: unknown[]): Schema {
  const { description, ...schema } = argumentSchema(argument, values);
  const asJson = ["list", "any"].includes(argument.type.kind);
  return {
    name: argument.name,
    in: place,
    required: true,
    ...(argument.description && { description }),
    ...(asJson ? { content: { "application/json": { schema } } } : { schema }),
  };
}

function body(operation: Operation, values: DomainValues): Schema {
  const required = inputs(operation).length > 0;
  return { requestBody: bodyOf(inputSchema(operation, values), required) };
}

function bodyOf(schema: Schema, required: boolean): Schema {
  return { required, content: { "application/json": { schema } } };
}

const truncatedHeader: Schema = {
  description: "Present when there are more solutions than one call collects",
  schema: { type: "string", enum: ["true"] },
};

const problemSchema: Schema = {
  type: "object",
  description: "A problem as RFC 9457 has it",
  properties: {
    type: {
      type: "string",
      enum: Object.keys(PROBLEMS).map((name) => `urn:charon:${name}`),
    },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    hint: { type: "string" },
    argument: { type: "string" },
  },
  required: ["type", "title", "status", "detail"],
};

const RESPONSES = ["BadRequest", "Absent", "Unprocessable", "Failed", "Stopped"] as const;
type ResponseName = typeof RESPONSES[number];

const STATUSES: Record<ResponseName, number> = {
  BadRequest: 400,
  Absent: 404,
  Unprocessable: 422,
  Failed: 500,
  Stopped: 503,
};

function problems(...names: ResponseName[]): Schema {
  return Object.fromEntries(
    names.map((name) => [STATUSES[name], { $ref: `#/components/responses/${name}` }]),
  );
}

function response(name: ResponseName): Schema {
  const titles = (Object.keys(PROBLEMS) as Problem[])
    .filter((problem) => PROBLEMS[problem].status === STATUSES[name])
    .map((problem) => PROBLEMS[problem].title);
  return {
    description: titles.join(", "),
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
}
