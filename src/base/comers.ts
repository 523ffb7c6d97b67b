/**
 * Which requests come from a web page that has no business here, decided before anything else is looked at.
 *
 * A page can make a browser send requests to this machine: its `Origin` gives it away unless the page is our own. A
 * page whose name was made to point here (DNS rebinding) is given away by `Host`. Who binds another address than
 * loopback lets everybody in who can reach it, by whatever name.
 */

export interface Reach {
  /** The name or address that is listened at. */
  hostname: string;
  /** Pages of other servers of this machine may ask as well, since whoever asks must show a token. */
  localPages: boolean;
  /**
   * When given, pages of these origins may ask and no others; and a proxy in front may hand on what was sent to
   * their hosts.
   */
  origins?: readonly string[];
}

/** Names of this machine that it gives only to itself. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Tells in a sentence why a request is not let in, if it is not. */
export function makeJudge(
  { hostname, localPages, origins }: Reach,
): (headers: Headers) => string | undefined {
  const loopback = isLoopback(hostname);
  const local = ["localhost", "127.0.0.1", "[::1]", bracketed(hostname)];
  const proxied = (origins ?? []).map((origin) => urlOf(origin)?.host);
  const isLocal = (name: string | undefined) => name !== undefined && local.includes(name);
  let known: string | undefined; // one client says the same in each of its requests
  return (headers) => {
    const host = headers.get("host") ?? "";
    const foreign = loopback && host !== known && !isLocal(urlOf(`http://${host}`)?.hostname);
    if (foreign && !proxied.includes(host)) {
      const way = origins ? ", unless the origins in its config name that address" : "";
      return `The Host header ${JSON.stringify(host)} is not this server${way}`;
    }
    known = host;
    const origin = headers.get("origin");
    if (origin === null) return undefined;
    if (origins?.includes(origin)) return undefined;
    const page = urlOf(origin); // none for "null", as sandboxed pages have it
    const own = page !== undefined && page.host === urlOf(`http://${host}`)?.host;
    if (!origins && own || (localPages && isLocal(page?.hostname))) return undefined;
    return `The Origin ${JSON.stringify(origin)} may not use this server`;
  };
}

function bracketed(hostname: string): string {
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}

function urlOf(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
