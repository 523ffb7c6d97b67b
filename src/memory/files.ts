/**
 * Loading `kb/*.pl` into an engine. Prolog reads and judges the clauses; this only carries bytes, and finds
 * the clause that kills an engine, so that a file cannot stop the start (ENGINE-NOTES 0.2).
 */
import { limits } from "../base/limits.ts";
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

export function reportLine({ file, line, severity, message }: Report): string {
  return `${file}:${line}: ${severity}: ${message}`;
}

/** What is known of a file that killed an engine. */
interface Suspect {
  /** Lines of clauses to pass over; the whole file when that is not enough. */
  skip: number[];
  whole: boolean;
}

/** More deadly clauses than this, and the rest of the file is passed over. */
const DEADLY_CLAUSES = 20;

/** What of a memory is loaded. */
interface Loadable {
  name: string;
  mode: string;
  files: KbFile[];
  /** The files are not those of a project's `kb`: they are told by their own names. */
  bare?: boolean;
}

/** Boots engines until one has survived the files of all memories; tells what the loader said, by memory. */
export async function loadedEngine(
  memories: Loadable[],
  boot: () => Promise<Engine>,
): Promise<{ engine: Engine; reports: Map<string, Report[]> }> {
  const suspects = new Map<string, Suspect>();
  while (true) {
    const engine = await boot();
    const reports = new Map<string, Report[]>();
    const killer = await loadAll(engine, memories, suspects, reports);
    if (!killer) return { engine, reports };
    suspect(suspects, killer.key, killer.error);
  }
}

interface Killer {
  key: string;
  error: EngineLost;
}

async function loadAll(
  engine: Engine,
  memories: Loadable[],
  suspects: Map<string, Suspect>,
  reports: Map<string, Report[]>,
): Promise<Killer | undefined> {
  for (const memory of memories) {
    const { name, mode } = memory;
    readReply(await engine.ask({ op: "create", memory: name, mode }), "rule");
    const said: Report[] = [];
    reports.set(name, said);
    for (const file of memory.files) {
      const key = `${name}/${file.name}`;
      try {
        said.push(...await loadFile(engine, memory, file, suspects.get(key)));
      } catch (error) {
        if (error instanceof EngineLost) return { key, error };
        throw error;
      }
    }
  }
}

async function loadFile(
  engine: Engine,
  memory: Loadable,
  file: KbFile,
  known: Suspect | undefined,
): Promise<Report[]> {
  const folder = memory.name === "default" ? "kb/" : `memories/${memory.name}/kb/`;
  const name = memory.bare ? file.name : folder + file.name;
  if (known?.whole) return [passedOver(name)];
  const path = `/${file.name}`;
  // What damages an engine may also keep it busy for ever.
  const patience_ms = limits.load_ms + file.bytes.length / limits.load_bytes_per_ms;
  const clock = setTimeout(() => engine.stop(), patience_ms);
  const reply = await engine.ask({
    op: "load",
    memory: memory.name,
    name,
    path,
    names: memory.files.map((other) => other.name),
    skip: known?.skip ?? [],
    document: memory.name === "default" && !memory.bare,
    announce: known !== undefined,
    bad_line: firstBadLine(file.bytes),
  }, [{ path, bytes: file.bytes }]).finally(() => clearTimeout(clock));
  return readReply(reply, "rule").reports as Report[];
}

/** First without announcements, which cost time; then with them; then the whole file goes. */
function suspect(suspects: Map<string, Suspect>, key: string, error: EngineLost): void {
  const known = suspects.get(key);
  if (!known) {
    suspects.set(key, { skip: [], whole: false });
    return;
  }
  const line = Number(error.announced);
  if (!line || known.skip.includes(line) || known.skip.length >= DEADLY_CLAUSES) known.whole = true;
  else known.skip.push(line);
}

function passedOver(file: string): Report {
  return {
    file,
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
