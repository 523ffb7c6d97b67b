/**
 * The memories of one project, once it is open: asks at the head of the log, and commits (DESIGN section 4).
 *
 * Reads: what other processes wrote is taken first, then an engine that has everything answers. Writes: see
 * `writes.ts`. An engine that holds a commit which is not yet durable is never lent out, so no answer can
 * show what a failing disk would take back.
 */
import { memoryNotMounted, OtherMemory, readOnlyMemory, ZpmError } from "../base/errors.ts";
import { engineUnavailable } from "../base/execution_errors.ts";
import { limits } from "../base/limits.ts";
import { type Engine, EngineLost } from "../engine/engine.ts";
import type { EngineBudget } from "../engine/budget.ts";
import { Pool } from "../engine/pool.ts";
import type { Store } from "../store/client.ts";
import type { Health, KbFile, Opened } from "../store/protocol.ts";
import { diagnosisOf } from "./diagnosis.ts";
import { reportLine } from "./files.ts";
import { MemoryLog, type Mount } from "./log.ts";
import type {
  CallContext,
  Change,
  Diagnosis,
  Memory,
  ProjectMemories,
  Reply,
  Request,
} from "./memory.ts";
import { isAboutPast, PastReader } from "./past.ts";
import { read } from "./reads.ts";
import { judge, sameFiles } from "./refresh.ts";
import type { Replicas } from "./replicas.ts";
import { adoptNewest, snapshotsOf } from "./snapshots.ts";
import { entries, nothingThere, notSavedWarning, warned, withNotes } from "./told.ts";
import { Writer } from "./writes.ts";

export interface ProjectOptions {
  store: Store;
  replicas: Replicas;
  /** Engines at most. */
  engines?: number;
  /** Shares engines with other projects: none stays that has nothing to do. */
  budget?: EngineBudget;
  /** A server, whose log has once what a command would tell each time. */
  longLived?: boolean;
  /** What recovery and the loader have to say, a line each. */
  report?: (line: string) => void;
}

export const DEFAULT = "default";
export const DEFAULT_MOUNT: Mount = { scope: "project", mode: "rw" };

/** One memory that is mounted: its log, and who writes to it. */
interface Mounted {
  log: MemoryLog;
  writer: Writer;
}

export class Project implements ProjectMemories {
  readonly #store: Store;
  readonly #options: ProjectOptions;
  readonly #pool: Pool;
  readonly #replicas: Replicas;
  readonly #past: PastReader;
  readonly #default: Mounted;
  readonly #mounted = new Map<string, Mounted>();
  /** Lines that the loader said already. */
  readonly #told = new Set<string>();
  readonly #listeners = new Set<(change: Change) => void>();
  #following: Promise<void> | undefined;
  #changing: Promise<void> | undefined;

  constructor(log: MemoryLog, options: ProjectOptions) {
    const { store, replicas, budget } = options;
    this.#store = store;
    this.#replicas = replicas;
    this.#options = options;
    const boot = () => this.#build();
    const engines = options.engines ?? limits.engines;
    this.#pool = budget ? budget.pool({ boot, engines }) : new Pool({ boot, engines });
    this.#past = new PastReader({ store, pool: this.#pool, replicas });
    this.#default = this.#mount(log);
  }

  warm(): void {
    this.#pool.warm();
  }

