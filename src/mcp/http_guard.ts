/**
 * Who may speak to the HTTP server, decided before anything else is looked at: no foreign page, and where a token is
 * asked for nobody without it, since every program of this machine can send what it likes.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { makeJudge } from "../base/comers.ts";

export function makeToken(): string {
  return randomBytes(32).toString("base64url");
}

export type Guard = (request: Request) => Response | undefined;

/** Tells why a request is refused, if it is. Without a token nobody is asked for one. */
export function makeGuard(hostname: string, token: string | undefined): Guard {
  const judge = makeJudge({ hostname, localPages: token !== undefined });
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  return ({ headers }) => {
    const why = judge(headers);
    if (why !== undefined) return refusal(403, why);
    const given = headers.get("authorization")?.replace(/^bearer +/i, "Bearer ") ?? "";
    if (!expected || timingSafeEqual(digest(given), expected)) return undefined;
    // The same for a token that is missing, malformed or wrong: it tells nothing to somebody who guesses.
    return refusal(401, "A bearer token is needed", { "WWW-Authenticate": "Bearer" });
  };
}

/** The bearer token of a request; undefined when there is none that could be one. */
export function tokenOf({ headers }: Request): string | undefined {
  const [, token] = /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  return token;
}

/** An answer to a request that never became a message. */
export function refusal(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code = -32000,
): Response {
  const body = { jsonrpc: "2.0", id: null, error: { code, message } };
  return Response.json(body, { status, headers });
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
