/** A server with many principals, over HTTP and over standard input and output. */
import type { ServerConfig } from "../../authority/config.ts";
import { type Listening, serveFace } from "../http.ts";
import type { Asking } from "../offer.ts";
import { serve, type ServeOptions } from "../serve.ts";
import { PrincipalsFace } from "./face.ts";
import { PrincipalOffer } from "./offer.ts";
import type { OpenedServer } from "./open.ts";

/** Serves until it is asked to stop, and all that was asked before is answered. */
export async function serveOverHttp(
  { server, metrics, problem, countSessions }: OpenedServer,
  { origins, body_limit_bytes }: Pick<ServerConfig, "origins" | "body_limit_bytes">,
  listening: Listening,
): Promise<void> {
  const { hostname, log } = listening;
  const face = new PrincipalsFace({
    server,
    metrics,
    hostname,
    origins,
    body_limit_bytes,
    problem,
    log,
  });
  countSessions(() => face.sessions);
  await serveFace(listening, face);
}

export interface StdioOptions extends Omit<ServeOptions, "offer" | "oninitialize"> {
  /** Who calls that shows no token with the call. */
  token?: string;
}

/** A connection has one caller, unless its messages say otherwise: in `_meta.token`. */
export async function serveOverStdio(
  { server, countSessions }: OpenedServer,
  { token: first, ...options }: StdioOptions,
): Promise<void> {
  let token = first;
  countSessions(() => 1);
  const who = ({ token: shown }: Pick<Asking, "token">) =>
    server.authority.authenticate(shown ?? token);
  await serve({
    ...options,
    offer: new PrincipalOffer(server, who),
    oninitialize: (shown) => token = shown ?? token,
  });
}
