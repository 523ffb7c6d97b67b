/**
 * The journal of one memory: rules W and R over its log (DESIGN section 4, ENGINE-NOTES 2).
 *
 * W: `begin` takes the turnstile and the lock, makes sure that the open file is the one others find, and takes what
 * they wrote; `append` writes all, syncs once and unlocks. R: `since` looks at the end of the open file; only when
 * something is there does it take the lock, shared. What is handed over is durable, always.
 *
 * Between `begin` and its end the log cannot change behind our back, so every other call is answered at once from
 * what is known. Nothing here knows what a commit means.
 */
import {
  invariant,
  journalClosed,
  notRead,
  notSaved,
  outcomeUnknown,
  ZpmError,
} from "../base/errors.ts";
import { newerNotRepaired, notRepaired } from "../base/journal_errors.ts";
import { limits } from "../base/limits.ts";
import { Access, type Wait } from "./access.ts";
import { Degraded } from "./degraded.ts";
import { denoFileSystem, type FileSystem, reason } from "./file_system.ts";
import { Images } from "./images.ts";
import { Kb } from "./kb.ts";
import { Log } from "./log.ts";
import type { Appended, Caught, Commit, Health, Mark, Opened, Past, Repair } from "./protocol.ts";
import type { Position } from "./recovery.ts";
import { segmentNumbers } from "./segment.ts";

export interface JournalOptions {
  fs?: FileSystem;
  /** How long a read waits for the lock. */
  wait_ms?: number;
  /** A record longer than this is written in parts. */
  line_bytes?: number;
}

export class Journal {
  readonly #folder: string;
  readonly #data: string;
  readonly #fs: FileSystem;
  readonly #wait_ms: number;
  readonly #line_bytes: number;
  readonly #access: Access;
  #log?: Log;
  #degraded?: Degraded;
  /** The log is another one; true until the caller opens again. */
  #replaced = false;
  /** The newest commits, so that handing over what has just come reads nothing twice. */
  #recent: Commit[] = [];
  /** What the log was worth when that was told last. */
  #told = "";
  /** What recovery found and did, and what is wrong with files of `kb/`. */
  #recovered = new Set<string>();
  /** The source files beside the journal. */
  readonly kb: Kb;
  /** Memory images of engines, which are a cache. */
  readonly images: Images;

