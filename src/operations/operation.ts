/** What Prolog tells of a documented file (`src/prolog/operations.pl`): everything the faces are made from. */

/** A declared type, as data; `src/prolog/types.pl` says what it takes and gives. */
export type Type =
  | {
    kind:
      | "int"
      | "nonneg"
      | "positive_integer"
      | "float"
      | "number"
      | "atom"
      | "string"
      | "bool";
  }
  | { kind: "any" }
  | { kind: "list"; of: Type }
  | { kind: "between"; low: number; high: number; whole: boolean }
  | { kind: "oneof"; values: unknown[] };

export interface Argument {
  name: string;
  direction: "in" | "out";
  type: Type;
  description: string;
  /** Where its admissible values come from; `fixed` when nothing declares that they may change. */
  domain?: { source: string; fixed: boolean };
}

export type Determinism = "det" | "semidet" | "nondet" | "multi";

export interface Operation {
  /** The predicate's. */
  name: string;
  line: number;
  method: "GET" | "PUT" | "DELETE" | "POST" | "PATCH";
  /** One segment, without the slash. */
  path: string;
  /** Its name says that it changes something. */
  changing: boolean;
  determinism: Determinism;
  description: string;
  arguments: Argument[];
  /** The table that the predicate lists; then it is not called by its name. */
  collection?: { name: string; keys: string[]; dynamic: boolean };
}

/** A mode line, or a tag, that is not followed. */
export interface Skipped {
  line: number;
  mode: string;
  why: string;
}

export interface OperationSet {
  title: string;
  description: string;
  operations: Operation[];
  skipped: Skipped[];
  /** Operations whose names do not say that they change something, and that write: it is undone. */
  undone: string[];
  /** The source has database writes: one engine must answer everything. */
  changes_itself: boolean;
}

/** The columns of a collection that are its key, in the order of its address. */
export function keyColumns({ arguments: all, collection }: Operation): Argument[] {
  return (collection?.keys ?? []).map((key) => all.find(({ name }) => name === key)!);
}

export function inputs(operation: Operation): Argument[] {
  return operation.arguments.filter(({ direction }) => direction === "in");
}

export function outputs(operation: Operation): Argument[] {
  return operation.arguments.filter(({ direction }) => direction === "out");
}

/** Which names a tool of MCP may have, for the clients there are. */
export function isToolName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name);
}
