/**
 * What `zpm principal` does, in a process of its own, whether or not a server runs: the config is replaced as a
 * whole, and the authority's log tells the server. A revocation is done when this returns.
 */
import { dirname } from "node:path";
import {
  configNotWritten,
  configRefused,
  principalExists,
  unknownPrincipal,
} from "../base/authority_errors.ts";
import { type FileSystem, reason, replaceFile } from "../store/file_system.ts";
import { AUTHORITY_FILE, AuthorityLog } from "./authority_log.ts";
import { AuthorityState } from "./authority_state.ts";
import { type Env, readConfig, type ServerConfig } from "./config.ts";
import { withPrincipal } from "./config_edit.ts";
import { nameProblem } from "./config_principals.ts";
import type { Principal, PrincipalStanding } from "./principal.ts";
import { standingOf } from "./standing.ts";
import { fingerprint, newToken } from "./tokens.ts";
import { usable } from "./usable.ts";

export interface AdministrationOptions {
  fs: FileSystem;
  /** The config file as it was named, absolute: relative paths in it start from there. */
  path: string;
  /** The same without links: what is replaced. */
  file: string;
  env: Env;
  readText: (path: string) => Promise<string>;
  /** Makes a folder that the config names under that key: its path without links. */
  makeFolder: (key: string, folder: string) => string;
}

/** What a principal gets when it is added; what is left out is that of others with the same fork. */
export interface Shape {
  fork_id?: string;
  lifecycle?: "durable" | "leased";
  lease_ttl_ms?: number;
}

export interface Added {
  principal: PrincipalStanding;
  /** Shown this once; nothing on disk tells it. */
  token: string;
}

export class Administration {
  readonly #options: AdministrationOptions;

  constructor(options: AdministrationOptions) {
    this.#options = options;
  }

  add(name: string, shape: Shape): Promise<Added> {
    return this.#exchange(name, ({ principals, path }) => {
      if (principals.has(name)) throw principalExists(name);
      const problem = nameProblem(name);
      if (problem) throw configRefused(path, `the name ${JSON.stringify(name)} ${problem}`);
      return { name, token_sha256: "", ...filled(shape, name, principals) };
    });
  }

  /** A new token for a principal that is there; the old one is of no use any more. */
  rotate(name: string): Promise<Added> {
    return this.#exchange(name, (config) => known(config, name));
  }

  revoke(name: string): Promise<PrincipalStanding> {
    return this.#change(name, "revoke");
  }

  restore(name: string): Promise<PrincipalStanding> {
    return this.#change(name, "restore");
  }

  async list(): Promise<PrincipalStanding[]> {
    const { fs, path, readText } = this.#options;
    const { principals, state_dir } = this.#read(await readText(path));
    if (!fs.identify(`${state_dir}/${AUTHORITY_FILE}`)) {
      // Whoever only looks makes nothing.
      const untouched = new AuthorityState();
      return [...principals.values()].map((each) => standingOf(each, untouched));
    }
    return await this.#opened(({ principals }, { state }) =>
      Promise.resolve([...principals.values()].map((each) => standingOf(each, state)))
    );
  }

  #change(name: string, kind: "revoke" | "restore"): Promise<PrincipalStanding> {
    return this.#opened(async (config, log) => {
      const principal = known(config, name);
      await log.alone(name, () => log.write({ kind, principal: name }));
      return standingOf(principal, log.state);
    });
  }

  #exchange(name: string, chosen: (config: ServerConfig) => Principal): Promise<Added> {
    return this.#opened((_, log) =>
      log.editing(async () => {
        // Read again: somebody else may have changed it before the lock was ours.
        const text = await this.#options.readText(this.#options.path);
        const before = this.#read(text);
        const principal = chosen(before);
        const token = newToken();
        const fresh = { ...principal, token_sha256: await fingerprint(token) };
        const changed = withPrincipal(text, fresh);
        this.#read(changed);
        const kind = before.principals.has(name) ? "rotate" : "add";
        // The server reads the config when it sees the entry, so the config comes first.
        await log.alone(name, async () => {
          this.#replace(changed);
          try {
            await log.write({ kind, principal: name });
          } catch (fault) {
            // A token that nobody was shown must not take the place of one that somebody has.
            this.#replace(text);
            throw fault;
          }
        });
        return { principal: standingOf(fresh, log.state), token };
      })
    );
  }

  async #opened<T>(work: (config: ServerConfig, log: AuthorityLog) => Promise<T>): Promise<T> {
    const { fs, path, readText, makeFolder } = this.#options;
    const config = this.#read(await readText(path));
    const folder = makeFolder("state_dir", config.state_dir);
    return await usable("state", folder, async () => {
      const log = new AuthorityLog(fs, folder);
      try {
        await log.open();
        return await work(config, log);
      } finally {
        log.close();
      }
    });
  }

  #read(text: string): ServerConfig {
    return readConfig(text, this.#options.path, this.#options.env);
  }

  #replace(text: string): void {
    const { fs, file } = this.#options;
    try {
      const bytes = new TextEncoder().encode(text);
      replaceFile(fs, file, bytes, (temporary) => fs.copyRights(file, temporary));
    } catch (fault) {
      throw configNotWritten(file, dirname(file), reason(fault));
    }
  }
}

function known({ principals }: ServerConfig, name: string): Principal {
  const principal = principals.get(name);
  if (principal) return principal;
  throw unknownPrincipal(name, principals.keys());
}

/** Who comes to a fork that others have takes its shape, as far as nothing else is said. */
function filled(
  { fork_id, lifecycle, lease_ttl_ms }: Shape,
  name: string,
  principals: Map<string, Principal>,
): Omit<Principal, "name" | "token_sha256"> {
  const fork = fork_id ?? name;
  const other = [...principals.values()].find((each) => each.fork_id === fork);
  const kind = lifecycle ?? other?.lifecycle ?? (lease_ttl_ms === undefined ? "durable" : "leased");
  const ttl_ms = lease_ttl_ms ?? (kind === "leased" ? other?.lease_ttl_ms : undefined);
  return {
    fork_id: fork,
    lifecycle: kind,
    ...(ttl_ms !== undefined && { lease_ttl_ms: ttl_ms }),
  };
}
