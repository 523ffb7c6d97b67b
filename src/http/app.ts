/**
 * A documented file over HTTP (SPEC 2.2, 2.3): one handler for all operations, since which there are may change
 * while the server runs.
 *
 * What a request says is read first. Then the operation is looked up and asked in one step, so that a file that is
 * read again meanwhile is seen whole or not at all.
 */
import { type Context, Hono } from "hono";
import { bug, ZpmError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import { openApi } from "../operations/openapi.ts";
import type { Operation } from "../operations/operation.ts";
import type { Answer, Given, OperationService } from "../operations/service.ts";
import type { Guard } from "./guard.ts";
import { page, PAGE_HEADERS } from "./page.ts";
import { headOf, json, jsonText, problem, problemResponse, written } from "./problems.ts";
import { readRequest } from "./reading.ts";
import { allowed, routesOf } from "./routes.ts";

export interface AppOptions {
  /** The name of the file. */
  file: string;
  service: OperationService;
  guard: Guard;
  log: Log;
}

export function makeApp(options: AppOptions): Hono {
  const { file, service, guard } = options;
  const app = new Hono();
  app.use(async (context, next) => {
    const refused = guard(context.req.raw);
    if (refused) return refused;
    await next();
    if (context.req.method === "HEAD") context.res = await headOf(context.res);
  });
  const fixed: Record<string, () => Promise<Response> | Response> = {
    "/": async () => written(await page(file, service), { headers: PAGE_HEADERS }),
    "/openapi.json": async () => json(await openApi(file, service)),
  };
  for (const [path, answer] of Object.entries(fixed)) {
    app.get(path, answer);
    app.all(path, ({ req }) => withoutOperation(req.method, ["GET"]));
  }
  app.all("*", (context) => operate(context, options));
  app.onError((error) => {
    if (!(error instanceof ZpmError)) options.log("error", `HTTP: ${error}`);
    return problemResponse(error instanceof ZpmError ? error : bug(String(error), error));
  });
  return app;
}

async function operate({ req }: Context, options: AppOptions): Promise<Response> {
  const { segments: [name, ...key], given } = await readRequest(req.raw);
  const method = req.method === "HEAD" ? "GET" : req.method;
  const place = routesOf(options.service.set).get(name);
  const call = { given, signal: () => req.raw.signal, options };
  if (place?.collection) return await inCollection(place.collection, method, key, call);
  if (!place || key.length > 0) return absent(req.path);
  const operation = place.methods.get(method);
  if (!operation) return withoutOperation(method, place.methods.keys());
  const answer = await options.service.call(operation, given, contextOf(call));
  if (answer.empty) {
    options.log("warn", `${operation.name} is declared multi and had no solution`);
  }
  return answered(answer);
}

interface Call {
  given: Given;
  signal: () => AbortSignal;
  options: AppOptions;
}

/** Requests take turns as clients do; their names come round again, since the pool keeps those it has heard. */
let requests = 0;

function contextOf({ signal }: Call) {
  return { client: `request ${requests++ % limits.http_turns}`, signal };
}

async function inCollection(
  operation: Operation,
  method: string,
  key: string[],
  call: Call,
): Promise<Response> {
  const { service } = call.options;
  const { keys, dynamic, name } = operation.collection!;
  if (key.length === 0) {
    if (method !== "GET") return withoutOperation(method, ["GET"]);
    return answered(await service.rows(operation, call.given, contextOf(call)));
  }
  if (key.length !== keys.length) return absent(`/${[name, ...key].join("/")}`);
  const methods = ["GET", ...(dynamic ? ["PUT", "DELETE"] : [])];
  if (!methods.includes(method)) return withoutOperation(method, methods);
  const given = { ...call.given, key };
  if (method === "PUT") {
    const { answer, created } = await service.put(operation, given, contextOf(call));
    return answered(answer, created ? 201 : 200);
  }
  const missing = () => absent(`/${name}/${key.join("/")}`);
  if (method === "DELETE") {
    const found = await service.remove(operation, given, contextOf(call));
    return found ? new Response(null, { status: 204 }) : missing();
  }
  const member = await service.member(operation, given, contextOf(call));
  return member ? answered(member) : missing();
}

function answered({ text, truncated }: Answer, status = 200): Response {
  return jsonText(text, { truncated, status });
}

/** OPTIONS tells what there is; any other method is one that the place does not take. */
function withoutOperation(method: string, methods: Iterable<string>): Response {
  const headers = { Allow: allowed(methods) };
  if (method === "OPTIONS") return new Response(null, { status: 204, headers });
  return problem("method-not-allowed", `${method} is not offered here, but ${headers.Allow}`, {
    headers,
  });
}

function absent(what: string): Response {
  return problem("not-found", `There is nothing at ${JSON.stringify(what)}`, {
    hint: "/openapi.json lists what there is",
  });
}
