/**
 * The numbers of sentexes: one for each pair of context and sentence, the same in all forks, never used twice
 * (SPEC 3.1). That a number exists says nothing about who may see its sentence.
 */

/** A sentence in a context; the sentence is canonical text, which only Prolog makes and reads. */
export interface SentexKey {
  context: string;
  sentence: string;
}

export interface Handles {
  /** In the order of the keys; new ones are on disk when it settles. */
  handlesOf(keys: readonly SentexKey[]): Promise<number[]>;
  /** Undefined for a number that was never given. */
  keyOf(handle: number): Promise<SentexKey | undefined>;
}
