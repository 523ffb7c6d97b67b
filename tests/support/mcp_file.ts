/** A documented file over MCP in this process: a session of lines, or a port. */
import { FileOffer } from "../../src/mcp/file/offer.ts";
import { serveOffer } from "../../src/mcp/serve_http.ts";
import type { OperationService, ServiceOptions } from "../../src/operations/service.ts";
import { handshake, type Session, startSession } from "./mcp_session.ts";
import { withService } from "./operation_file.ts";

// deno-lint-ignore no-explicit-any -- an answer of any shape; the test looks
export type Answered = any;

export interface FileSession {
  service: OperationService;
  session: Session;
  /** What was logged, a line each. */
  logged: string[];
  /** Asks with parameters as JSON text; the line of the answer. */
  raw(method: string, params: string): Promise<string>;
  /** The result, or the error. */
  ask(method: string, params?: object): Promise<Answered>;
  /** Calls a tool with arguments as JSON text. */
  call(name: string, input?: string): Promise<Answered>;
}

/** Serves a text over lines while `work` runs. */
export async function withFileSession(
  text: string,
  work: (session: FileSession) => Promise<void>,
  options: Partial<ServiceOptions> = {},
): Promise<void> {
  await withService(text, async (service) => {
    const logged: string[] = [];
    const log = (level: string, line: string) => void logged.push(`${level}: ${line}`);
    const session = startSession({ offer: new FileOffer({ version: "1.2.3", service, log }) });
    session.send(...handshake());
    let id = 1000;
    const raw = async (method: string, params: string) => {
      const mine = id++;
      session.send(`{"jsonrpc":"2.0","id":${mine},"method":"${method}","params":${params}}`);
      return await session.line((line) =>
        line.includes(`"id":${mine}`) && JSON.parse(line).id === mine
      );
    };
    const read = (line: string) => {
      const { result, error } = JSON.parse(line);
      return result ?? error;
    };
    await work({
      service,
      session,
      logged,
      raw,
      ask: async (method, params = {}) => read(await raw(method, JSON.stringify(params))),
      call: async (name, input = "{}") =>
        read(await raw("tools/call", `{"name":${JSON.stringify(name)},"arguments":${input}}`)),
    });
    await session.end();
  }, options);
}

/** Serves a text at an address while `work` runs. */
export async function withFileServer(
  text: string,
  work: (address: string, service: OperationService) => Promise<void>,
): Promise<void> {
  await withService(text, async (service) => {
    const listening = Promise.withResolvers<string>();
    const stop = new AbortController();
    const done = serveOffer({
      offer: new FileOffer({ version: "1.2.3", service, log: () => {} }),
      hostname: "127.0.0.1",
      port: 0,
      stop: stop.signal,
      onlistening: listening.resolve,
    });
    try {
      await work(await listening.promise, service);
    } finally {
      stop.abort();
      await done;
    }
  });
}
