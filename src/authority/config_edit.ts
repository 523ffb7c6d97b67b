/** A principal put into the text of a config: the other keys, their order and the indentation stay as they are. */
import type { Principal } from "./principal.ts";

/** The text with the principal in it; of one that is there, only the fingerprint changes. The text is a config. */
export function withPrincipal(text: string, { name, ...shape }: Principal): string {
  const config = JSON.parse(text) as { principals?: Record<string, Record<string, unknown>> };
  const principals = config.principals ??= {};
  if (Object.hasOwn(principals, name)) principals[name].token_sha256 = shape.token_sha256;
  else principals[name] = shape;
  const indentation = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
  return JSON.stringify(config, null, indentation) + "\n";
}
