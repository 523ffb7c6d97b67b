/**
 * What a log remembers: its commits as people read them, the ones that are to be undone, and what a memory knew as of
 * one of them (SPEC 1.7).
 *
 * What this process holds of a log may begin at a memory image, so the rest is read back through the store. A
 * question as of a commit is asked of an engine of its own, built for it and thrown away, one at a time.
 */
import { limits } from "../base/limits.ts";
import { within } from "../base/waiting.ts";
import { cancelled, stopped } from "../base/errors.ts";
import {
  cannotUndo,
  commitNotKept,
  conflict,
  noSuchCommit,
  undoNeedsForce,
} from "../base/past_errors.ts";
import { Pool } from "../engine/pool.ts";
import type { Commit, Operation, StoreCalls } from "../store/protocol.ts";
import type { MemoryLog } from "./log.ts";
import type { CallContext, Plain, Request } from "./memory.ts";
import { read, type ReaderOptions } from "./reads.ts";
import type { Replicas } from "./replicas.ts";

/** A request for a read, and when it came. */
export interface Call {
  request: Request;
  context: CallContext;
  arrived: number;
}

/** Whether a question needs more of the log than an engine at its head. */
export function isAboutPast({ op, as_of, request }: Request): boolean {
  return op === "history" || op === "authors" || typeof as_of === "number" ||
    op === "preview" && (request as Request).op === "undo";
}

export class PastReader {
  readonly #store: StoreCalls;
  readonly #pool: Pool;
  readonly #replicas: Replicas;
  /** Settles when the last engine that was built for a question is gone. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: { store: StoreCalls; pool: Pool; replicas: Replicas }) {
    this.#store = options.store;
    this.#pool = options.pool;
    this.#replicas = options.replicas;
  }

  /** `logs` are all that are mounted: goals may name the others. */
  async ask(log: MemoryLog, logs: MemoryLog[], call: Call): Promise<Record<string, unknown>> {
    const { request } = call;
    if (request.op === "history") return await this.#history(log, call);
    if (request.op === "authors") return await this.#authors(log, request.commits as number[]);
    if (request.op === "preview") return await this.#previewUndo(log, call);
    return await this.#inTurn(call, () => this.#askAsOf(log, logs, call));
  }

