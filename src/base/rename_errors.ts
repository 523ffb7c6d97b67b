/** The words for a predicate that is not renamed; most of them are the reference's. The first page is `errors.ts`. */
import { type ErrorCode, ZpmError } from "./errors.ts";

/** What `src/prolog/rename.pl` refuses. */
export interface RenameFault {
  kind: string;
  predicate?: unknown;
  functor?: unknown;
  arities?: unknown;
  memory?: unknown;
  why?: unknown;
  /** Memories whose rules still call the predicate. */
  callers?: unknown;
}

/** Undefined for a fault that is none of renaming. */
export function renameError(fault: RenameFault): ZpmError | undefined {
  const { kind, predicate, functor, memory, why } = fault;
  switch (kind) {
    case "rename_same":
      return refused("input", "old and new name are the same", "Give another new_functor");
    case "rename_exists":
      return refused(
        "conflict",
        `${predicate} already exists in memory '${memory}'`,
        "Choose another name; two predicates are not merged",
      );
    case "rename_operator":
      return new ZpmError(
        "not_allowed",
        `Cannot rename ISO operator: ${predicate}`,
        "Its meaning is Prolog's own; only predicates of the memory can be renamed",
      );
    case "rename_built_in":
      return new ZpmError(
        "not_allowed",
        `Cannot rename to a built-in: ${predicate}`,
        String(why),
      );
    case "rename_unknown":
      return new ZpmError(
        "not_found",
        `Unknown predicate: ${predicate} in memory '${memory}'`,
        fault.callers
          ? `Only rules of ${(fault.callers as string[]).join(", ")} call it: ` +
            "propagate_cross_memory_refs renames it there"
          : "get_knowledge_schema shows what there is",
      );
    case "rename_ambiguous": {
      const arities = (fault.arities as number[]).join(", ");
      return new ZpmError(
        "input",
        `Ambiguous arity for ${functor}; detected arities: ${arities}. Specify arity parameter.`,
        "Predicates of one name and different arities are different predicates",
      );
    }
    case "rename_read_only":
      return cannotRenameReadOnly(String(memory));
  }
}

/** The target memory takes no writes. */
export function cannotRenameReadOnly(
  name: string,
  hint = "Unmount it, then mount it with mode rw",
): ZpmError {
  return new ZpmError("read_only", `Cannot rename in read-only memory: ${name}`, hint);
}

/** The target was renamed, but not its name in another memory, which can be done by the same call. */
export function referencesLeft(name: string, why: string): string {
  return `The references in ${name} were not rewritten (${why}): the same call again does it`;
}

function refused(code: ErrorCode, why: string, hint: string): ZpmError {
  return new ZpmError(code, `Cannot rename: ${why}`, hint);
}
