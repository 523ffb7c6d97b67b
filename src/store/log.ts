/**
 * The segments of one memory as one log (ENGINE-NOTES 2.6).
 *
 * The log starts at the highest complete segment: a segment above the first begins with a checkpoint that says
 * all that came before. A segment ends with a pointer to the next one, written when that one is whole and durable,
 * so every reader that is behind finds the way. What a crash left between those two steps is finished or
 * removed by the next writer. The caller holds the lock; exclusively for everything that writes.
 */
import { type FileSystem, writeFile } from "./file_system.ts";
import type { Commit, Mark, Past, Repair } from "./protocol.ts";
import { encodeCommit, encodeEnd, encodeHeader, encodePointer } from "./record.ts";
import { describe, type Position, type Rest, type Scan, START } from "./recovery.ts";
import { type News, Segment, segmentName, segmentNumbers, type Standing } from "./segment.ts";

/** What has come to the log. */
export interface Taken {
  commits: Commit[];
  /** The log does not go on from where we stood. */
  replaced: boolean;
}

export class Log {
  readonly #fs: FileSystem;
  readonly #directory: string;
  readonly #write: boolean;
  /** The commit up to which the current segment began with a checkpoint. */
  checkpoint: number | undefined;
  #segment?: Segment;
  #lost?: Lost;

  constructor(fs: FileSystem, directory: string, options: { write: boolean }) {
    this.#fs = fs;
    this.#directory = directory;
    this.#write = options.write;
  }

  get at(): Position {
    return this.#lost?.number === this.#current.number ? START : this.#current.at;
  }

  get rest(): Rest {
    return this.#current.rest;
  }

  get broken(): string | undefined {
    return this.#current.broken;
  }

