/** Answers of the typed API: JSON, and problems as RFC 9457 has them (SPEC 2.2). */
import type { ZpmError } from "../base/errors.ts";
import {
  type Problem,
  type ProblemBody,
  problemBody,
  problemBodyOf,
} from "../base/operation_errors.ts";

export interface ProblemMore {
  argument?: string;
  hint?: string;
  headers?: Record<string, string>;
}

/** A problem with its stable type and its status. */
export function problem(name: Problem, detail: string, more: ProblemMore = {}): Response {
  return problemWritten(problemBody(name, detail, more), more.headers);
}

/** The problem that an error is. */
export function problemResponse(error: ZpmError): Response {
  return problemWritten(problemBodyOf(error));
}

function problemWritten(body: ProblemBody, headers: Record<string, string> = {}): Response {
  return written(JSON.stringify(body), {
    status: body.status,
    headers: { ...headers, "Content-Type": "application/problem+json" },
  });
}

export function json(value: unknown): Response {
  return jsonText(JSON.stringify(value));
}

/** A text that is JSON already; a cut answer says so in a header. */
export function jsonText(text: string, { truncated = false, status = 200 } = {}): Response {
  return written(text, {
    status,
    headers: {
      "Content-Type": "application/json",
      ...(truncated && { "X-Charon-Truncated": "true" }),
    },
  });
}

export function written(text: string, { status = 200, headers }: WrittenInit): Response {
  return new Response(text, { status, headers });
}

/** The answer to HEAD has the length that the body would have, which the server writes itself when there is one. */
export async function headOf({ status, headers, body }: Response): Promise<Response> {
  const { byteLength } = await new Response(body).arrayBuffer();
  const response = new Response(null, { status, headers });
  response.headers.set("Content-Length", String(byteLength));
  return response;
}

interface WrittenInit {
  status?: number;
  headers: Record<string, string>;
}