  /** An engine that is built for one question is big: there is one at a time. */
  async #inTurn<T>({ context, arrived }: Call, work: () => Promise<T>): Promise<T> {
    const before = this.#turn;
    const done = Promise.withResolvers<void>();
    this.#turn = before.then(() => done.promise);
    try {
      const left_ms = arrived + context.deadline_ms - performance.now();
      if (!await within(left_ms, before.then(() => true))) {
        throw stopped(`time ${context.deadline_ms} ms`);
      }
      if (context.signal?.aborted) throw cancelled();
      return await work();
    } finally {
      done.resolve();
    }
  }

  /** Commits of other processes are no hindrance to looking, but told. */
  async #previewUndo(log: MemoryLog, { request, context, arrived }: Call) {
    const undo = request.request as Request;
    const source = { log, store: this.#store, who: context.who };
    const { commits, foreign } = await undoable(undo, source);
    const planned = { op: "undo", commits };
    const reply = await read(this.#at(log), { ...request, request: planned }, context, arrived);
    if (!foreign || undo.force) return reply;
    const warnings = (reply.warnings as string[] | undefined) ?? [];
    return { ...reply, warnings: [...warnings, undoNeedsForce(foreign)] };
  }

  /** Who made these commits, and when; those that are no longer kept one by one are left out. */
  async #authors(log: MemoryLog, commits: number[]): Promise<{ authors: Author[] }> {
    if (log.absent || commits.length === 0) return { authors: [] };
    const wanted = new Set(commits);
    const past = await this.#store.past(log.name, Math.min(...commits));
    return {
      authors: past.commits.filter(({ seq }) => wanted.has(seq))
        .map(({ seq, at, who }) => ({ number: seq, time: at, ...(who && { who }) })),
    };
  }

  #at(log: MemoryLog): ReaderOptions {
    return { memory: log.name, pool: this.#pool, replicas: this.#replicas };
  }

  /** Newest first. Without a predicate every commit is a row, so what comes before the page is not looked at. */
  async #history(log: MemoryLog, call: Call): Promise<Record<string, unknown>> {
    const { offset, limit, predicate, explicit_limit } = call.request as unknown as HistoryRequest;
    const [passed, start] = predicate === undefined ? [offset, 0] : [0, offset];
    const from = predicate === undefined ? Math.max(log.head - offset - limit, 1) : 1;
    if (log.absent) return { commits: [], truncated: false };
    const past = await this.#store.past(log.name, from);
    const newest = past.commits.filter(({ seq }) => seq <= log.head).reverse();
    const rows = await this.#rows(log, newest.slice(passed), start + limit + 1, call);
    const bytes = explicit_limit ? limits.answer_max_bytes : limits.answer_bytes;
    const commits = fitting(rows.slice(start, start + limit), bytes);
    const truncated = rows.length > start + commits.length;
    return {
      commits,
      truncated,
      ...(truncated && { next_offset: offset + commits.length }),
      ...(!truncated && past.base_seq > 0 && {
        warnings: [`Commits up to ${past.base_seq} are no longer kept one by one`],
      }),
    };
  }

  /** The rows of commits, until there are `wanted`; a predicate leaves out those that do not concern it. */
  async #rows(
    log: MemoryLog,
    commits: Commit[],
    wanted: number,
    { request, context, arrived }: Call,
  ): Promise<HistoryRow[]> {
    const rows: HistoryRow[] = [];
    for (let next = 0; next < commits.length && rows.length < wanted;) {
      const chunk = takeChunk(commits, next, wanted);
      next += chunk.length;
      const question = {
        ...request,
        commits: toPlain(chunk),
        changes: limits.history_changes,
      };
      const reply = await read(this.#at(log), question, context, arrived);
      rows.push(...joined(reply.commits as Row[], chunk));
    }
    return rows;
  }

  async #askAsOf(
    log: MemoryLog,
    logs: MemoryLog[],
    { request, context, arrived }: Call,
  ): Promise<Record<string, unknown>> {
    const as_of = request.as_of as number;
    if (as_of > log.head) throw noSuchCommit(as_of, log.head);
    const commits = new Map<MemoryLog, Commit[]>();
    for (const each of logs.filter(({ absent }) => !absent)) {
      commits.set(each, await this.#upTo(each, each === log ? as_of : each.head));
    }
    const pool = new Pool({ boot: () => this.#replicas.buildPast(commits), engines: 1 });
    const nowhere = { bring: () => Promise.resolve() };
    try {
      return await read({ memory: log.name, pool, replicas: nowhere }, request, context, arrived);
    } finally {
      pool.close();
    }
  }

  async #upTo(log: MemoryLog, seq: number): Promise<Commit[]> {
    const { base, base_seq, commits } = await this.#store.past(log.name, seq + 1);
    if (seq < base_seq) throw commitNotKept(seq, base_seq);
    return [...base, ...commits.filter((commit) => commit.seq <= seq)];
  }
}

interface HistoryRequest {
  offset: number;
  limit: number;
  explicit_limit: boolean;
  predicate?: string;
}

/** What the journal knows of a commit beside its changes. */
export type Author = { number: number; time: string; who?: string };

/** What Prolog tells of a commit. */
interface Row {
  number: number;
  changes: string[];
  more: number;
}

/** A commit as `history` shows it. */
export type HistoryRow = {
  number: number;
  time: string;
  tool: string;
  who?: string;
  changes: string[];
  /** Changes that are not shown. */
  more?: number;
};

function joined(rows: Row[], commits: Commit[]): HistoryRow[] {
  const known = new Map(commits.map((commit) => [commit.seq, commit]));
  return rows.map(({ number, changes, more }) => {
    const { at, by, who } = known.get(number)!;
    return { number, time: at, tool: by, ...(who && { who }), changes, ...(more > 0 && { more }) };
  });
}

/** As many rows as `bytes` hold, at least one. */
function fitting(rows: HistoryRow[], bytes: number): HistoryRow[] {
  let room = bytes;
  const end = rows.findIndex((row, index) => {
    room -= JSON.stringify(row).length + 1;
    return room < 0 && index > 0;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** Commits from `start` on, as many as are looked at in one go. */
function takeChunk(commits: Commit[], start: number, count: number): Commit[] {
  let operations = 0;
  let end = start;
  while (end < commits.length && end - start < count && operations < limits.history_operations) {
    operations += commits[end++].ops.length;
  }
  return commits.slice(start, end);
}

/** Where the commits that are to be undone are found. */
interface Source {
  log: MemoryLog;
  store: StoreCalls;
  /** Commits of this process that come after the log's head. */
  planned?: Commit[];
  /** The principal that asks, where there are several. */
  who?: string;
}

/** What Prolog is asked to plan for a request to undo. */
export async function undoRequest(request: Request, source: Source): Promise<Request> {
  const { commits, foreign } = await undoable(request, source);
  if (foreign && !request.force) throw conflict(foreign);
  return { op: "undo", commits };
}

/**
 * The newest commits, as many as asked for, and the last one of them that another process or principal made. They are
 * read back from the store, which can tell a commit from a checkpoint that stands for several.
 */
async function undoable(
  request: Request,
  { log, store, planned = [], who }: Source,
): Promise<{ commits: Plain; foreign?: Commit }> {
  const count = request.count as number;
  const first = log.head + planned.length - count + 1;
  const past = await store.past(log.name, Math.max(first, 1));
  const all = [...past.commits.filter(({ seq }) => seq <= log.head), ...planned];
  const commits = all.slice(-count);
  if (commits.length < count) throw cannotUndo(count, { known: all.length, kept: past.base_seq });
  const isForeign = ({ seq, who: maker }: Commit) =>
    who === undefined ? seq <= log.head && !log.provenance.has(seq) : maker !== who;
  const foreign = commits.findLast(isForeign);
  if (!hasUnmount(commits)) return { commits: toPlain(commits), foreign };
  const whole = await store.past(log.name, 1);
  const complete = completed(commits, [...whole.base, ...whole.commits, ...planned]);
  return { commits: toPlain(complete), foreign };
}

/** For Prolog. */
function toPlain(commits: Pick<Commit, "seq" | "ops">[]): Plain {
  return commits.map(({ seq, ops }) => [seq, ops as Plain[]]);
}

function hasUnmount(commits: Commit[]): boolean {
  return commits.some(({ ops }) => ops.some(([name]) => name === "u"));
}

/** What an unmount took away stands in an earlier commit; taking it back needs it. */
function completed(commits: Commit[], all: Commit[]): Pick<Commit, "seq" | "ops">[] {
  const mounts = new Map<string, unknown[]>();
  const seen = all.map(({ seq, ops }) => ({
    seq,
    ops: ops.map((op) => {
      if (op[0] === "m") mounts.set(op[1], op.slice(2));
      return op[0] === "u" ? [...op, ...mounts.get(op[1]) ?? []] as unknown as Operation : op;
    }),
  }));
  return seen.filter(({ seq }) => commits.some((commit) => commit.seq === seq));
}
