import { ZpmError } from "../../base/errors.ts";
import { cannotRenameReadOnly, referencesLeft } from "../../base/rename_errors.ts";
import type { Memory, Reply, Request } from "../../memory/memory.ts";
import { count, defineTool, flag, memoryName, optional, text } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Report = {
  renamed_facts: number;
  rewritten_rule_bodies: number;
  affected_rule_ids: string[];
  cross_memory_impact: {
    rewritten: { memory: string; rules_updated: number }[];
    warnings: Skipped[];
    skipped_readonly: Skipped[];
  };
  is_error: boolean;
  commit?: number;
};

type Skipped = { memory: string; refs: number; reason: string };

/** Changes that follow in other memories, each a commit of its own. */
type Elsewhere = { elsewhere: { memory: string; request: Request }[] };

/** A memory and a number, perhaps with a reason. */
const impact = { type: "array", items: { type: "object", additionalProperties: true } };

export default defineTool({
  name: "rename_predicate",
  title: "Rename Predicate",
  effect: "write",
  idempotent: false,
  destructive: true,
  summary: "Give a predicate another name in facts, rules and assumptions.",
  description:
    "Atomically rename a Prolog functor across all facts, rules, TMS justifications, and optionally cross-memory " +
    "references in the knowledge base. The order of clauses stays. The same name as data is told and not changed, and so " +
    "are the files that still hold the old name. Use dry_run first: it reports the same and changes nothing.",
  input: {
    old_functor: text("The current functor name to rename (must be a valid Prolog atom)"),
    new_functor: text(
      "The new functor name (must be a valid Prolog atom and not already exist with the same arity)",
    ),
    arity: optional(count(
      "The arity of the functor to rename (required if multiple arities exist). If omitted and only one arity exists, " +
        "that arity is used. If omitted and multiple arities exist, returns an error listing detected arities.",
      { minimum: 0 },
    )),
    memory: memoryName(
      "The target memory segment (default: 'default'). Must be writable (not mounted read-only).",
    ),
    dry_run: optional(flag(
      "Preview mode: returns the full impact report without mutating the KB (default: false)",
    )),
    propagate_cross_memory_refs: optional(flag(
      "When true, rewrite qualified references (e.g., 'segment:old_functor/N') in all writable mounted memories " +
        "(default: false). Cross-memory impact is always reported regardless of this flag.",
    )),
  },
  output: {
    renamed_facts: { type: "integer", description: "How many facts have the new name" },
    rewritten_rule_bodies: {
      type: "integer",
      description: "In how many bodies of rules the name was replaced",
    },
    affected_rule_ids: {
      type: "array",
      items: { type: "string" },
      description: "The heads of the rules that changed, as they are now",
    },
    cross_memory_impact: {
      type: "object",
      description: "References from other memories",
      additionalProperties: false,
      properties: {
        rewritten: { ...impact, description: "Memories whose rules were rewritten" },
        warnings: { ...impact, description: "Writable memories that still name the old one" },
        skipped_readonly: { ...impact, description: "Read-only memories that still do" },
      },
    },
    is_error: { type: "boolean", description: "False: the predicate was renamed" },
    commit: { type: "integer", description: "Number of the commit; absent after a dry run" },
  },
  examples: [{
    input: { old_functor: "human", new_functor: "person", arity: 1, dry_run: true },
    says: '{"renamed_facts":1,"rewritten_rule_bodies":1,"affected_rule_ids":["mortal(X)"],' +
      '"cross_memory_impact":{"rewritten":[],"warnings":[],"skipped_readonly":[]},"is_error":false}',
  }],
  async run(memory, { old_functor, new_functor, arity, dry_run, propagate_cross_memory_refs }) {
    const request = {
      op: "rename",
      old_functor,
      new_functor,
      propagate: propagate_cross_memory_refs ?? false,
      ...(arity !== undefined && { arity }),
    };
    const { warnings = [], elsewhere, ...structure } = await rename(memory, request, dry_run);
    for (const work of elsewhere) {
      const { rules_updated, told } = await renameElsewhere(memory, work, dry_run);
      warnings.push(...told);
      if (!rules_updated) continue;
      structure.cross_memory_impact.rewritten.push({ memory: work.memory, rules_updated });
    }
    return { structure, warnings };
  },
  say: ({ commit: _, ...report }) => JSON.stringify(report),
});

async function rename(
  memory: Memory,
  request: Request,
  dry_run = false,
): Promise<Reply<Report & Elsewhere>> {
  try {
    return await change<Report & Elsewhere>(memory, request, dry_run);
  } catch (error) {
    const readOnly = error instanceof ZpmError && error.code === "read_only";
    throw readOnly ? cannotRenameReadOnly(memory.name, error.hint) : error;
  }
}

/** Each memory for itself: one that cannot be written to holds up none of the others. */
async function renameElsewhere(
  here: Memory,
  { memory: name, request }: Elsewhere["elsewhere"][number],
  dry_run = false,
): Promise<{ rules_updated: number; told: string[] }> {
  try {
    const memory = await here.other(name);
    const done = await change<{ rules_updated: number }>(memory, request, dry_run);
    return { rules_updated: done.rules_updated, told: done.warnings ?? [] };
  } catch (error) {
    if (!(error instanceof ZpmError)) throw error;
    return { rules_updated: 0, told: [referencesLeft(name, error.message)] };
  }
}

function change<Body>(memory: Memory, request: Request, dry_run: boolean): Promise<Reply<Body>> {
  return dry_run ? memory.ask<Body>({ op: "preview", request }) : memory.commit<Body>(request);
}
