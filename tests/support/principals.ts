/** A server with many principals in this process: real authority, audit, forks and engines, at a port or on lines. */
import { join } from "node:path";
import { readConfig, type ServerConfig } from "../../src/authority/config.ts";
import { type OpenedServer, openServer } from "../../src/mcp/principals/open.ts";
import { serveOverHttp } from "../../src/mcp/principals/serve.ts";
import { initProject } from "../../src/store/project.ts";
import { sumOf } from "./authority_rig.ts";
import { answer, postModern, type Sent } from "./http_server.ts";

export const tokenOf = (name: string) => `token-of-${name}-in-the-tests`;

export interface PrincipalsRig {
  /** `http://127.0.0.1:PORT` */
  base: string;
  opened: OpenedServer;
  folder: string;
  /** A call of a verb or tool by the principal of that name, in the newer era. */
  // deno-lint-ignore no-explicit-any -- a result of any shape; the test looks
  call(who: string, name: string, args: Record<string, unknown>): Promise<any>;
  /** Any request, with the principal's token unless the headers say otherwise. */
  request(who: string | undefined, path: string, init?: RequestInit): Promise<Response>;
  /** The records of the audit, in order. */
  // deno-lint-ignore no-explicit-any -- records of several shapes
  audit(): Promise<any[]>;
  restart(): Promise<void>;
}

export interface PrincipalsOptions {
  /** Names; each has a durable fork of its own unless it is said otherwise. */
  names?: string[];
  principals?: Record<string, Record<string, unknown>>;
  /** More of the config. */
  config?: Record<string, unknown>;
  /** The project's file. */
  base?: string;
  /** The files of an overlay, by name. */
  overlay?: Record<string, string>;
}

/** Serves at a port while `test` runs. */
export async function withPrincipals(
  options: PrincipalsOptions,
  test: (rig: PrincipalsRig) => Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "zpm-principals-" }));
  let running = await started(folder, options);
  const rig: PrincipalsRig = {
    get base() {
      return running.base;
    },
    get opened() {
      return running.opened;
    },
    folder,
    async call(who, name, args) {
      const params = { name, arguments: args };
      const response = await postModern(`${rig.base}/mcp`, "tools/call", params, sentBy(who));
      const { result, error } = await answer(response);
      return result ?? error;
    },
    request(who, path, init = {}) {
      const headers = { ...(who && sentBy(who).headers), ...init.headers };
      return fetch(`${rig.base}${path}`, { ...init, headers });
    },
    async audit() {
      const text = await Deno.readTextFile(join(folder, "audit", "audit.jsonl"));
      return text.trim().split("\n").map((line) => JSON.parse(line));
    },
    async restart() {
      await running.stop();
      running = await started(folder, options);
    },
  };
  try {
    await test(rig);
  } finally {
    await running.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

export function sentBy(who: string): Sent {
  return { headers: { Authorization: `Bearer ${tokenOf(who)}` } };
}

/** Opens it as `zpm serve --config` does, but for the place of the audit. */
export async function openedIn(
  folder: string,
  options: PrincipalsOptions,
): Promise<{ opened: OpenedServer; config: ServerConfig }> {
  const config = await configIn(folder, options);
  const project = join(folder, "project");
  initProject(project);
  const base = options.base ?? "human(socrates).\nhuman(plato).\nmortal(X) :- human(X).\n";
  await Deno.writeTextFile(join(project, ".zpm", "kb", "base.pl"), base);
  const { state_dir, forks_dir, audit_dir, overlay_dir } = config;
  for (const [name, text] of Object.entries(options.overlay ?? {})) {
    await Deno.mkdir(overlay_dir!, { recursive: true });
    await Deno.writeTextFile(join(overlay_dir!, name), text);
  }
  for (const each of [state_dir, forks_dir!, audit_dir!]) {
    await Deno.mkdir(each, { recursive: true });
  }
  const opened = await openServer({
    version: "1.2.3",
    config,
    folders: { state_dir, forks_dir, audit_dir: audit_dir!, overlay_dir },
    env: () => undefined,
    project: join(project, ".zpm"),
    engines: 8,
    deadline_ms: 10_000,
    warn: () => {},
  });
  return { opened, config };
}

async function configIn(
  folder: string,
  { names = ["ann", "bob"], principals = {}, config = {}, overlay }: PrincipalsOptions,
): Promise<ServerConfig> {
  const all: Record<string, unknown> = {};
  for (const name of [...names, ...Object.keys(principals)]) {
    const usual = { fork_id: name, lifecycle: "durable" };
    all[name] = { token_sha256: await sumOf(tokenOf(name)), ...principals[name] ?? usual };
  }
  const folders = {
    state_dir: "state",
    forks_dir: "forks",
    audit_dir: join(folder, "audit"),
    ...(overlay && { overlay_dir: "overlay" }),
  };
  const text = JSON.stringify({ ...folders, principals: all, ...config });
  const path = join(folder, "server.json");
  await Deno.writeTextFile(path, text);
  return readConfig(text, path, () => undefined);
}

interface Running {
  base: string;
  opened: OpenedServer;
  stop(): Promise<void>;
}

async function started(folder: string, options: PrincipalsOptions): Promise<Running> {
  const { opened, config } = await openedIn(folder, options);
  const listening = Promise.withResolvers<string>();
  const stop = new AbortController();
  const done = serveOverHttp(opened, config, {
    hostname: "127.0.0.1",
    port: 0,
    stop: stop.signal,
    onlistening: listening.resolve,
  });
  const base = new URL(await listening.promise).origin;
  return {
    base,
    opened,
    async stop() {
      stop.abort();
      await done;
      await opened.close();
    },
  };
}
