/**
 * CRC-32 (the polynomial of zip and PNG), our own so that the store's worker starts without a crypto library.
 * It finds a torn or rotten line; it is no defence against somebody who wants to forge one.
 */

/** The checksum of `bytes`, or of what came before and `bytes` when `before` is the checksum so far. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) {
    crc = table[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/** A checksum as it stands in a journal line: eight hexadecimal digits. */
export function hex8(sum: number): string {
  return sum.toString(16).padStart(8, "0");
}

const table = makeTable();

function makeTable(): Uint32Array {
  const made = new Uint32Array(256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    made[n] = c;
  }
  return made;
}
