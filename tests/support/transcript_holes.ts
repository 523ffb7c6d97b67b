/**
 * What differs from run to run has a name in a transcript. The list is closed: everything else a
 * program prints has to be the same every time.
 */
export interface Holes {
  /** The transcript's directory. */
  dir: string;
  version: string;
  /** When the transcript started: a time before that is data, not a clock reading. */
  started: Date;
}

const ISO_TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/g;
const PORT = /\b(localhost|127\.0\.0\.1|\[::1\]):\d{2,5}\b/g;
const PROCESS = /\b(pid|process(?: id)?)("?\s*[:=]?\s*)\d+\b/gi;
/** Names of operations and sessions. */
const ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const CLOCK_SLACK_MS = 2_000;

/** Replaces what differs by its name. */
export function hideHoles(text: string, holes: Holes): string {
  return text
    .replaceAll(holes.dir, "[DIR]")
    .replace(ISO_TIME, (time) => isNow(time, holes.started) ? "[TIME]" : time)
    .replace(ID, "[ID]")
    .replace(PORT, "$1:[PORT]")
    .replace(PROCESS, "$1$2[PID]")
    .replace(versionPattern(holes.version), "[VERSION]");
}

/** Fills the names a command may use. */
export function fillHoles(command: string, holes: Holes): string {
  return command.replaceAll("[DIR]", holes.dir).replaceAll("[VERSION]", holes.version);
}

function isNow(time: string, started: Date): boolean {
  const at = Date.parse(time);
  return at >= started.getTime() - CLOCK_SLACK_MS && at <= Date.now() + CLOCK_SLACK_MS;
}

function versionPattern(version: string): RegExp {
  return new RegExp(`(?<![\\d.])${version.replaceAll(".", "\\.")}(?![\\d]|\\.\\d)`, "g");
}
