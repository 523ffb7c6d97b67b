/**
 * The order of every call (SPEC 3.3): the audit can be written; the attempt is on disk; a permit is there; the call
 * runs, and what it changes is committed under the authority's lock; the completion is on disk; then it is answered.
 *
 * Nothing here knows what a call does. What it may change reaches it through memories that look at the permit again
 * (`guarded.ts`), so no verb and no tool can forget to.
 */
import { AuthorityError } from "../base/authority_errors.ts";
import { ZpmError } from "../base/errors.ts";
import { outcomeNotRecorded } from "../base/fork_errors.ts";
import { argumentsDigest, type Audit, type Denial, type Outcome } from "../authority/audit.ts";
import type { Authority } from "../authority/authority.ts";
import type { Permit, Principal, Standing } from "../authority/principal.ts";
import type { Fork } from "../forks/forks.ts";
import type { Memories } from "../memory/memory.ts";
import { Effects } from "./effects.ts";
import { guarded } from "./guarded.ts";

export interface CustodyOptions {
  audit: Audit;
  authority: Authority;
  forks: { memories(fork: Fork): Promise<Memories> };
  /** Told of every call when it is over. */
  observe?: (call: Observed) => void;
}

export interface Observed {
  verb: string;
  outcome: Outcome;
  took_ms: number;
}

/** Who calls what. */
export interface Call {
  principal: Principal;
  session?: string;
  /** The verb or tool, or the method of the protocol. */
  verb: string;
  args: unknown;
}

/** What an answered call came to. */
export interface Judged {
  /** The error's code; absent when it went well. */
  code?: string;
  handles?: number[];
}

/** An answer, and what stands of the call in the audit. */
export interface Answered<Result> {
  result: Result;
  receipt: Receipt;
}

export interface Receipt {
  /** Names the call in the audit and in the journal of the fork. */
  operation: string;
  commit?: number;
  /** Present when the principal was revoked after the write: it is stored all the same. */
  revoked?: { generation: number };
}

export class Custody {
  readonly #options: CustodyOptions;

  constructor(options: CustodyOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` with the memories of the principal's fork. What it returns is answered, good or bad, once that is
   * recorded; what it throws is recorded, and thrown.
   */
  async run<Result>(
    call: Call,
    work: (memories: Memories) => Promise<Result>,
    judge: (result: Result) => Judged,
  ): Promise<Answered<Result>> {
    const began = performance.now();
    const operation = crypto.randomUUID();
    const tell = (outcome: Outcome) => {
      const took_ms = performance.now() - began;
      this.#options.observe?.({ verb: call.verb, outcome, took_ms });
    };
    try {
      await this.#attempt(operation, call);
    } catch (error) {
      tell("refused");
      throw error;
    }
    const running = new Running(operation, call, this.#options);
    try {
      const result = await running.work(work);
      const judged = judge(result);
      await running.complete(judged);
      return { result, receipt: running.receipt };
    } catch (error) {
      await running.failed(error);
      throw error;
    } finally {
      tell(running.outcome);
    }
  }

  /** A call that comes to no attempt. That it was denied is answered whether or not it can be recorded. */
  async denied(denial: Denial): Promise<void> {
    await this.#options.audit.denied(denial).catch(() => {});
  }

  /** That it is on disk says that the audit can be written: it is not asked before. */
  async #attempt(operation: string, { principal, session, verb, args }: Call): Promise<void> {
    const { audit } = this.#options;
    const { name, fork_id } = principal;
    const digest = argumentsDigest(args);
    await audit.attempt({ operation, principal: name, fork: fork_id, session, verb, digest });
  }
}

/** A call between its attempt and its completion. */
class Running {
  readonly #operation: string;
  readonly #call: Call;
  readonly #options: CustodyOptions;
  readonly #effects = new Effects();
  #permit: Permit | undefined;
  #standing: Standing | undefined;
  #completed = false;
  outcome: Outcome = "failed";

  constructor(operation: string, call: Call, options: CustodyOptions) {
    this.#operation = operation;
    this.#call = call;
    this.#options = options;
  }

  get receipt(): Receipt {
    const { commit } = this.#effects;
    const { generation, revoked } = this.#standing ?? {};
    return {
      operation: this.#operation,
      ...(commit !== undefined && { commit }),
      ...(revoked && { revoked: { generation: generation! } }),
    };
  }

  async work<Result>(work: (memories: Memories) => Promise<Result>): Promise<Result> {
    const { authority, forks } = this.#options;
    const { principal } = this.#call;
    const permit = this.#permit = await authority.admit(principal);
    const { fork_id: id, lifecycle } = principal;
    const fork = { id, lifecycle, lease: permit.lease };
    const memories: Memories = {
      memory: async (name, context) => (await forks.memories(fork)).memory(name, context),
    };
    return await work(guarded(memories, {
      who: principal.name,
      call: this.#operation,
      effects: this.#effects,
      during: (write) => authority.during(permit, write),
    }));
  }

  /** On disk when it settles; an effect whose end cannot be recorded is told as that. */
  async complete({ code, handles }: Judged): Promise<void> {
    this.outcome = this.#effects.outcomeOf(code);
    const { commit, changed, refusal } = this.#effects;
    if (changed && this.#permit) this.#standing = await this.#standingNow(this.#permit);
    const standing = this.#standing;
    this.#completed = true;
    try {
      await this.#options.audit.completion({
        operation: this.#operation,
        outcome: this.outcome,
        code: refusal?.reason ?? code,
        commit,
        handles,
        ...(standing?.revoked && { authority: standing }),
      });
    } catch (error) {
      if (!changed) throw error;
      this.outcome = "indeterminate";
      throw outcomeNotRecorded(
        this.#operation,
        error instanceof Error ? error.message : `${error}`,
      );
    }
  }

  /** The call ends with an error; one that is about the completion itself is the last word. */
  async failed(error: unknown): Promise<void> {
    if (this.#completed) return;
    if (error instanceof AuthorityError) this.#effects.refusal = error;
    await this.complete({ code: codeOf(error) });
  }

  /** The authority's files may be gone by now; then nobody knows that it was revoked, and the write stands. */
  async #standingNow(permit: Permit): Promise<Standing | undefined> {
    return await this.#options.authority.standing(permit).catch(() => undefined);
  }
}

/** What the audit says of an error: the reason where the authority gave one. */
export function codeOf(error: unknown): string {
  if (error instanceof AuthorityError) return error.reason;
  return error instanceof ZpmError ? error.code : "bug";
}
