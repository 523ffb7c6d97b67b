/** How a memory image stands in a file: one line of JSON that says what it is, then the bytes. */

export function encodeImageFile(header: object, bytes: Uint8Array): Uint8Array {
  const line = new TextEncoder().encode(JSON.stringify(header) + "\n");
  const file = new Uint8Array(line.length + bytes.length);
  file.set(line);
  file.set(bytes, line.length);
  return file;
}

/** Throws a SyntaxError when the first line is no JSON. */
export function decodeImageFile<Header>(file: Uint8Array): { header: Header; bytes: Uint8Array } {
  const end = file.indexOf(0x0a);
  const header = JSON.parse(new TextDecoder().decode(file.slice(0, end)));
  return { header, bytes: file.subarray(end + 1) };
}

/** A copy in memory that workers share, so that booting from it copies it once. */
export function sharedBytes(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}
