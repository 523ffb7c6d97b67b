/** What a call has done to its fork so far, as the memories that it was given have seen it. */
import type { AuthorityError } from "../base/authority_errors.ts";
import { ZpmError } from "../base/errors.ts";
import type { Outcome } from "../authority/audit.ts";

export class Effects {
  /** Number of its last commit in the memory it wrote to last. */
  commit: number | undefined;
  /** Something was written, or may have been. */
  changed = false;
  /** The authority let a write not through: nothing was stored by it. */
  refusal: AuthorityError | undefined;
  #unknown = false;

  done(commit: number | undefined): void {
    this.commit = commit ?? this.commit;
    this.changed ||= commit !== undefined;
  }

  /** Files were written that are no commit: a snapshot, the folder of a memory. */
  wrote(): void {
    this.changed = true;
  }

  /** A write that was begun came to an error; some leave open whether it is stored. */
  failed(error: unknown): void {
    if (!(error instanceof ZpmError) || error.code !== "outcome_indeterminate") return;
    this.#unknown = true;
    this.changed = true;
  }

  /** What the audit says of the call, `code` being that of its error. */
  outcomeOf(code: string | undefined): Outcome {
    if (this.#unknown) return "indeterminate";
    if (this.refusal && !this.changed) return "refused";
    return code === undefined ? "ok" : "failed";
  }
}
