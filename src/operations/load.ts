/**
 * A documented file in an engine: loaded as any file of a memory is, and then read for its mode lines.
 *
 * The file is the whole memory. What does not load there is an error here, since an operation with half of its
 * clauses would answer wrongly.
 */
import { fileNotLoaded } from "../base/operation_errors.ts";
import type { Assets, Image } from "../engine/assets.ts";
import { bootBase } from "../engine/boot.ts";
import type { Engine } from "../engine/engine.ts";
import { readReply } from "../engine/reply.ts";
import { loadedEngine, type Report, reportLine } from "../memory/files.ts";
import type { OperationSet } from "./operation.ts";

/** The memory that a file is, inside of its engines. */
export const MEMORY = "default";

export interface SourceFile {
  /** Without its folder. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A file in an engine, and what it exposes. */
export interface Documented {
  set: OperationSet;
  /** What the loader said that is no error. */
  warnings: Report[];
  /** The engine that loaded it. */
  engine: Engine;
}

export interface Loaded extends Documented {
  /** From which engines boot that have the file. */
  image: Image;
}

/** The same, for more engines than the one that loaded the file. */
export async function loadOperations(file: SourceFile, assets: Assets): Promise<Loaded> {
  const documented = await documentedEngine(file, assets);
  try {
    return { ...documented, image: await documented.engine.image() };
  } catch (error) {
    documented.engine.stop();
    throw error;
  }
}

/** Loads a file and reads its operations; throws `FileNotLoaded` with all that is wrong in it. */
export async function documentedEngine(file: SourceFile, assets: Assets): Promise<Documented> {
  const memory = { name: MEMORY, mode: "ro", files: [file], bare: true };
  const { engine, reports } = await loadedEngine([memory], () => bootBase(assets));
  try {
    const said = reports.get(MEMORY) ?? [];
    const errors = said.filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw fileNotLoaded(file.name, errors.map(reportLine));
    const path = `/${file.name}`;
    const request = { op: "document", memory: MEMORY, path };
    const reply = await engine.ask(request, [{ path, bytes: file.bytes }]);
    // Bounds of types are numbers again, and not their texts.
    const set: OperationSet = JSON.parse(JSON.stringify(readReply(reply, "file")));
    return { set, warnings: said.filter(({ severity }) => severity !== "error"), engine };
  } catch (error) {
    engine.stop();
    throw error;
  }
}
