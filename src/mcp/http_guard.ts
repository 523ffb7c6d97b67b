/**
 * Who may speak to the HTTP server, decided before anything else is looked at.
 *
 * A web page can make a browser send requests to this machine: its `Origin` gives it away, and a page that has
 * its own name point here (DNS rebinding) is given away by `Host`. Every other program of this machine can send
 * what it likes, so there is a token too.
 */
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

export function makeToken(): string {
  return randomBytes(32).toString("base64url");
}

export type Guard = (request: Request) => Response | undefined;

/** Tells why a request is refused, if it is. Without a token nobody is asked for one: for tests. */
export function makeGuard(hostname: string, token: string | undefined): Guard {
  const hosts = [...localhostAllowedHostnames(), hostname];
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  return ({ headers }) => {
    const host = validateHostHeader(headers.get("host"), hosts);
    if (!host.ok) return refusal(403, host.message);
    const origin = validateOriginHeader(headers.get("origin"), [
      ...localhostAllowedOrigins(),
      hostname,
    ]);
    if (!origin.ok) return refusal(403, origin.message);
    const given = headers.get("authorization")?.replace(/^bearer +/i, "Bearer ") ?? "";
    if (!expected || timingSafeEqual(digest(given), expected)) return undefined;
    // The same for a token that is missing, malformed or wrong: it tells nothing to somebody who guesses.
    return refusal(401, "A bearer token is needed", { "WWW-Authenticate": "Bearer" });
  };
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