  async memory(name: string, context: CallContext): Promise<Memory> {
    // The default memory is always there, and every question and every write catches up by itself.
    if (name !== DEFAULT) await this.#catchUp();
    const mounted = this.#mounted.get(name);
    if (!mounted) throw memoryNotMounted(name);
    const ask = <Body>(request: Request) =>
      this.#addressed(mounted, (memory) => this.#ask<Body>(memory, request, context));
    return {
      name,
      ask,
      snapshots: this.#snapshots(mounted, ask),
      commit: <Body>(request: Request) =>
        this.#addressed(mounted, (memory) => this.#commit<Body>(memory, request, context)),
      health: () => this.#healthOf(mounted.log),
      list: async () => {
        await this.#catchUp();
        return entries(await this.#store.places(), this.#default.log.mounts);
      },
      other: (other) => this.memory(other, context),
      create: (created, scope) => this.#store.create(created, scope),
      delete: (deleted, scope) => this.#store.delete(deleted, scope),
    };
  }

  watch(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Files that were edited are read now, and not only before the next call. */
  async reload(): Promise<void> {
    await this.#changed("files");
    this.#pool.warm();
  }

  async commitOf(call: string): Promise<number | undefined> {
    for (const { name } of this.#logs().filter((log) => !log.absent)) {
      const { base, commits } = await this.#store.past(name, 1);
      const made = [...base, ...commits].findLast((commit) => commit.call === call);
      if (made) return made.seq;
    }
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** What is not a tool's business: see `zpm doctor`. */
  get diagnosis(): Diagnosis {
    const context = { by: "doctor", client: "doctor", deadline_ms: limits.deadline_ms };
    return diagnosisOf({
      store: this.#store,
      logs: () => this.#logs(),
      health: (log) => this.#healthOf(log),
      reopen: () => this.#reopen(false),
      ask: (request) => this.#ask(this.#default, request, context),
    });
  }

  async close(): Promise<void> {
    for (const { writer } of this.#mounted.values()) await writer.idle();
    this.#pool.close();
    await this.#store.close();
  }

  /** After a snapshot the journal is rotated: what led to it need not be replayed at every start. */
  #snapshots({ log, writer }: Mounted, ask: Memory["ask"]): Memory["snapshots"] {
    const snapshots = snapshotsOf(this.#store, log, ask);
    return {
      ...snapshots,
      async save(name) {
        const saved = await snapshots.save(name);
        if (log.mode === "rw") await writer.rotate();
        return saved;
      },
    };
  }

  /** A memory without a journal begins with its newest snapshot. */
  async adopt(log: MemoryLog): Promise<void> {
    const mounted = this.#mounted.get(log.name)!;
    const context = {
      by: "restore_snapshot",
      client: "start",
      deadline_ms: limits.deadline_max_ms,
    };
    const ask: Memory["ask"] = (request) => this.#ask(mounted, request, context);
    const snapshots = snapshotsOf(this.#store, log, ask);
    const said = await adoptNewest(log, snapshots, async (request) => {
      await this.#commit(mounted, request, context);
    });
    if (said) this.#options.report?.(said);
  }

  /** Mounts and unmounts what the default memory's journal says, this process's commits and others' alike. */
  async follow(): Promise<void> {
    while (!this.#asMounted()) {
      this.#following ??= this.#reopen(true).finally(() => this.#following = undefined);
      await this.#following;
      this.#tell("mounts");
      for (const log of this.#logs()) if (log !== this.#default.log) await this.adopt(log);
    }
  }

  #asMounted(): boolean {
    const wanted = [...this.#default.log.mounts];
    const has = (name: string, { scope, mode }: Mount) => {
      const mount = this.#mounted.get(name)?.log.mount;
      return mount?.scope === scope && mount.mode === mode;
    };
    return wanted.length === this.#mounted.size - 1 &&
      wanted.every(([name, mount]) => has(name, mount));
  }

  #mount(log: MemoryLog): Mounted {
    const writer = new Writer({
      log,
      store: this.#store,
      pool: this.#pool,
      replicas: this.#replicas,
      reopen: (why) => this.#changed(why),
      report: this.#options.report,
    });
    log.onchange = () => this.#tell({ memory: log.name });
    const mounted = { log, writer };
    this.#mounted.set(log.name, mounted);
    return mounted;
  }

  #logs(): MemoryLog[] {
    return [...this.#mounted.values()].map(({ log }) => log);
  }

  /** Other memories that a goal may name and that cannot answer. */
  #absent(asked: MemoryLog): MemoryLog[] {
    return this.#logs().filter((log) => log.absent && log !== asked);
  }

  async #healthOf(log: MemoryLog): Promise<Health> {
    await this.#catchUp();
    if (!log.absent) log.health = await this.#store.health(log.name);
    return withNotes(log);
  }

  async #build(): Promise<Engine> {
    const engine = await this.#replicas.build().catch((error) => {
      throw error instanceof EngineLost ? engineUnavailable(error.message) : error;
    });
    for (const report of this.#logs().flatMap((log) => log.reports)) {
      const line = reportLine(report);
      if (report.severity !== "note" && !this.#told.has(line)) this.#options.report?.(line);
      this.#told.add(line);
    }
    return engine;
  }

  /** `NAME:fact` given to the default memory is a write to the memory NAME, a preview of one included. */
  async #addressed<Answer>(
    mounted: Mounted,
    run: (mounted: Mounted) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await run(mounted);
    } catch (error) {
      const other = error instanceof OtherMemory && mounted === this.#default &&
        this.#mounted.get(error.memory);
      if (!other) throw error;
      return { ...await run(other), memory: other.log.name };
    }
  }

  async #ask<Body>(
    { log }: Mounted,
    request: Request,
    context: CallContext,
  ): Promise<Reply<Body>> {
    const arrived = performance.now();
    await this.#catchUp();
    const options = { memory: log.name, pool: this.#pool, replicas: this.#replicas };
    // Where a clause comes from is told from numbers of commits that the journal does not know.
    const complete = request.provenance ? { ...request, ...log.provenance.toRequest() } : request;
    const reply = isAboutPast(request)
      ? await this.#past.ask(log, this.#logs(), { request, context, arrived })
      : await read(options, complete, context, arrived);
    return warned(reply, [log, ...this.#absent(log)]) as Reply<Body>;
  }

  async #commit<Body>(
    { log, writer }: Mounted,
    request: Request,
    context: CallContext,
  ): Promise<Reply<Body & { commit?: number }>> {
    const damage = log.damage();
    if (damage) throw readOnlyMemory(log.name, damage);
    if (log.mode === "ro") {
      throw readOnlyMemory(
        log.name,
        "It is mounted read-only: unmount it, then mount it with mode rw",
      );
    }
    const { reply, saved } = await writer.commit(request, context);
    await this.follow();
    const result = warned(reply, [log]);
    if (!saved) result.warnings = [...result.warnings ?? [], notSavedWarning(log.health)];
    return result as Reply<Body & { commit?: number }>;
  }

  /** Rule R: what other processes wrote comes first, in every memory, since goals may ask any of them. */
  async #catchUp(): Promise<void> {
    const all = await Promise.all(
      this.#logs().filter((log) => !log.absent).map(async (log) => {
        return { log, caught: await this.#store.since(log.name, log.head) };
      }),
    );
    if (all.some(({ caught }) => caught.replaced)) return await this.#changed("log");
    for (const { log, caught } of all) log.catchUp(caught);
    if (all.some(({ caught }) => caught.files)) await this.#changed("files");
    await this.follow();
  }

  /** A log is another one (a restored backup, another branch), or files of `kb` were edited. */
  async #changed(why: "log" | "files"): Promise<void> {
    if (why === "log") {
      this.#options.report?.("The journal is another one than before: reading it from the start");
    }
    this.#changing ??= this.#reopen(why === "files").finally(() => this.#changing = undefined);
    await this.#changing;
  }

  /** Every engine is built anew, from what is on disk and mounted now; `same` when no log was exchanged. */
  async #reopen(same: boolean): Promise<void> {
    const before = this.#default.log.files;
    const opened = await this.#store.open(DEFAULT);
    const judged = await this.#judged(this.#default.log, before, opened);
    this.#default.log.reset(judged, same);
    if (!sameFiles(before, judged.files)) this.#tell("files");
    const wanted = this.#default.log.mounts;
    for (const [name, { log, writer }] of [...this.#mounted]) {
      const mount = wanted.get(name);
      if (name === DEFAULT || (mount?.scope === log.mount.scope && mount.mode === log.mode)) {
        continue;
      }
      // A write that is under way there fails without having been journaled: its lock goes with the journal.
      writer.close();
      await this.#store.detach(name);
      this.#mounted.delete(name);
    }
    for (const [name, mount] of wanted) await this.#attach(name, mount, same);
    this.#replicas.reset(this.#logs());
    this.#pool.discard();
  }

  async #attach(name: string, mount: Mount, same = false): Promise<void> {
    const known = this.#mounted.get(name);
    const opened = await this.#openPlace(name, mount);
    if (known) known.log.reset(await this.#judged(known.log, known.log.files, opened), same);
    else this.#mount(new MemoryLog(name, mount, opened));
  }

  /** A file that was edited and does not load keeps the version that does. */
  async #judged(log: MemoryLog, before: KbFile[], opened: Opened): Promise<Opened> {
    const memory = { name: log.name, mode: log.mode, files: opened.files };
    const { files, kept } = await judge(memory, before, () => this.#replicas.bootBase());
    for (const line of kept) this.#options.report?.(line);
    return { ...opened, files };
  }

  /** A memory whose folder is gone stays mounted, empty and read-only, and says so: it may come back. */
  async #openPlace(name: string, { scope }: Mount): Promise<Opened> {
    try {
      await this.#store.attach(name, scope);
      return await this.#store.open(name);
    } catch (error) {
      if (!(error instanceof ZpmError)) throw error;
      const problem = `${error.message}: it is mounted, but its files are not there`;
      if (this.#options.longLived) this.#options.report?.(problem);
      return nothingThere(problem);
    }
  }
}
