/** What the commands that serve a documented file share: where they listen, and how they read the file again. */
import { basename, resolve } from "node:path";
import { isLoopback } from "../base/comers.ts";
import { ZpmError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { giveUpPermissions } from "../base/permissions.ts";
import type { OperationService } from "../operations/service.ts";
import { SourceReader } from "../operations/source_reader.ts";
import type { CommandCall } from "./command.ts";
import { openOperations, tellSkipped, tellWarnings } from "./operation_file.ts";
import type { Option } from "./options.ts";
import { DEFAULT_HOST, DEFAULT_PORT, portOf } from "./serve_options.ts";

export const addressOptions: Option[] = [
  {
    name: "host",
    type: "string",
    placeholder: "HOST",
    description: `The address to listen at (default ${DEFAULT_HOST})`,
  },
  {
    name: "port",
    type: "integer",
    placeholder: "N",
    description: `The port, 0 for any that is free (default ${DEFAULT_PORT})`,
  },
];

export function addressOf({ sorted }: CommandCall): { hostname: string; port: number } {
  const host = sorted.options.get("host") as string | undefined ?? DEFAULT_HOST;
  const port = portOf({ by: "--port", value: sorted.options.get("port") as string | undefined });
  return { hostname: host.replace(/^\[(.*)\]$/, "$1"), port: port ?? DEFAULT_PORT };
}

/** Opens FILE for as long as `serve` takes, and follows it. */
export async function whileOpen(
  call: CommandCall,
  path: string,
  serve: (service: OperationService) => Promise<void>,
): Promise<void> {
  const service = await openOperations(call, path, { served: true });
  const reader = followSource(call, path, service);
  try {
    await serve(service);
  } finally {
    reader.close();
    await service.close();
  }
}

/**
 * What is done once the server can be spoken to: it is said, also who can ask where that is not this machine alone, and
 * the permissions are given away.
 */
export function listening({ io, log }: CommandCall, hostname: string, how: string) {
  return (address: string): void => {
    io.err(`zpm: ${how} at ${address}`);
    if (!isLoopback(hostname)) {
      log("warn", `Everybody who reaches ${address} can ask: there is no authentication`);
    }
    giveUpPermissions();
  };
}

/** Tells what is not exposed, and reads the file again at every signal, also when all permissions are given away; to be closed at the end. */
function followSource(
  { io, log }: CommandCall,
  path: string,
  service: OperationService,
): SourceReader {
  tellSkipped(service, log);
  const reader = new SourceReader(resolve(io.cwd(), path));
  io.onReloadSignal(reloader(basename(path), { reader, service, log }));
  return reader;
}

/** One time after the other: signals that come meanwhile are one more time. */
function reloader(
  file: string,
  { reader, service, log }: { reader: SourceReader; service: OperationService; log: Log },
): () => void {
  let running = Promise.resolve();
  let waiting = false;
  const reload = async () => {
    waiting = false;
    try {
      await service.reread(() => reader.read());
      tellWarnings(service, log);
      tellSkipped(service, log);
      log("info", `${file} was read again`);
    } catch (error) {
      const why = error instanceof ZpmError ? `${error.message}\n${error.hint}` : String(error);
      log("warn", `${file} was not read again, the version before is served: ${why}`);
    }
  };
  return () => {
    if (waiting) return;
    waiting = true;
    running = running.then(reload);
  };
}
