/**
 * Which requests are not let in, decided before anything else is looked at.
 *
 * Nobody is asked who he is, so a web page must not be able to speak here: its `Origin` gives it away unless the
 * page is our own, and a page whose name was made to point at this machine (DNS rebinding) is given away by
 * `Host`. Who binds another address than loopback lets everybody in who can reach it, by whatever name.
 */
import { problem } from "./problems.ts";

export type Guard = (request: Request) => Response | undefined;

export function makeGuard(hostname: string, loopback: boolean): Guard {
  return ({ headers }) => {
    const host = headers.get("host") ?? "";
    if (loopback && !ours(host, hostname)) {
      return problem("cross-origin", `The Host header ${JSON.stringify(host)} is not this server`);
    }
    const origin = headers.get("origin");
    if (origin === null || sameOrigin(origin, host)) return undefined;
    return problem(
      "cross-origin",
      `The Origin ${JSON.stringify(origin)} may not use this server`,
      { hint: "Ask from a program, or from the page that this server has at /" },
    );
  };
}

function ours(host: string, hostname: string): boolean {
  const name = nameOf(`http://${host}`);
  return name !== undefined &&
    ["localhost", "127.0.0.1", "[::1]", bracketed(hostname)].includes(name);
}

function bracketed(hostname: string): string {
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}

function sameOrigin(origin: string, host: string): boolean {
  try {
    return new URL(origin).host === new URL(`http://${host}`).host;
  } catch {
    return false; // "null", as sandboxed pages have it
  }
}

function nameOf(address: string): string | undefined {
  try {
    return new URL(address).hostname;
  } catch {
    return undefined;
  }
}
