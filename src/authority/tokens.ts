/** Bearer tokens of principals: 256 bits of chance, known to their owner only. What is kept is their fingerprint. */
import { randomBytes } from "node:crypto";
import { digestOf } from "../base/digest.ts";

/** The beginning lets those find it who look for secrets in places where they should not be. */
const PREFIX = "zpm_";

export function newToken(): string {
  return PREFIX + randomBytes(32).toString("base64url");
}

/** SHA-256 of the token, as the config has it. */
export function fingerprint(token: string): Promise<string> {
  return digestOf(new TextEncoder().encode(token));
}