  /** `folder` holds the memory's `kb` and `data`; for the default memory it is the project's `.zpm`. */
  constructor(folder: string, options: JournalOptions = {}) {
    this.#folder = folder;
    this.#data = `${folder}/data`;
    this.#fs = options.fs ?? denoFileSystem;
    this.#wait_ms = options.wait_ms ?? limits.deadline_ms;
    this.#line_bytes = options.line_bytes ?? limits.journal_line_bytes;
    this.#access = new Access(this.#fs, this.#data);
    this.kb = new Kb(this.#fs, `${folder}/kb`);
    this.images = new Images(this.#fs, this.#data);
  }

  async open(): Promise<Opened> {
    const files = this.kb.read();
    const commits = await this.#load();
    return { files, commits, health: this.#health() };
  }

  /** Rule R. */
  async since(seq: number): Promise<Caught> {
    await this.#ready();
    if (!this.#upToDate()) {
      await this.#under(false, () => {
        if (!this.#upToDate()) this.#take();
      });
    }
    return this.#withNews(this.#answer(seq), false);
  }

  async past(from: number): Promise<Past> {
    await this.#ready();
    if (this.#degraded) return this.#degraded.past();
    return await this.#under(false, () => this.#opened().past(from));
  }

  /** Rule W, first half. When it resolves the lock is held, also when the log was replaced. */
  async begin(seq: number, deadline_ms: number): Promise<Caught> {
    const until = performance.now() + deadline_ms;
    await this.#ready();
    try {
      return await this.#access.hold(until, () => {
        this.#prepare();
        return this.#withNews(this.#answer(seq), true);
      });
    } catch (fault) {
      throw fault instanceof ZpmError ? fault : notSaved(reason(fault));
    }
  }

  /** Rule W, second half. Nothing runs between write and sync, so that nobody sees what is not durable. */
  append(commits: Commit[]): Appended {
    invariant(this.#access.held, "append without begin");
    try {
      if (this.#degraded) return this.#degraded.append(commits);
      if (commits.length > 0) this.#write(commits);
      const long = this.#opened().at.offset > limits.segment_bytes;
      return long ? { saved: true, long } : { saved: true };
    } finally {
      this.abandon();
    }
  }

  /** Unlocks without writing; does nothing when the lock is not held. */
  abandon(): void {
    this.#access.release();
  }

  /** Where the log ends; nothing when it is not on disk, or is another one than was read. */
  async mark(): Promise<Mark | undefined> {
    await this.#ready();
    return this.#degraded || this.#replaced ? undefined : this.#opened().mark();
  }

  /** Whether the log begins with what it was when it was marked. */
  async holds(mark: Mark): Promise<boolean> {
    await this.#ready();
    return !this.#degraded && !this.#replaced && this.#opened().holds(mark);
  }

  async health(): Promise<Health> {
    await this.#ready();
    return this.#health();
  }

  /** What a repair would do, found out anew. */
  async repairs(keep?: number): Promise<Repair[]> {
    await this.#ready();
    if (this.#degraded) return [];
    return await this.#under(true, () => {
      this.#reload();
      return this.#opened().newer ? [] : this.#opened().repairs(keep);
    });
  }

  /** Cuts back to the good prefix what is damaged, and to commit `keep`; what a newer zpm wrote is no damage. */
  async repair(keep?: number): Promise<Repair[]> {
    await this.#ready();
    if (this.#degraded) throw notRepaired(this.#degraded.problems.join("; "));
    return await this.#under(true, () => {
      this.#reload();
      const log = this.#opened();
      if (log.newer) throw newerNotRepaired(log.problem ?? "a newer format");
      try {
        const done = log.repair(keep);
        if (done.length > 0) this.#reload();
        return done;
      } catch (fault) {
        throw notRepaired(reason(fault));
      }
    });
  }

  /** Goes on in a new segment that begins with `checkpoint`. Between `begin` and `append`; the lock stays held. */
  rotate(checkpoint: Commit[]): void {
    invariant(this.#access.held, "rotate without begin");
    if (!this.#degraded) this.#opened().rotate(checkpoint);
  }

  close(): void {
    this.#access.close();
    this.#log?.close();
    this.#log = undefined;
  }

  async #ready(): Promise<void> {
    if (!this.#log && !this.#degraded) await this.#load();
  }

  /**
   * Opens or opens again. That the folder can be neither made nor written is found out here, the first time,
   * and never later: a write that fails afterwards is an error, not a silent change of mode.
   */
  async #load(): Promise<Commit[]> {
    if (this.#degraded) return this.#degraded.commits;
    const first = this.#log === undefined;
    try {
      this.#prepareFolder();
      return await this.#access.during(this.#wait(!first), () => this.#reload());
    } catch (fault) {
      if (fault instanceof ZpmError) throw fault;
      if (!first) throw notRead(reason(fault));
      this.#access.goAlone();
      this.#degraded = new Degraded(this.#fs, this.#data, reason(fault));
      return this.#degraded.commits;
    }
  }

  #prepareFolder(): void {
    if (this.#fs.identify(this.#data) === undefined) this.#fs.makeDirectory(this.#data);
    this.#access.prepare();
    // Whoever made the folder may be gone; as long as no journal is in it, its name may not be durable.
    if (segmentNumbers(this.#fs, this.#data).length === 0) this.#fs.syncDirectory(this.#folder);
  }

  /** Reads the log from its beginning. The caller holds the lock, exclusively if the log was open before. */
  #reload(): Commit[] {
    const before = this.#log;
    // A file that could not be synced shows what may not be on the disk: only what is known to be there counts.
    if (before?.broken !== undefined) return before.known();
    // What vanished is written again first, or reading it again would find nothing.
    if (before && !this.#replaced) before.stand();
    const log = before ?? new Log(this.#fs, this.#data, { write: true });
    const commits = log.load();
    this.#log = log;
    this.#replaced = false;
    this.#recent = [];
    this.#note();
    return commits;
  }

  /** True when what is known is all there is, or all that may be known now. Takes no lock. */
  #upToDate(): boolean {
    if (this.#degraded || this.#access.held || this.#replaced) return true;
    const news = worded(() => this.#opened().news());
    if (news === "exchanged") this.#replaced = true;
    return news !== "some";
  }

  /** The caller holds the lock. */
  #take(): void {
    const taken = this.#opened().take();
    if (taken.replaced) this.#replaced = true;
    this.#recent = this.#recent.concat(taken.commits).slice(-recent_max);
    this.#note();
  }

  /** What a writer does when it has the lock, before anything is planned. */
  #prepare(): void {
    if (this.#degraded?.closed) throw journalClosed(this.#degraded.problems.join("; "));
    if (this.#degraded || this.#replaced) return;
    const log = this.#opened();
    if (log.broken !== undefined) throw journalClosed(brokenText(log.broken));
    const standing = log.stand();
    if (standing === "recreated") this.#recovered.add(recreated_text);
    const news = standing === "exchanged" ? "exchanged" : log.news();
    if (news === "exchanged") {
      this.#replaced = true;
      return;
    }
    if (news === "some") this.#take();
    if (this.#replaced) return;
    if (log.closed) throw journalClosed(log.problem ?? "the log is damaged");
    log.tidy();
  }

  #write(commits: Commit[]): void {
    const log = this.#opened();
    invariant(!this.#replaced, "append to a log that was replaced");
    const before = log.at;
    commits.forEach(({ seq }, i) =>
      invariant(seq === before.seq + 1 + i, `commit ${seq} behind commit ${before.seq + i}`)
    );
    this.#recent = [];
    try {
      log.append(commits, this.#line_bytes);
      this.#confirm(log, before);
    } catch (fault) {
      if (fault instanceof ZpmError) throw fault;
      throw log.broken === undefined ? notSaved(reason(fault)) : outcomeUnknown(reason(fault));
    }
  }

  /** The file may have been removed while the lock was held; then what was written stands nowhere yet. */
  #confirm(log: Log, before: Position): void {
    try {
      const standing = log.stand();
      if (standing === "recreated") this.#recovered.add(recreated_text);
      if (standing !== "exchanged") return;
      this.#replaced = true;
      throw notSaved("the journal was exchanged for another file");
    } catch (fault) {
      log.rewind(before);
      throw fault;
    }
  }

  /**
   * Files are looked at before every write, and once a second before reads (ENGINE-NOTES R6). What has become of the
   * log is told once: another process may have repaired it, or have written what cannot be read.
   */
  #withNews(caught: Caught, must: boolean): Caught {
    const files = this.kb.changed(must) ? { files: true as const } : {};
    const health = this.#worth() === this.#told ? {} : { health: this.#health() };
    return { ...caught, ...files, ...health };
  }

  #worth(): string {
    if (!this.#log) return "";
    return `${this.#log.closed} ${this.#log.broken} ${this.#log.problem}`;
  }

  #answer(seq: number): Caught {
    if (this.#replaced) return { commits: [], replaced: true };
    if (this.#degraded) {
      return { commits: this.#degraded.commits.filter((each) => each.seq > seq), replaced: false };
    }
    const log = this.#opened();
    if (seq === log.at.seq) return { commits: [], replaced: false };
    const first = this.#recent.findIndex((each) => each.seq === seq + 1);
    const commits = first >= 0
      ? this.#recent.slice(first)
      : seq < log.at.seq
      ? worded(() => log.again(seq))
      : undefined;
    this.#replaced = commits === undefined;
    return { commits: commits ?? [], replaced: this.#replaced };
  }

  #health(): Health {
    this.#told = this.#worth();
    const problems = [...this.#recovered, ...this.kb.problems];
    const dir = this.#data;
    if (this.#degraded) {
      const { closed, commits } = this.#degraded;
      problems.unshift(...this.#degraded.problems);
      const status = closed ? "damaged" : "degraded";
      const last = commits.at(-1)?.seq ?? 0;
      return { status, dir, journal_bytes: 0, commits: last, unread: 0, problems };
    }
    const log = this.#opened();
    if (log.broken !== undefined) problems.unshift(brokenText(log.broken));
    if (log.closed && log.problem !== undefined) problems.unshift(log.problem);
    const status = log.closed || log.broken !== undefined ? "damaged" : "active";
    const unread = "unread" in log.rest ? log.rest.unread : 0;
    const journal_bytes = worded(() => log.size());
    const checkpoint = log.checkpoint === undefined ? {} : { checkpoint: log.checkpoint };
    return { status, dir, journal_bytes, commits: log.at.seq, ...checkpoint, unread, problems };
  }

  /** Keeps the sentence for a torn tail, which is gone when the next write has cut it off. */
  #note(): void {
    const log = this.#opened();
    if (log.rest.kind === "torn" && log.problem !== undefined) this.#recovered.add(log.problem);
  }

  #opened(): Log {
    invariant(this.#log, "the journal is not open");
    return this.#log;
  }

  #wait(exclusive: boolean): Wait {
    return { exclusive, until: performance.now() + this.#wait_ms };
  }

  async #under<T>(exclusive: boolean, work: () => T): Promise<T> {
    try {
      return await this.#access.during(this.#wait(exclusive), work);
    } catch (fault) {
      throw fault instanceof ZpmError ? fault : notRead(reason(fault));
    }
  }
}

/** How many commits are kept for those who ask what has come. */
const recent_max = 1024;

const recreated_text =
  "the journal had vanished and was written again from the file that was still open";

function brokenText(why: string): string {
  return `a failed write could not be undone, nothing more is written by this process: ${why}`;
}

/** What goes wrong while reading is the disk's fault, not ours. */
function worded<T>(work: () => T): T {
  try {
    return work();
  } catch (fault) {
    throw fault instanceof ZpmError ? fault : notRead(reason(fault));
  }
}
