/** Hands requests on with the token that a client cannot send; for programs whose command line has no place for it. */

/** Stands before `target`, the origin of a server, while `work` runs. */
export async function withProxy(
  target: string,
  token: string,
  work: (origin: string) => Promise<void>,
): Promise<void> {
  const listening = Promise.withResolvers<string>();
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ hostname, port }) => listening.resolve(`http://${hostname}:${port}`),
  }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("Authorization", `Bearer ${token}`);
    const { method, body, signal } = request;
    const response = await fetch(`${target}${pathname}${search}`, {
      method,
      headers,
      body,
      signal,
    });
    return new Response(response.body, response);
  });
  try {
    await work(await listening.promise);
  } finally {
    await server.shutdown();
  }
}
