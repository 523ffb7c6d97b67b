/**
 * Admissible values from the file itself: of an argument with a domain, and of the keys of a collection. A client
 * asks about an argument of a tool as if it were one of a prompt, since the protocol has no reference for tools.
 */
import type { CompleteResult } from "@modelcontextprotocol/server";
import { limits } from "../../base/limits.ts";
import { inputs, type Operation } from "../../operations/operation.ts";
import type { CallContext, OperationService } from "../../operations/service.ts";
import { type Candidates, completed, NO_CANDIDATES, shownValue } from "../completed.ts";
import type { Completion } from "../offer.ts";
import { collectionOf } from "./resources.ts";
import { toolOperations } from "../operation_tools.ts";

export async function complete(
  { ref, argument, filled }: Completion,
  service: OperationService,
  context: CallContext,
): Promise<CompleteResult> {
  const found = ref.type === "ref/prompt"
    ? await domainValues(ref.name, argument.name, service, context)
    : await keyValues(collectionOf(ref.uri, service.set), argument.name, filled, {
      service,
      context,
    });
  return completed(found, argument.value);
}

async function domainValues(
  name: string,
  argument: string,
  service: OperationService,
  context: CallContext,
): Promise<Candidates> {
  const operation = toolOperations(service).find((one) => one.name === name);
  const about = operation && inputs(operation).find((one) => one.name === argument);
  if (!operation || !about?.domain) return NO_CANDIDATES;
  return await service.values(operation, argument, { ...context, limit: limits.completed_values });
}

/** The values of a column of the rows that have the keys which are filled in. */
async function keyValues(
  operation: Operation | undefined,
  key: string,
  filled: Record<string, string>,
  { service, context }: { service: OperationService; context: CallContext },
): Promise<Candidates> {
  const keys = operation?.collection?.keys ?? [];
  if (!operation || !keys.includes(key)) return NO_CANDIDATES;
  const { result, truncated } = await service.rows(operation, { query: [] }, context);
  const others = Object.entries(filled).filter(([name]) => name !== key && keys.includes(name));
  const rows = (result as unknown[]).map((row) => asObject(row, operation));
  const fitting = rows.filter((row) =>
    others.every(([name, text]) => shownValue(row[name]) === text)
  );
  return { values: fitting.map((row) => row[key]), truncated };
}

/** The row of a table with one column is the bare value. */
function asObject(row: unknown, { arguments: all }: Operation): Record<string, unknown> {
  return all.length === 1 ? { [all[0].name]: row } : row as Record<string, unknown>;
}
