import { createHash } from "node:crypto";

/** SHA-256 of a short text, in hexadecimal digits: at once, where waiting for another thread takes longer. */
export function digestOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** SHA-256 of bytes, in hexadecimal digits. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
