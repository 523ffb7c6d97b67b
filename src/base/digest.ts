/** SHA-256 of bytes, in hexadecimal digits. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
