/**
 * The numbers of sentexes on disk: `handles.jsonl` in `state_dir`, one chained record for each, whose place in the
 * chain is the number. One server has it open. All keys are held in memory.
 */
import { handlesRefused } from "../base/authority_errors.ts";
import { notSaved } from "../base/errors.ts";
import { type FileSystem, reason } from "../store/file_system.ts";
import { follows, type Place, seal, START, unseal } from "./chain.ts";
import type { SentexKey } from "./handles.ts";
import { Ledger } from "./ledger.ts";

export const HANDLES_FILE = "handles.jsonl";

export class HandleTable {
  readonly #ledger: Ledger;
  /** By number, from 1. */
  readonly #keys: SentexKey[] = [];
  readonly #numbers = new Map<string, number>();
  #place: Place = START;

  constructor(fs: FileSystem, state_dir: string) {
    this.#ledger = new Ledger(fs, `${state_dir}/${HANDLES_FILE}`, { write: true });
    for (const line of this.#ledger.take()) {
      const record = unseal(line);
      if (!record || !follows(record, this.#place)) {
        throw handlesRefused(this.#ledger.path, this.#place.seq + 1);
      }
      this.#place = { seq: record.seq, hash: record.hash };
      this.#know({ context: record.context as string, sentence: record.sentence as string });
    }
    this.#ledger.settle();
  }

  get size(): number {
    return this.#keys.length;
  }

  /** In the order of the keys; those that are new are on disk when it returns. */
  handlesOf(keys: readonly SentexKey[]): number[] {
    this.#add(keys.filter((key) => !this.#numbers.has(textOf(key))));
    return keys.map((key) => this.#numbers.get(textOf(key))!);
  }

  keyOf(handle: number): SentexKey | undefined {
    return this.#keys[handle - 1];
  }

  close(): void {
    this.#ledger.close();
  }

  #add(keys: SentexKey[]): void {
    const fresh = [...new Map(keys.map((key) => [textOf(key), key])).values()];
    if (fresh.length === 0) return;
    const at = new Date().toISOString();
    let place = this.#place;
    const lines = fresh.map(({ context, sentence }) => {
      const { line, record } = seal({ kind: "handle", context, sentence }, { place, at });
      place = { seq: record.seq, hash: record.hash };
      return line;
    });
    try {
      this.#ledger.append(lines);
    } catch (fault) {
      throw notSaved(`the table of handles cannot be written: ${reason(fault)}`);
    }
    this.#place = place;
    fresh.forEach((key) => this.#know(key));
  }

  #know({ context, sentence }: SentexKey): void {
    this.#numbers.set(textOf({ context, sentence }), this.#keys.push({ context, sentence }));
  }
}

function textOf({ context, sentence }: SentexKey): string {
  return JSON.stringify([context, sentence]);
}
