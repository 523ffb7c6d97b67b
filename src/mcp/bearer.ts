/** What a command line may say of an HTTP server; apart from the server, which takes long to load. */

/** The characters of a bearer token (RFC 6750), and enough of them. */
export const tokenPattern = /^[A-Za-z0-9._~+/-]{16,512}=*$/;

/** Names of this machine that it gives only to itself. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
