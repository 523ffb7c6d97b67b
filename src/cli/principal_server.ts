/** `zpm serve --config FILE`: many principals, each told apart by a token (SPEC 3.3). */
import { resolve } from "node:path";
import { prepareFolders } from "../authority/folders.ts";
import { readConfig, type ServerConfig } from "../authority/config.ts";
import { configRefused } from "../base/authority_errors.ts";
import { limits } from "../base/limits.ts";
import { counted } from "../base/journal_errors.ts";
import { isLoopback } from "../base/comers.ts";
import { giveUpPermissions } from "../base/permissions.ts";
import type { CommandCall } from "./command.ts";
import { addressOf } from "./operation_server.ts";
import { usage } from "./options.ts";
import { findLocated } from "./session.ts";
import { truth } from "./settings.ts";
import { version } from "./version.ts";

/** What says nothing where the config decides. */
const OTHERS = ["read-only", "tools", "exclude-tools", "token"];

export async function servePrincipals(call: CommandCall, file: string): Promise<number> {
  const { sorted: { options }, io } = call;
  for (const name of OTHERS.filter((name) => options.has(name))) {
    throw usage(`--${name} and --config exclude each other`, "The config says who may call what");
  }
  const stdio = isStdio(call);
  const config = configIn(call, file);
  const { hostname } = addressOf(call);
  if (!stdio && !isLoopback(hostname) && config.principals.size === 0) {
    const why = `it has no principals, and ${hostname} is not this machine's own`;
    throw configRefused(config.path, why);
  }
  const stop = io.stopSignal();
  const [{ openServer }, { serveOverHttp, serveOverStdio }] = await Promise.all([
    import("../mcp/principals/open.ts"),
    import("../mcp/principals/serve.ts"),
  ]);
  const opened = await openServer({
    version,
    config,
    folders: prepareFolders(config),
    env: io.env,
    project: findLocated(call.settings, io)?.folder,
    engines: enginesOf(call),
    deadline_ms: call.settings.deadline_ms,
    warn: (text) => call.log("warn", text),
  });
  io.onReloadSignal(() => void opened.reload());
  const log = (text: string) => call.log("debug", text);
  try {
    if (stdio) {
      const token = io.env("ZPM_TOKEN");
      giveUpPermissions();
      await serveOverStdio(opened, { input: io.input(), output: io.output, stop, token, log });
    } else {
      await serveOverHttp(opened, config, {
        ...addressOf(call),
        stop,
        log,
        onlistening(address) {
          const { size } = config.principals;
          io.err(
            `zpm: ${counted(size, "principal")} ${size === 1 ? "is" : "are"} served at ${address}`,
          );
          giveUpPermissions();
        },
      });
    }
  } finally {
    await opened.close();
  }
  return 0;
}

/** Two, as for one project, are too few for many forks: as many as somebody says, or as the machine has room for. */
function enginesOf({ sorted: { options }, settings, io }: CommandCall): number {
  if (options.has("engines") || io.env("ZPM_ENGINES")) return settings.engines;
  const { total } = Deno.systemMemoryInfo();
  const room = Math.floor(total / limits.forks_memory_part / limits.fork_engine_bytes);
  return Math.min(Math.max(room, limits.forks_engines_min), limits.engines_max);
}

function configIn({ io }: CommandCall, file: string): ServerConfig {
  const path = resolve(io.cwd(), file);
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    throw configRefused(path, `it cannot be read: ${(error as Error).message}`);
  }
  return readConfig(text, path, io.env);
}

function isStdio({ sorted: { options } }: CommandCall): boolean {
  const said = options.get("stdio");
  const stdio = truth({ by: "--stdio", value: said === undefined ? undefined : String(said) });
  const address = ["http", "host", "port"].find((name) => options.has(name));
  if (!stdio || !address) return stdio;
  throw usage(
    `--stdio and --${address} exclude each other`,
    "Leave one out: over standard input and output there is no address",
  );
}
