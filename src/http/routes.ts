/** Which operation is at which address, and which methods it takes (SPEC 2.2, 2.3). */
import type { Operation, OperationSet } from "../operations/operation.ts";

export interface Place {
  methods: Map<string, Operation>;
  /** The table that has this address and those below it. */
  collection?: Operation;
}

export type Routes = Map<string, Place>;

const made = new WeakMap<OperationSet, Routes>();

/** The places of a set, by the first segment of their path. */
export function routesOf(set: OperationSet): Routes {
  const known = made.get(set);
  if (known) return known;
  const routes = makeRoutes(set.operations);
  made.set(set, routes);
  return routes;
}

function makeRoutes(operations: Operation[]): Routes {
  const routes: Routes = new Map();
  for (const operation of operations) {
    const place: Place = routes.get(operation.path) ?? { methods: new Map() };
    routes.set(operation.path, place);
    if (operation.collection) place.collection = operation;
    else place.methods.set(operation.method, operation);
  }
  // An operation whose name has no prefix takes a body as well, where no other is posted to.
  for (const { methods } of routes.values()) {
    const get = methods.get("GET");
    if (get && get.name === get.path && !methods.has("POST")) methods.set("POST", get);
  }
  return routes;
}

/** The methods of a place, for `Allow`. */
export function allowed(methods: Iterable<string>): string {
  const all = new Set(methods);
  if (all.has("GET")) all.add("HEAD");
  all.add("OPTIONS");
  return [...all].join(", ");
}
