import { checksFailed, ZpmError } from "../../base/errors.ts";
import { withoutEngine } from "../../base/execution_errors.ts";
import { type Fault, fromFault } from "../../base/faults.ts";
import type { ReadMemory, Reply, Request } from "../../memory/memory.ts";
import { pageArguments, pageNotes, pageOutput, pageRequest } from "../paging.ts";
import { defineTool, memoryName, optional, text } from "../tool.ts";

/** Types, not interfaces, so that they fit `Record<string, unknown>`. */
type Found = {
  violations: unknown[];
  unknown?: string[];
  truncated: boolean;
  next_offset?: number;
};
type Checked = Found & { errors: string[] };

/** As Prolog answers: what each clause threw. */
type Answer = Found & { faults: (Fault & { clause: string })[] };

export default defineTool({
  name: "verify_consistency",
  title: "Verify Consistency",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "List what the rules integrity_violation/N find wrong.",
  description:
    "Check the knowledge base for integrity violations by querying integrity_violation/N predicates. Define them " +
    "with define_rule: the head names what is wrong, such as integrity_violation(missing_owner(X)). Every clause is " +
    "asked, each violation comes once. A clause that throws makes the call fail, and what the others found is still " +
    "shown. Use it after changes, and before relying on what the memory says.",
  input: {
    scope: optional(
      text('Optional domain scope to filter integrity checks (e.g. "deployment")'),
    ),
    memory: memoryName(),
    ...pageArguments("violations"),
  },
  output: {
    violations: {
      type: "array",
      items: { type: ["string", "number", "array"] },
      description: "The argument of each violation, or the list of its arguments",
    },
    errors: {
      type: "array",
      items: { type: "string" },
      description: "What kept a clause from being checked",
    },
    unknown: {
      type: "array",
      items: { type: "string" },
      description: "Predicates that were called and do not exist, as name/arity",
    },
    ...pageOutput,
  },
  examples: [{ input: {}, says: '{"violations":["deploy_v3"]}' }],
  async run(memory, { scope, limit, offset }) {
    const { warnings, ...structure } = await check(memory, {
      op: "consistency",
      ...(scope !== undefined && { scope }),
      ...pageRequest({ limit, offset }),
    });
    if (structure.errors.length > 0) {
      const warned = warnings?.map((warning) => `Warning: ${warning}`) ?? [];
      const lines = [...structure.errors, ...warned, ...pageNotes(structure)];
      throw checksFailed(said(structure), lines, { ...structure, ...(warnings && { warnings }) });
    }
    return { structure, warnings, notes: pageNotes(structure) };
  },
  say: said,
});

function said({ violations }: { violations: unknown[] }): string {
  return JSON.stringify({ violations });
}

/** Also what was found before the clock stopped the checks has its errors in words. */
async function check(memory: ReadMemory, request: Request): Promise<Reply<Checked>> {
  try {
    return worded(await memory.ask<Answer>(request));
  } catch (error) {
    if (!(error instanceof ZpmError) || !error.partial) {
      throw withoutEngine(error, "ExecutionFailed");
    }
    const { code, message, hint } = error;
    const partial = worded(error.partial as Answer);
    throw new ZpmError(code, message, [hint, ...partial.errors].join("\n"), { partial });
  }
}

function worded({ violations, faults, ...rest }: Reply<Answer>): Reply<Checked> {
  const errors = faults.map((fault) => `${fault.clause}: ${fromFault(fault).message}`);
  return { violations, errors, ...rest };
}