  /** A sentence for what stands behind the good prefix. */
  get problem(): string | undefined {
    if (this.#lost) return describeLost(this.#lost);
    return describe(this.rest, segmentName(this.#current.number), this.at.seq);
  }

  /** Nothing may be written: something stands behind the good prefix that is not ours to cut. */
  get closed(): boolean {
    return this.#lost !== undefined || isDamage(this.rest);
  }

  /** What stands there is of a later format, so that cutting it would lose good records. */
  get newer(): boolean {
    return this.#lost?.newer || this.rest.kind === "newer";
  }

  size(): number {
    return this.#current.size();
  }

  /** Opens the log at its highest complete segment and reads it. */
  load(): Commit[] {
    this.close();
    const numbers = segmentNumbers(this.#fs, this.#directory);
    if (numbers.length === 0) numbers.push(1);
    let skipped: { number: number; rest: Rest } | undefined;
    for (const number of numbers) {
      const segment = this.#open(number);
      const found = segment.load();
      const usable = canStart(number, found);
      if (usable || number === numbers.at(-1)) {
        this.#segment = segment;
        this.checkpoint = found.checkpoint;
        this.#lost = usable ? lostBehind(segment, found, skipped) : lostItself(number, found);
        return usable ? found.commits : [];
      }
      segment.close();
      skipped = { number, rest: found.rest };
    }
    return [];
  }

  news(): News {
    if (this.#current.exchanged()) return "exchanged";
    return this.#current.news();
  }

  /** Reads what has come, over the ends of segments. */
  take(): Taken {
    const found = this.#current.take();
    const commits = found.commits;
    for (let next = found; next.next !== undefined;) {
      const later = this.#follow(next);
      if (!later) return { commits: [], replaced: true };
      for (const commit of later.commits) {
        if (commit.seq > this.#followed) commits.push(commit);
      }
      next = later;
    }
    return { commits, replaced: false };
  }

  /** All commits of the good prefix once more. */
  known(): Commit[] {
    return this.#current.again().commits;
  }

  /** All commits after `seq` that are known; undefined when they are older than the checkpoint. */
  again(seq: number): Commit[] | undefined {
    const found = this.#current.again();
    if (seq < (found.checkpoint ?? 0)) return undefined;
    return found.commits.filter((commit) => commit.seq > seq);
  }

  mark(): Mark {
    return this.#current.mark();
  }

  holds(mark: Mark): boolean {
    return this.#current.holds(mark);
  }

  /** The log back to commit `from`, through the segments that stay for that. The caller holds the lock. */
  past(from: number): Past {
    let oldest = this.#current.again();
    let past = pastOf(oldest);
    for (let number = this.#current.number - 1; past.base_seq >= from && number > 0; number--) {
      const older = this.#readOlder(number);
      if (!older || older.before_next?.sum !== oldest.header_prev) break;
      const before = pastOf(older);
      past = { ...before, commits: before.commits.concat(past.commits) };
      oldest = older;
    }
    return past;
  }

  stand(): Standing {
    return this.#current.stand();
  }

  /** Takes back what was appended behind `to`. */
  rewind(to: Position): void {
    this.#current.rewind(to);
  }

  /** Removes a torn tail, and what a crash left of the step to the next segment. */
  tidy(): void {
    if (this.rest.kind === "torn") this.#current.cut();
    const number = this.#current.number + 1;
    const path = `${this.#directory}/${segmentName(number)}`;
    if (this.#fs.identify(path) === undefined) return;
    const next = this.#open(number);
    const found = next.load();
    next.close();
    if (canStart(number, found) && found.header_prev === this.at.sum) {
      const pointer = encodePointer(number, this.at.sum);
      this.#current.append(pointer.text, { seq: this.at.seq, sum: pointer.sum });
      this.#enter(number);
    } else if (isDamage(found.rest)) {
      this.#setAside(this.#aside(number));
    } else {
      this.#fs.remove(path);
      this.#fs.syncDirectory(this.#directory);
    }
  }

  append(commits: Commit[], line_bytes: number): void {
    let text = "";
    let sum = this.at.sum;
    for (const commit of commits) {
      const encoded = encodeCommit(commit, sum, line_bytes);
      text += encoded.text;
      sum = encoded.sum;
    }
    this.#current.append(text, { seq: commits[commits.length - 1].seq, sum });
  }

  /** Goes on in a new segment that begins with `checkpoint`, the commits that say all there is to know. */
  rotate(checkpoint: Commit[]): void {
    const { seq, sum } = this.at;
    this.checkpoint = seq;
    const number = this.#current.number + 1;
    const path = `${this.#directory}/${segmentName(number)}`;
    const header = encodeHeader(number, sum);
    let text = header.text;
    let last = header.sum;
    for (const commit of checkpoint) {
      const encoded = encodeCommit(commit, last);
      text += encoded.text;
      last = encoded.sum;
    }
    this.#writeWhole(path, new TextEncoder().encode(text + encodeEnd(seq, last).text));
    const pointer = encodePointer(number, sum);
    this.#current.append(pointer.text, { seq, sum: pointer.sum });
    this.#enter(number);
    for (const old of segmentNumbers(this.#fs, this.#directory)) {
      if (old <= number - segments_kept) this.#fs.remove(`${this.#directory}/${segmentName(old)}`);
    }
  }

  /** What a repair would do to which file; nothing when the log is sound and all of it is to be kept. */
  repairs(keep = Infinity): Repair[] {
    const steps: Repair[] = [];
    const lost = this.#lost;
    const { number, rest } = this.#current;
    const end = this.#endFor(keep);
    const cut = this.size() - end.offset;
    if (lost?.number !== number && cut > 0) {
      const unread = ("unread" in rest ? rest.unread : 0) + this.at.seq - end.seq;
      steps.push({ kind: "cut", ...this.#aside(number), commits: end.seq, cut, unread });
    }
    if (lost && this.#fs.identify(`${this.#directory}/${segmentName(lost.number)}`)) {
      steps.push({ kind: "set aside", ...this.#aside(lost.number) });
    }
    return steps;
  }

  /**
   * Cuts the log back to its good prefix, and to commit `keep`. A damaged file is kept beside it as it was, durably,
   * before it is cut.
   */
  repair(keep = Infinity): Repair[] {
    const steps = this.repairs(keep);
    const lost = this.#lost;
    for (const step of steps) {
      if (step.kind === "cut") {
        this.#writeWhole(`${this.#directory}/${step.kept_as}`, this.#current.whole());
        this.#current.rewind(this.#endFor(keep));
      } else {
        this.#setAside(step);
      }
    }
    if (lost && lost.number !== this.#current.number) this.#current.rewind(lost.before);
    return steps;
  }

  #endFor(keep: number): Position {
    const { at } = this.#current;
    return keep < at.seq ? this.#current.placeAfter(keep) ?? at : at;
  }

  close(): void {
    this.#segment?.close();
    this.#segment = undefined;
    this.#lost = undefined;
  }

  /** The last commit before the segment that was entered last. */
  #followed = 0;

  get #current(): Segment {
    if (!this.#segment) throw new Error("the log is not open");
    return this.#segment;
  }

  #open(number: number): Segment {
    return new Segment(this.#fs, this.#directory, { number, write: this.#write });
  }

  /** Enters the segment that a pointer names, if it is the one that was meant. */
  #follow(found: Scan): Scan | undefined {
    const { next, before_next } = found;
    if (next === undefined || before_next === undefined) return undefined;
    if (this.#fs.identify(`${this.#directory}/${segmentName(next)}`) === undefined) {
      return undefined;
    }
    this.#followed = this.at.seq;
    const later = this.#enter(next);
    const goes_on = canStart(next, later) && later.header_prev === before_next.sum;
    return goes_on ? later : undefined;
  }

  #enter(number: number): Scan {
    const segment = this.#open(number);
    const found = segment.load();
    this.#segment?.close();
    this.#segment = segment;
    return found;
  }

  /** A segment that the log went on from; undefined when it is gone. */
  #readOlder(number: number): Scan | undefined {
    if (this.#fs.identify(`${this.#directory}/${segmentName(number)}`) === undefined) {
      return undefined;
    }
    const segment = new Segment(this.#fs, this.#directory, { number, write: false });
    const found = segment.load();
    segment.close();
    return found;
  }

  #writeWhole(path: string, bytes: Uint8Array): void {
    writeFile(this.#fs, path, bytes);
    this.#fs.syncDirectory(this.#directory);
  }

  /** Takes a segment out of the log without losing a byte of it. */
  #setAside({ file, kept_as }: { file: string; kept_as: string }): void {
    this.#fs.rename(`${this.#directory}/${file}`, `${this.#directory}/${kept_as}`);
    this.#fs.syncDirectory(this.#directory);
  }

  #aside(number: number): { file: string; kept_as: string } {
    const file = segmentName(number);
    return { file, kept_as: this.#freeName(file) };
  }

  #freeName(file: string): string {
    for (let n = 1;; n++) {
      const name = `${file}.damaged-${n}`;
      if (this.#fs.identify(`${this.#directory}/${name}`) === undefined) return name;
    }
  }
}

/** A segment's checkpoint, and what came after it. */
function pastOf({ commits, checkpoint = 0 }: Scan): Past {
  const base = commits.filter(({ seq }) => seq <= checkpoint);
  return { base, base_seq: checkpoint, commits: commits.slice(base.length) };
}

/** A segment that belongs to the log and cannot be used. */
interface Lost {
  number: number;
  newer: boolean;
  /** Where the log ends without it. */
  before: Position;
}

/** How many segments stay for undo, history and as-of. */
const segments_kept = 10;

/** The first segment needs no checkpoint; every other one is complete when its checkpoint has its end line. */
function canStart(number: number, found: Scan): boolean {
  return number === 1 || found.segment === number && found.checkpoint !== undefined;
}

/** The log should go on behind `segment`: its pointer says so, or a segment that nobody left unfinished. */
function lostBehind(
  segment: Segment,
  found: Scan,
  skipped: { number: number; rest: Rest } | undefined,
): Lost | undefined {
  const newer = skipped?.rest.kind === "newer";
  if (found.next !== undefined && found.before_next !== undefined) {
    return { number: found.next, newer, before: found.before_next };
  }
  if (skipped === undefined || !isDamage(skipped.rest)) return undefined;
  return { number: skipped.number, newer, before: segment.at };
}

function lostItself(number: number, found: Scan): Lost {
  return { number, newer: found.rest.kind === "newer", before: START };
}

function describeLost(lost: Lost): string {
  const file = segmentName(lost.number);
  return lost.newer
    ? `${file} was written by a newer zpm; the memory is read-only until this zpm is upgraded`
    : `${file} is damaged at its beginning and is not read; the memory is read-only until 'zpm doctor --repair'`;
}

function isDamage(rest: Rest): boolean {
  return rest.kind === "damaged" || rest.kind === "newer";
}
