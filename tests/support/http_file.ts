/** The API of a file without a port: requests go straight to the router. */
import type { Hono } from "hono";
import { makeApp } from "../../src/http/app.ts";
import { makeGuard } from "../../src/http/guard.ts";
import type { OperationService, ServiceOptions } from "../../src/operations/service.ts";
import { withService } from "./operation_file.ts";

export interface Api {
  app: Hono;
  service: OperationService;
  /** What was logged, a line each. */
  logged: string[];
  /** Sends a request; the status, and the answer as it was sent. */
  ask(line: string, init?: RequestInit): Promise<Asked>;
}

export interface Asked {
  status: number;
  text: string;
  headers: Headers;
  /** The end of the type of a problem, and its argument; undefined for any other answer. */
  problem?: string;
}

/** Serves a text while `work` runs. */
export async function withApi(
  text: string,
  work: (api: Api) => Promise<void>,
  options: Partial<ServiceOptions> = {},
): Promise<void> {
  await withService(text, async (service) => {
    const logged: string[] = [];
    const log = (level: string, line: string) => void logged.push(`${level}: ${line}`);
    const guard = makeGuard("127.0.0.1");
    const app = makeApp({ file: "t.pl", service, guard, log });
    await work({ app, service, logged, ask: (line, init) => ask(app, line, init) });
  }, options);
}

/** `GET /path?query`, with a body that is JSON unless it says otherwise. */
async function ask(app: Hono, line: string, init: RequestInit = {}): Promise<Asked> {
  const [method, ...path] = line.split(" ");
  const headers = new Headers(init.headers);
  if (!headers.has("host")) headers.set("host", "127.0.0.1:3000");
  if (init.body !== undefined && !headers.has("content-type")) {
    headers.set("content-type", "application/json");
  }
  const url = `http://127.0.0.1:3000${path.join(" ")}`;
  const response = await app.fetch(new Request(url, { ...init, method, headers }));
  const text = await response.text();
  const isProblem = response.headers.get("content-type") === "application/problem+json";
  return {
    status: response.status,
    text,
    headers: response.headers,
    problem: isProblem && text !== "" ? problemName(text, response.status) : undefined,
  };
}

function problemName(text: string, status: number): string {
  const body = JSON.parse(text);
  if (body.status !== status) throw new Error(`the problem says ${body.status}, not ${status}`);
  for (const member of ["title", "detail"]) {
    if (typeof body[member] !== "string" || body[member] === "") throw new Error(`no ${member}`);
  }
  const [, name] = /^urn:charon:([a-z-]+)$/.exec(body.type) ?? [];
  return body.argument === undefined ? name : `${name} ${body.argument}`;
}
