/**
 * Pages of the config's origins: a browser asks whether a page may send its token along before it does, and shows the
 * page an answer only when that says so (Fetch standard, CORS). The origin has been looked at before.
 */

/** The answer to a browser that asks before it sends a page's request; undefined for every other request. */
export function preflight({ method, headers }: Request): Response | undefined {
  if (method !== "OPTIONS" || !headers.has("origin")) return undefined;
  if (!headers.has("access-control-request-method")) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": "GET, POST, DELETE",
      // Whatever is sent, it is nothing without a token, which no browser adds by itself.
      "Access-Control-Allow-Headers": headers.get("access-control-request-headers") ?? "",
      "Access-Control-Max-Age": "600",
    },
  });
}

/** The answer, such that the page that asked may see it; programs, which send no origin, get it as it is. */
export function shownToPage(response: Response, request: Request): Response {
  const origin = request.headers.get("origin");
  if (origin === null) return response;
  response.headers.set("Access-Control-Allow-Origin", origin);
  response.headers.set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate");
  response.headers.append("Vary", "Origin");
  return response;
}
