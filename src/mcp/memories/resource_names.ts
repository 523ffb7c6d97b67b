/** What the resources are called: `zpm://memory/NAME/source` and its kin. */

/** What a URI names. */
export type ResourceName =
  | { kind: "source" | "schema"; memory: string }
  | { kind: "predicate"; memory: string; functor: string; arity: number }
  | { kind: "snapshot"; memory: string; snapshot: string };

export const uriTemplates = {
  source: "zpm://memory/{name}/source",
  schema: "zpm://memory/{name}/schema",
  predicate: "zpm://memory/{name}/predicate/{functor}/{arity}",
  snapshot: "zpm://memory/{name}/snapshot/{snapshot}",
} as const;

const shape =
  /^zpm:\/\/memory\/([a-z][a-z0-9_]{0,63})\/(?:(source|schema)|predicate\/([^/]*)\/(\d{1,4})|snapshot\/([^/]+))$/;

/** What a URI names, or undefined when it is none of ours. */
export function resourceName(uri: string): ResourceName | undefined {
  const [, memory, whole, functor, arity, snapshot] = shape.exec(uri) ?? [];
  if (memory === undefined) return undefined;
  if (whole !== undefined) return { kind: whole as "source" | "schema", memory };
  const plain = decoded(functor ?? snapshot);
  if (plain === undefined) return undefined;
  if (snapshot !== undefined) return { kind: "snapshot", memory, snapshot: plain };
  return { kind: "predicate", memory, functor: plain, arity: Number(arity) };
}

/** The memory that a URI is about. */
export function memoryOf(uri: string): string | undefined {
  return resourceName(uri)?.memory;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
