/** A documented file in an engine, for the tests of operations. */
import { loadAssets } from "../../src/engine/assets.ts";
import { loadOperations } from "../../src/operations/load.ts";
import type { OperationSet } from "../../src/operations/operation.ts";

/** What is exposed of a text, and what is not. */
export async function operationsOf(text: string): Promise<OperationSet> {
  const bytes = new TextEncoder().encode(text);
  const { set, engine } = await loadOperations({ name: "t.pl", bytes }, await loadAssets());
  engine.stop();
  return set;
}
