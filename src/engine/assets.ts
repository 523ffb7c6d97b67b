/**
 * What an engine is made of: the emscripten glue, the compiled module, the library files, our Prolog texts,
 * and the memory image that lets it skip the cold boot.
 *
 * From source the files lie in the npm package and the image in `dist/`; in the bundled program all of them
 * lie beside the bundle. They are read before the main thread gives its permissions away.
 */
import { gunzipSync } from "node:zlib";
import { digestOf } from "../base/digest.ts";
import { prologTexts } from "../prolog/bundle.ts";
import { decodeImageFile, encodeImageFile, sharedBytes } from "./image_file.ts";
import workerText from "./worker.js" with { type: "text" };
// Importing something of the package is what makes its files resolvable.
import swipl from "swipl-wasm/package.json" with { type: "json" };

/** The engine's package and version; part of the image's key. */
export const SWIPL = `${swipl.name}@${swipl.version}`;

/** A copy of an engine's memory (DESIGN section 3): the bytes without trailing zeros, and the whole size. */
export interface Image {
  pages: number;
  bytes: Uint8Array;
}

/** Only a cold boot reads them, so they are unpacked when one needs them; an image only wants their size. */
export interface Library {
  size: number;
  bytes(): Uint8Array;
}

export interface Assets {
  /** The worker's one text. */
  worker: string;
  module: WebAssembly.Module;
  /** The library files. */
  data: Library;
  /** For the cold boot, when there is no image. */
  files: Record<string, string>;
  /** Which engine this is: of its image and of everything else that it is made of. */
  key: string;
  image?: Image;
}

const bundled = !import.meta.url.endsWith(".ts");

/** The address of one of the engine's files. */
function address(name: string): URL {
  if (bundled) return new URL(`./assets/${name}`, import.meta.url);
  if (name === "base.image") return new URL("../../dist/base.image", import.meta.url);
  return new URL(import.meta.resolve(`swipl-wasm/dist/swipl/${name}`));
}

/** Embedded files are compressed: every megabyte of a program costs its start some milliseconds. */
function readAsset(name: string): Uint8Array<ArrayBuffer> {
  if (!bundled) return Deno.readFileSync(address(name));
  return unpacked(Deno.readFileSync(address(`${name}.gz`)));
}

/** In one piece: with its usual chunks of 16 KB, gunzip takes twice as long. */
function unpacked(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = gunzipSync(packed, { chunkSize: sizeOf(packed) + 64 });
  return new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length);
}

/** The length before packing is the last thing in a gzip file. */
function sizeOf(packed: Uint8Array): number {
  return new DataView(packed.buffer, packed.byteOffset).getUint32(packed.length - 4, true);
}

/** Read now, while reading is allowed. */
function readLibrary(): Library {
  if (!bundled) {
    const bytes = Deno.readFileSync(address("swipl-web.data"));
    return { size: bytes.length, bytes: () => bytes };
  }
  const packed = Deno.readFileSync(address("swipl-web.data.gz"));
  return { size: sizeOf(packed), bytes: () => unpacked(packed) };
}

/** Reads and compiles everything. Without a current image the engine boots cold: slower, never wrong. */
export async function loadAssets(): Promise<Assets> {
  // Compiling goes on in other threads while this one unpacks the rest.
  const compiling = WebAssembly.compile(readAsset("swipl-web.wasm"));
  const key = await imageKey();
  const image = readImage(key);
  const glue = new TextDecoder().decode(readAsset("swipl-web.js"));
  return {
    worker: glue + ";\n" + workerText,
    data: readLibrary(),
    files: prologTexts,
    key,
    image,
    module: await compiling,
  };
}

/** The image belongs to exactly this engine, these Prolog texts and this worker. */
export async function imageKey(): Promise<string> {
  const text = JSON.stringify([SWIPL, prologTexts, workerText]);
  return await digestOf(new TextEncoder().encode(text));
}

/** The header holds key and pages. */
export function encodeImage(key: string, image: Image): Uint8Array {
  return encodeImageFile({ key, pages: image.pages }, image.bytes);
}

function readImage(key: string): Image | undefined {
  let file: Uint8Array;
  try {
    file = readAsset("base.image");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const { header, bytes } = decodeImageFile<{ key: string; pages: number }>(file);
  if (header.key !== key) return undefined;
  return { pages: header.pages, bytes: sharedBytes(bytes) };
}
