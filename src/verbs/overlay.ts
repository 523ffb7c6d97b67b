/**
 * The overlay's `.edn` files, added to an engine whose memory becomes the base of all forks (SPEC 3.3). A form is a
 * sentence, which stands in the base's context, or a vector of a sentence and its context; `excepts.edn`, which goes
 * last, says in the same way what is not believed.
 */
import { ZpmError } from "../base/errors.ts";
import { overlayRefused } from "../base/verb_errors.ts";
import type { Engine } from "../engine/engine.ts";
import { readReply } from "../engine/reply.ts";
import type { KbFile } from "../store/protocol.ts";
import { readPlacedForms } from "./edn.ts";

export interface OverlayOptions {
  base_context: string;
  /** What is worth knowing and no error, a line each. */
  report?: (line: string) => void;
}

const EXCEPTS = "excepts.edn";

/** Adds the files in their order; throws for the first that holds what is no sentence. */
export async function addOverlay(
  engine: Engine,
  files: readonly KbFile[],
  options: OverlayOptions,
): Promise<void> {
  const isLast = ({ name }: KbFile) => name === EXCEPTS;
  for (const file of [...files.filter((each) => !isLast(each)), ...files.filter(isLast)]) {
    try {
      await addFile(engine, file, options);
    } catch (error) {
      throw error instanceof ZpmError ? overlayRefused(file.name, error) : error;
    }
  }
}

async function addFile(
  engine: Engine,
  { name, bytes }: KbFile,
  { base_context, report }: OverlayOptions,
): Promise<void> {
  const text = new TextDecoder("utf-8", { fatal: false }).decode(bytes);
  const forms = readPlacedForms(text, "file").map(({ line, form }) => [line, form]);
  const request = { op: "verb_overlay", memory: "default", name, forms, base_context };
  const reply = await engine.ask({ ...request, excepts: name === EXCEPTS });
  const { unmatched } = readReply(reply, "rule") as { unmatched: number[] };
  for (const line of unmatched) {
    report?.(
      `warning: ${name}:${line}: nothing in the base is such a sentence, so nothing is excepted`,
    );
  }
}
