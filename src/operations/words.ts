/** Operations as a person reads them. */
import type { Operation, Type } from "./operation.ts";

/** As a mode line says it: `check(+Age:int, -Reason:string) is nondet`. */
export function modeText({ name, arguments: all, determinism }: Operation): string {
  const words = all.map(({ name, direction, type }) =>
    `${direction === "in" ? "+" : "-"}${name}:${typeText(type)}`
  );
  return `${name}${words.length === 0 ? "" : `(${words.join(", ")})`} is ${determinism}`;
}

export function typeText(type: Type): string {
  switch (type.kind) {
    case "list":
      return `list(${typeText(type.of)})`;
    case "between":
      return `between(${type.low}, ${type.high})`;
    case "oneof":
      return `oneof([${type.values.join(", ")}])`;
    default:
      return type.kind;
  }
}

/** Its addresses; members of a collection take these methods. */
export function addresses({ method, path, collection }: Operation, methods = ["GET"]): string[] {
  const address = `/${encodeURIComponent(path)}`;
  if (!collection) return [`${method} ${address}`];
  const keys = collection.keys.map((key) => `/{${key}}`).join("");
  return [`${method} ${address}`, ...methods.map((each) => `${each} ${address}${keys}`)];
}

/** The first paragraph of a description, on one line. */
export function summary(description: string): string {
  return description.split(/\n\s*\n/)[0].replaceAll(/\s+/g, " ").trim();
}
