/**
 * Which commits this process made itself: what a belief's source is told from (SPEC 1.4). Engines come and go; this
 * stays as long as the process.
 */
import type { Commit } from "../store/protocol.ts";

/** First and last of commits without a gap. */
type Range = [from: number, to: number];

export class Provenance {
  #own: Range[] = [];
  /** The last commit of this process; another one of its number means that the journal was exchanged. */
  #last: Commit | undefined;

  /** Commits of this process, behind those that are known. */
  own(commits: Commit[]): void {
    for (const commit of commits) {
      const range = this.#own.at(-1);
      if (range && range[1] === commit.seq - 1) range[1] = commit.seq;
      else this.#own.push([commit.seq, commit.seq]);
      this.#last = commit;
    }
  }

  /** The log is read from the start. */
  reset(commits: Commit[]): void {
    const last = this.#last;
    if (!last) return;
    const now = commits.find(({ seq }) => seq === last.seq);
    const head = commits.at(-1)?.seq ?? 0;
    // A checkpoint may stand for it.
    if (now ? now.at === last.at && now.by === last.by : head > last.seq) return;
    this.#own = [];
    this.#last = undefined;
  }

  /** Whether this process made a commit. */
  has(seq: number): boolean {
    return this.#own.some(([from, to]) => from <= seq && seq <= to);
  }

  /** For Prolog. */
  toRequest(): { own: Range[] } {
    return { own: this.#own };
  }
}
