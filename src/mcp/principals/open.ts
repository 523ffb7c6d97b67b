/**
 * Opens a server with many principals: the authority, the base and its forks, and what puts a call under custody. When
 * it has settled, the main thread may give its permissions away.
 */
import { join } from "node:path";
import type { Env, ServerConfig } from "../../authority/config.ts";
import type { ServerFolders } from "../../authority/folders.ts";
import { openAuthority } from "../../authority/open.ts";
import type { Audit } from "../../authority/audit.ts";
import type { Authority } from "../../authority/authority.ts";
import { Custody } from "../../custody/custody.ts";
import { resolveAttempts } from "../../custody/resolving.ts";
import { loadAssets } from "../../engine/assets.ts";
import { exportOf, freeze } from "../../forks/base.ts";
import { type Fork, Forks } from "../../forks/forks.ts";
import { openMemories } from "../../memory/service.ts";
import { denoFileSystem } from "../../store/file_system.ts";
import type { KbFile } from "../../store/protocol.ts";
import { addOverlay } from "../../verbs/overlay.ts";
import { Metrics } from "./metrics.ts";
import { PrincipalServer } from "./server.ts";

export interface OpenServerOptions {
  version: string;
  config: ServerConfig;
  folders: ServerFolders;
  env: Env;
  /** The `.zpm` folder of the project whose knowledge is the base; without one the base is what the overlay says. */
  project?: string;
  /** When the config does not say. */
  engines: number;
  deadline_ms: number;
  warn: (text: string) => void;
}

export interface OpenedServer {
  server: PrincipalServer;
  metrics: Metrics;
  /** Told by the face, which knows them. */
  countSessions(count: () => number): void;
  /** Why no call could be served now; undefined when all is well. */
  problem(): Promise<string | undefined>;
  reload(): Promise<void>;
  close(): Promise<void>;
}

export async function openServer(options: OpenServerOptions): Promise<OpenedServer> {
  const { config, warn } = options;
  const opened = await openAuthority(options);
  const { authority, audit, handles } = opened;
  const forks = await openForks(options, authority).catch(async (error) => {
    await opened.close();
    throw error;
  });
  const close = async () => {
    await forks.close();
    await opened.close();
  };
  await resolveAttempts(audit, { authority, forks, warn }).catch(async (error) => {
    await close();
    throw error;
  });
  const state = stateOf(audit, authority, forks);
  const metrics = new Metrics(state);
  const custody = new Custody({
    audit,
    authority,
    forks,
    observe: (call) => metrics.observe(call),
  });
  const { version, deadline_ms } = options;
  const { syntax, base_context, tools } = config;
  return {
    server: new PrincipalServer({
      version,
      authority,
      custody,
      handles,
      syntax,
      base_context,
      tools,
      deadline_ms,
      watch: (fork_id, listener) => forks.watch(fork_id, listener),
    }),
    metrics,
    countSessions: (count) => void (state.sessions = count),
    problem: () => problemOf(audit, authority),
    reload: () => authority.reload(),
    close,
  };
}

async function problemOf(audit: Audit, authority: Authority): Promise<string | undefined> {
  if (!await audit.healthy()) return audit.status().problem ?? "no audit can be written";
  return await authority.list().then(() => undefined, ({ message }: Error) => message);
}

async function openForks(options: OpenServerOptions, authority: Authority): Promise<Forks> {
  const { config, folders, engines, warn } = options;
  const assets = await loadAssets();
  const base = await freeze({
    assets,
    files: await baseFiles(options),
    prepare: (engine) =>
      addOverlay(engine, overlayFiles(folders, ".edn"), {
        base_context: config.base_context,
        report: warn,
      }),
    report: warn,
  });
  const leased = join(folders.state_dir, "leased");
  denoFileSystem.makeDirectory(leased);
  // What ended while no server ran is known from here on.
  await authority.sweep();
  const forks = await Forks.start({
    assets,
    base,
    folders: { durable: folders.forks_dir, leased },
    leased: leasesIn(config, authority),
    engines: config.engines ?? engines,
    report: warn,
  });
  authority.onLeaseEnd((id, lease) => forks.remove({ id, lifecycle: "leased", lease }));
  return forks;
}

/** What the project knows, then the overlay: later files go on where earlier ones end. */
async function baseFiles({ project, folders, warn }: OpenServerOptions): Promise<KbFile[]> {
  const files: KbFile[] = [];
  if (project !== undefined) {
    const memories = await openMemories({ folder: project, engines: 1, report: warn });
    try {
      files.push(await exportOf(memories));
    } finally {
      await memories.close();
    }
  }
  return [...files, ...overlayFiles(folders, ".pl")];
}

function overlayFiles({ overlay_dir }: ServerFolders, ending: string): KbFile[] {
  if (overlay_dir === undefined) return [];
  const names = [...Deno.readDirSync(overlay_dir)].map(({ name }) => name)
    .filter((name) => name.endsWith(ending) && !name.startsWith(".")).sort();
  return names.map((name) => ({ name, bytes: Deno.readFileSync(join(overlay_dir, name)) }));
}

function leasesIn({ principals }: ServerConfig, authority: Authority): Fork[] {
  return [...principals.values()].flatMap(({ fork_id: id, lifecycle }) => {
    const lease = lifecycle === "leased" ? authority.leaseOf(id) : undefined;
    return lease === undefined ? [] : [{ id, lifecycle, lease }];
  });
}

function stateOf(audit: Audit, authority: Authority, forks: Forks) {
  return {
    sessions: () => 0,
    forks: () => forks.counts,
    audit: () => audit.status(),
    generation: () => authority.generation,
  };
}
