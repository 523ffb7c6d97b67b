/** Texts that a command reads: a file that was named, or standard input. */
import { ZpmError } from "../base/errors.ts";
import type { Io } from "./io.ts";
import { usage } from "./options.ts";

/** A byte that is wrong would be stored as another character; a byte order mark is no text. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

export async function fileText(path: string, io: Io): Promise<string> {
  const bytes = await fileBytes(path, io);
  try {
    return decoded(bytes);
  } catch (error) {
    if (!(error instanceof ZpmError)) throw error;
    throw unreadable(`the file "${path}"`, error.message, error.hint);
  }
}

export async function fileBytes(
  path: string,
  io: Io,
  hint = "Name a file of text, or - for standard input",
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await io.readFile(path);
  } catch (error) {
    const why = error instanceof Deno.errors.NotFound ? "there is none" : reasonOf(error);
    throw unreadable(`the file "${path}"`, why, hint);
  }
}

export async function inputText(io: Io): Promise<string> {
  try {
    return decoded(await io.readInput());
  } catch (error) {
    if (error instanceof ZpmError) throw unreadable("standard input", error.message, error.hint);
    throw error;
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw usage("it is not UTF-8", "Save the text as UTF-8, then retry");
  }
}

function unreadable(what: string, why: string, hint?: string): ZpmError {
  return usage(`Cannot read ${what}: ${why}`, hint);
}

/** Deno says the call, too: `Is a directory (os error 21): readfile '.'`. */
function reasonOf(error: unknown): string {
  const { message } = error as Error;
  return message.replace(/ \(os error .*$/s, "").toLowerCase();
}
