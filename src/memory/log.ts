/**
 * What this process knows of one memory: its files, its commits, and what they are worth. The journal on disk is
 * the truth; this is as much of it as is needed to build an engine and to bring one to the head.
 */
import type { Caught, Commit, Health, KbFile, Opened, Place } from "../store/protocol.ts";
import type { Report } from "./files.ts";
import { Provenance } from "./provenance.ts";
import { SnapshotHeads } from "./snapshot_heads.ts";

export type Mode = "rw" | "ro";

/** A memory that the default memory's journal says is mounted. */
export interface Mount {
  scope: Place["scope"];
  mode: Mode;
}

export class MemoryLog {
  readonly name: string;
  readonly mount: Mount;
  files: KbFile[] = [];
  health!: Health;
  /** Number of the last durable commit known here. */
  head = 0;
  /** The first commit that no engine can apply: the memory is read-only up to it (ENGINE-NOTES 1.10). */
  broken: { seq: number; reason: string } | undefined;
  /** What the loader had to say about the files. */
  reports: Report[] = [];
  /** What was done at the start, for whoever asks how the memory is. */
  readonly notes: string[] = [];
  /** Where the clauses of its commits come from, as far as this process can tell. */
  readonly provenance = new Provenance();
  /** What its snapshots said of themselves. */
  readonly heads = new SnapshotHeads();
  /** What this log mounts: mounts are commits of the default memory. */
  readonly mounts = new Map<string, Mount>();
  /** When somebody else was last seen to have written, as `performance.now()` counts. */
  foreign_at = -Infinity;
  /** How often all of it was read anew. */
  resets = 0;
  /** Called when its contents are no longer what they were. */
  onchange: () => void = () => {};
  /** The commits, without those that a kept memory image holds already. */
  #commits: Commit[] = [];

  constructor(name: string, mount: Mount, opened: Opened) {
    this.name = name;
    this.mount = mount;
    this.reset(opened);
  }

  /** Mounted, but its folder is not there. */
  get absent(): boolean {
    return this.health.dir === "";
  }

  get mode(): Mode {
    return this.mount.mode;
  }

  /**
   * What is on disk now takes the place of everything that was known. Of the same log, what came while it was being
   * read is kept: a write that is under way counts on it.
   */
  reset({ files, health, commits }: Opened, same = false): void {
    const gained = same && !this.broken ? this.after(commits.at(-1)?.seq ?? 0) : [];
    this.resets++;
    this.files = files;
    this.health = health;
    this.broken = undefined;
    this.mounts.clear();
    this.provenance.reset(commits);
    for (const commit of commits) this.#follow(commit);
    this.#commits = commits;
    this.head = commits.at(-1)?.seq ?? 0;
    this.absorb(gained);
    this.onchange();
  }

  /** Takes over what the store says has come. */
  catchUp({ commits, health }: Caught): void {
    if (health) this.health = health;
    if (commits.length > 0) this.foreign_at = performance.now();
    this.absorb(commits);
  }

  /** Takes over what the log gained; commits that are known already are passed over. */
  absorb(commits: Commit[]): void {
    if (this.broken) return;
    const before = this.head;
    for (const commit of commits) {
      if (commit.seq !== this.head + 1) continue;
      this.#commits.push(commit);
      this.#follow(commit);
      this.head = commit.seq;
    }
    if (this.head > before) this.onchange();
  }

  /** Takes over what this process itself has added. */
  append(commits: Commit[]): void {
    this.absorb(commits);
    this.provenance.own(commits);
  }

  #follow(commit: Commit): void {
    for (const op of commit.ops) {
      if (op[0] === "m") this.mounts.set(op[1], { scope: op[2], mode: op[3] });
      if (op[0] === "u") this.mounts.delete(op[1]);
    }
  }

  /** At most `count` commits that come after `seq`. */
  after(seq: number, count = Infinity): Commit[] {
    const first = this.#commits.findLastIndex((commit) => commit.seq <= seq) + 1;
    return this.#commits.slice(first, first + count);
  }

  /** An image holds the commits up to `seq`. */
  forget(seq: number): void {
    this.#commits = this.after(seq);
  }

  /** Ends the log before a commit that cannot be applied. */
  breakAt(seq: number, reason: string): void {
    this.broken = { seq, reason };
    this.#commits = this.#commits.filter((commit) => commit.seq < seq);
    this.head = seq - 1;
  }

  /** Why nothing can be written, beside the mode; told with every reply. */
  damage(): string | undefined {
    if (this.broken) {
      const { seq, reason } = this.broken;
      return `Commit ${seq} cannot be applied (${reason}), so it and what follows is not read; ` +
        "the memory is read-only until 'zpm doctor --repair'";
    }
    return this.health.status === "damaged" ? this.health.problems.join("; ") : undefined;
  }
}
