/**
 * The memories of one project: opens them, asks at the head of the log, and commits (DESIGN section 4).
 *
 * Reads: what other processes wrote is taken first, then an engine that has everything answers. Writes: see
 * `writes.ts`. An engine that holds a commit which is not yet durable is never lent out, so no answer can
 * show what a failing disk would take back.
 */
import { engineUnavailable, memoryNotMounted, readOnlyMemory } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { loadAssets } from "../engine/assets.ts";
import { type Engine, EngineLost } from "../engine/engine.ts";
import { Pool } from "../engine/pool.ts";
import { startStore, type Store } from "../store/client.ts";
import type { Health } from "../store/protocol.ts";
import type { Report } from "./files.ts";
import type { CallContext, Memories, Memory, Reply, Request } from "./memory.ts";
import { read } from "./reads.ts";
import { Replicas } from "./replicas.ts";
import { Writer } from "./writes.ts";

export interface OpenOptions {
  /** The project's `.zpm` folder: absolute, links resolved. */
  folder: string;
  /** Engines at most. */
  engines?: number;
  /** A server keeps memory images of what it has loaded; one command does not need them. */
  longLived?: boolean;
  /** What recovery and the loader have to say, a line each. */
  report?: (line: string) => void;
}

export interface ProjectMemories extends Memories {
  diagnosis: {
    version(): Promise<string>;
    reports(): string[];
    repair(): Promise<string[]>;
  };
  close(): Promise<void>;
}

const DEFAULT = "default";

/**
 * Opens the project's memory. When the promise settles, everything that needs the main thread's permissions
 * has happened: the store worker runs, the engine's files are read.
 */
export async function openMemories(options: OpenOptions): Promise<ProjectMemories> {
  const store = startStore({ directories: { [DEFAULT]: options.folder } });
  const [assets, opened] = await Promise.all([loadAssets(), store.open(DEFAULT), store.ready]);
  // Damage is told with every reply anyway; a server's log has it once more.
  const told = opened.health.status === "damaged" && !options.longLived;
  if (!told) { for (const problem of opened.health.problems) options.report?.(problem); }
  const replicas = new Replicas(
    { memory: DEFAULT, assets, keepImage: options.longLived ?? false },
    opened,
  );
  const memory = new OpenMemory(store, replicas, opened.health, options);
  memory.warm();
  return memory;
}

/** The default memory; what stands in the journal of one project. */
class OpenMemory implements ProjectMemories {
  readonly #store: Store;
  readonly #options: OpenOptions;
  readonly #pool: Pool;
  #replicas: Replicas;
  #health: Health;
  readonly #writer: Writer;
  #reported = false;

  constructor(store: Store, replicas: Replicas, health: Health, options: OpenOptions) {
    this.#store = store;
    this.#replicas = replicas;
    this.#health = health;
    this.#options = options;
    this.#pool = new Pool({
      boot: () => this.#build(),
      engines: options.engines ?? limits.engines,
    });
    this.#writer = new Writer({
      memory: DEFAULT,
      store,
      pool: this.#pool,
      replicas,
      reopen: () => this.#replaced(),
    });
  }

  warm(): void {
    this.#pool.warm();
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async memory(name: string, context: CallContext): Promise<Memory> {
    if (name !== DEFAULT) throw memoryNotMounted(name);
    return {
      name,
      ask: (request) => this.#ask(request, context),
      commit: (request) => this.#commit(request, context),
      health: async () => this.#health = await this.#store.health(DEFAULT),
    };
  }

  /** What is not a tool's business: see `zpm doctor`. */
  readonly diagnosis = {
    version: async () => {
      const context = { by: "doctor", client: "doctor", deadline_ms: limits.deadline_ms };
      return (await this.#ask<{ prolog: string }>({ op: "version" }, context)).prolog;
    },
    reports: () => this.#replicas.reports.map(reportLine),
    repair: async () => {
      const done = await this.#store.repair(DEFAULT);
      await this.#reopen();
      return done.length > 0 ? done : ["nothing to repair"];
    },
  };

  async close(): Promise<void> {
    await this.#writer.idle();
    this.#pool.close();
    await this.#store.close();
  }

  async #build(): Promise<Engine> {
    let engine: Engine;
    try {
      engine = await this.#replicas.build();
    } catch (error) {
      throw error instanceof EngineLost ? engineUnavailable(error.message) : error;
    }
    if (!this.#reported) {
      this.#reported = true;
      for (const report of this.#replicas.reports) this.#options.report?.(reportLine(report));
    }
    return engine;
  }

  async #ask<Body>(request: Request, context: CallContext): Promise<Reply<Body>> {
    const arrived = performance.now();
    await this.#catchUp();
    const options = { memory: DEFAULT, pool: this.#pool, replicas: this.#replicas };
    const answer = await read(options, request, context, arrived);
    return this.#warned(answer) as Reply<Body>;
  }

  async #commit<Body>(
    request: Request,
    context: CallContext,
  ): Promise<Reply<Body & { commit: number }>> {
    const damage = this.#damage();
    if (damage) throw readOnlyMemory(DEFAULT, damage);
    const { reply, saved } = await this.#writer.commit(request, context);
    const warned = this.#warned(reply);
    if (!saved) warned.warnings = [...warned.warnings ?? [], notSavedWarning(this.#health)];
    return warned as Reply<Body & { commit: number }>;
  }

  /** Rule R: what other processes wrote comes first. */
  async #catchUp(): Promise<void> {
    const caught = await this.#store.since(DEFAULT, this.#replicas.head);
    if (caught.replaced) await this.#replaced();
    else this.#replicas.absorb(caught.commits);
  }

  /** The log is another one: a restored backup, another branch. */
  async #replaced(): Promise<void> {
    this.#options.report?.("The journal is another one than before: reading it from the start");
    await this.#reopen();
  }

  /** Every engine is built anew, from what is on disk now. */
  async #reopen(): Promise<void> {
    const opened = await this.#store.open(DEFAULT);
    this.#health = opened.health;
    this.#replicas.reset(opened);
    this.#pool.discard();
  }

  /** Damage is told with every reply. */
  #warned(reply: Record<string, unknown>): Reply {
    const damage = this.#damage();
    if (!damage) return reply as Reply;
    const warnings = (reply.warnings as string[] | undefined) ?? [];
    return { ...reply, warnings: [...warnings, damage] };
  }

  /** Why the memory is read-only, if it is. */
  #damage(): string | undefined {
    const { broken } = this.#replicas;
    if (broken) {
      return `Commit ${broken.seq} cannot be applied (${broken.reason}), so it and what follows is not read`;
    }
    if (this.#health.status !== "damaged") return undefined;
    return this.#health.problems.join("; ");
  }
}

function reportLine({ file, line, severity, message }: Report): string {
  return `${file}:${line}: ${severity}: ${message}`;
}

function notSavedWarning(health: Health): string {
  return `not saved: ${health.dir} can be neither created nor written, so this is kept only until the process ends`;
}
