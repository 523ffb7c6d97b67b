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

/** With its length, which the answer to HEAD has as well. */
export function written(text: string, { status = 200, headers }: WrittenInit): Response {
  const bytes = new TextEncoder().encode(text);
  return new Response(bytes, {
    status,
    headers: { ...headers, "Content-Length": String(bytes.length) },
  });
}

interface WrittenInit {
  status?: number;
  headers: Record<string, string>;
}
