/** A documented file in an engine, for the tests of operations. */
import { limits } from "../../src/base/limits.ts";
import { loadAssets } from "../../src/engine/assets.ts";
import { loadOperations } from "../../src/operations/load.ts";
import type { OperationSet } from "../../src/operations/operation.ts";
import { OperationService, type ServiceOptions } from "../../src/operations/service.ts";

type Content = string | Uint8Array<ArrayBuffer>;

function sourceOf(content: Content) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { name: "t.pl", bytes };
}

/** What is exposed of a text, and what is not. */
export async function operationsOf(text: string): Promise<OperationSet> {
  const { set, engine } = await loadOperations(sourceOf(text), await loadAssets());
  engine.stop();
  return set;
}

/** A service of a text, while `work` runs. */
export async function withService(
  text: Content,
  work: (service: OperationService) => Promise<void>,
  options: Partial<ServiceOptions> = {},
): Promise<void> {
  const service = await OperationService.open(sourceOf(text), {
    assets: await loadAssets(),
    interpreters: 1,
    deadline_ms: limits.deadline_ms,
    max_solutions: limits.operation_solutions,
    ...options,
  });
  try {
    await work(service);
  } finally {
    await service.close();
  }
}
