/** The server of a documented file: from the address it listens at to the last answer. */
import { notListening } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { aborted, within } from "../base/waiting.ts";
import type { Log } from "../base/log.ts";
import type { OperationService } from "../operations/service.ts";
import { makeApp } from "./app.ts";
import { makeGuard } from "./guard.ts";

export interface ServeOptions {
  /** The name of the file. */
  file: string;
  service: OperationService;
  hostname: string;
  /** 0: any that is free. */
  port: number;
  log: Log;
  /** Aborted when the process is asked to end. */
  stop: AbortSignal;
  /** Called when it can be spoken to. */
  onlistening(address: string): void;
}

/** Serves until it is asked to stop; throws when the address cannot be had. */
export async function serveOperations(options: ServeOptions): Promise<void> {
  const { stop } = options;
  const server = listen(options);
  await aborted(stop);
  await within(limits.shutdown_ms, server.shutdown());
}

function listen(options: ServeOptions): Deno.HttpServer {
  const { file, service, hostname, port, log } = options;
  const app = makeApp({ file, service, guard: makeGuard(hostname), log });
  try {
    return Deno.serve({
      hostname,
      port,
      onListen: ({ hostname, port }) => {
        const name = hostname.includes(":") ? `[${hostname}]` : hostname;
        options.onlistening(`http://${name}:${port}/`);
      },
    }, (request) => app.fetch(request));
  } catch (error) {
    throw notListening(`${hostname}:${port}`, error);
  }
}
