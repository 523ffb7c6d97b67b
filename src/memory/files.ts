/**
 * Loading `kb/*.pl` into an engine. Prolog reads and judges the clauses; this only carries bytes, and finds
 * the clause that kills an engine, so that a file cannot stop the start (ENGINE-NOTES 0.2).
 */
import { type Engine, EngineLost } from "../engine/engine.ts";
import { readReply } from "../engine/reply.ts";
import type { KbFile } from "../store/protocol.ts";

/** One thing the loader has to say, printed as `kb/a.pl:12: ...`. */
export interface Report {
  file: string;
  line: number;
  severity: "error" | "warning" | "note";
  message: string;
}

/** What is known of a file that killed an engine. */
interface Suspect {
  /** Lines of clauses to pass over; the whole file when that is not enough. */
  skip: number[];
  whole: boolean;
}

/** More deadly clauses than this, and the rest of the file is passed over. */
const DEADLY_CLAUSES = 20;

/** Boots engines until one has survived all files; `boot` makes one with the empty memory. */
export async function loadedEngine(
  memory: string,
  files: KbFile[],
  boot: () => Promise<Engine>,
): Promise<{ engine: Engine; reports: Report[] }> {
  const suspects = new Map<string, Suspect>();
  while (true) {
    const engine = await boot();
    const reports: Report[] = [];
    const killer = await loadAll(engine, memory, files, suspects, reports);
    if (!killer) return { engine, reports };
    suspect(suspects, killer.file.name, killer.error);
  }
}

async function loadAll(
  engine: Engine,
  memory: string,
  files: KbFile[],
  suspects: Map<string, Suspect>,
  reports: Report[],
): Promise<{ file: KbFile; error: EngineLost } | undefined> {
  const names = files.map((file) => file.name);
  for (const file of files) {
    const known = suspects.get(file.name);
    if (known?.whole) {
      reports.push(passedOver(file));
      continue;
    }
    const path = `/${file.name}`;
    const request = {
      op: "load",
      memory,
      name: `kb/${file.name}`,
      path,
      names,
      skip: known?.skip ?? [],
      announce: known !== undefined,
      bad_line: firstBadLine(file.bytes),
    };
    try {
      const reply = await engine.ask(request, [{ path, bytes: file.bytes }]);
      reports.push(...readReply(reply, "rule").reports as Report[]);
    } catch (error) {
      if (error instanceof EngineLost) return { file, error };
      throw error;
    }
  }
}

/** First without announcements, which cost time; then with them; then the whole file goes. */
function suspect(suspects: Map<string, Suspect>, name: string, error: EngineLost): void {
  const known = suspects.get(name);
  if (!known) {
    suspects.set(name, { skip: [], whole: false });
    return;
  }
  const line = Number(error.announced);
  if (!line || known.skip.includes(line) || known.skip.length >= DEADLY_CLAUSES) known.whole = true;
  else known.skip.push(line);
}

function passedOver(file: KbFile): Report {
  return {
    file: `kb/${file.name}`,
    line: 1,
    severity: "error",
    message: "Reading this file stops the engine; the whole file was skipped",
  };
}

/** The line of the first byte that is not UTF-8, 0 when there is none or a UTF-16 mark comes first. */
function firstBadLine(bytes: Uint8Array): number {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (utf16 || isUtf8(bytes)) return 0;
  let line = 1;
  let start = 0;
  for (let end = 0; end <= bytes.length; end++) {
    if (end < bytes.length && bytes[end] !== 10) continue;
    if (!isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
    line++;
  }
  return line;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
