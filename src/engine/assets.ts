/**
 * What an engine is made of: the emscripten glue, the compiled module, the library files, our Prolog texts,
 * and the memory image that lets it skip the cold boot.
 *
 * From source the files lie in the npm package and the image in `dist/`; in the bundled program all of them
 * lie beside the bundle, packed. They are read before the main thread gives its permissions away.
 */
import { gunzipSync, gzipSync } from "node:zlib";
import { digestOf } from "../base/digest.ts";
import { prologTexts } from "../prolog/bundle.ts";
import { decodeImageFile, encodeImageFile, sharedBytes } from "./image_file.ts";
import workerText from "./worker.js" with { type: "text" };
// Importing something of the package is what makes its files resolvable.
import swipl from "swipl-wasm/package.json" with { type: "json" };

/** The engine's package and version; part of the image's key. */
export const SWIPL = `${swipl.name}@${swipl.version}`;

/** A file for an engine's worker, which unpacks it itself while this thread goes on. */
export interface EngineFile {
  /** In memory that workers share, so that nothing is copied on the way. */
  bytes: Uint8Array;
  gzip: boolean;
  /** How many bytes it has when it is unpacked. */
  size: number;
}

/** A copy of an engine's memory (DESIGN section 3): the bytes without trailing zeros, and the whole size. */
export interface Image extends EngineFile {
  pages: number;
}

export interface Assets {
  /** The worker's one text. */
  worker: string;
  /** Compiled when it is first asked for. */
  module(): Promise<WebAssembly.Module>;
  /** The library files, for the cold boot, when there is no image. */
  data: EngineFile;
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
function readBytes(name: string): Uint8Array<ArrayBuffer> {
  return Deno.readFileSync(address(bundled ? `${name}.gz` : name));
}

function readFile(name: string): EngineFile {
  const bytes = readBytes(name);
  return { bytes: sharedBytes(bytes), gzip: bundled, size: bundled ? sizeOf(bytes) : bytes.length };
}

/** In one piece: with its usual chunks of 16 KB, gunzip takes twice as long. */
function unpacked(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (!bundled) return bytes;
  const all = gunzipSync(bytes, { chunkSize: sizeOf(bytes) + 64 });
  return new Uint8Array(all.buffer as ArrayBuffer, all.byteOffset, all.length);
}

/** The length before packing is the last thing in a gzip file. */
function sizeOf(packed: Uint8Array): number {
  return new DataView(packed.buffer, packed.byteOffset).getUint32(packed.length - 4, true);
}

/** Reads everything. Without a current image the engine boots cold: slower, never wrong. */
export async function loadAssets(): Promise<Assets> {
  const key = await imageKey();
  const wasm = readBytes("swipl-web.wasm");
  let module: Promise<WebAssembly.Module> | undefined;
  return {
    worker: new TextDecoder().decode(unpacked(readBytes("swipl-web.js"))) + ";\n" + workerText,
    module: () => module ??= WebAssembly.compile(unpacked(wasm)),
    data: readFile("swipl-web.data"),
    files: prologTexts,
    key,
    image: readImage(key),
  };
}

/** The image belongs to exactly this engine, these Prolog texts and this worker. */
export async function imageKey(): Promise<string> {
  const text = JSON.stringify([SWIPL, prologTexts, workerText]);
  return await digestOf(new TextEncoder().encode(text));
}

interface ImageHeader {
  key: string;
  pages: number;
  /** Of the unpacked bytes, where they are packed. */
  size?: number;
}

export function encodeImage(key: string, image: Image): Uint8Array {
  return encodeImageFile({ key, pages: image.pages } satisfies ImageHeader, image.bytes);
}

/** For the program that embeds it: the header stays readable. */
export function packImage(file: Uint8Array): Uint8Array {
  const { header, bytes } = decodeImageFile<ImageHeader>(file);
  const packed = gzipSync(bytes, { level: 9 });
  return encodeImageFile({ ...header, size: bytes.length } satisfies ImageHeader, packed);
}

function readImage(key: string): Image | undefined {
  let file: Uint8Array;
  try {
    file = Deno.readFileSync(address("base.image"));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const { header, bytes } = decodeImageFile<ImageHeader>(file);
  if (header.key !== key) return undefined;
  const { pages, size } = header;
  const gzip = size !== undefined;
  return { pages, bytes: sharedBytes(bytes), gzip, size: size ?? bytes.length };
}
