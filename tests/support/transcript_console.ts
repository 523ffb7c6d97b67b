/**
 * A `console` fence: each `$ ` line is run by the shell with `zpm` on PATH, so that pipes, redirections
 * and quotes are what a reader takes them for. `cd` lasts until the end of the transcript.
 *
 * Shown are the lines of stdout, then those of stderr behind `! `, then `? N` for a status that is not 0.
 * The two streams are not mixed: which of two pipes is read first is chance.
 */
import { join } from "node:path";
import type { Place } from "./transcript_program.ts";

const COMMAND_MS_MAX = 120_000;

/** Runs the commands of one transcript. */
export interface Shell {
  /** The directory the next command starts in. */
  directory(): string;
  /** Runs a command line and returns what a transcript shows of it. */
  run(command: string): Promise<string[]>;
}

export function makeShell(place: Place, limitMs = COMMAND_MS_MAX): Shell {
  let cwd = place.dir;
  const memo = join(place.tools, "cwd");

  async function run(command: string): Promise<string[]> {
    const script = `trap 'pwd > "$TRANSCRIPT_CWD"' EXIT\n${command}\n`;
    const child = new Deno.Command("/bin/sh", {
      args: ["-c", script],
      cwd,
      clearEnv: true,
      env: { ...place.env, TRANSCRIPT_CWD: memo },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    }).spawn();
    const { output, late } = await withLimit(child, limitMs);
    cwd = (await Deno.readTextFile(memo).catch(() => cwd)).trimEnd();
    const shown = showOutput(output);
    if (late) shown.push(`? the command did not end within ${limitMs} ms`);
    return shown;
  }

  return { directory: () => cwd, run };
}

/** Waits for the child; past the limit its whole process group is killed, or a grandchild keeps the pipes open. */
async function withLimit(
  child: Deno.ChildProcess,
  limitMs: number,
): Promise<{ output: Deno.CommandOutput; late: boolean }> {
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    Deno.kill(-child.pid, "SIGKILL");
  }, limitMs);
  try {
    const output = await child.output();
    return { output, late };
  } finally {
    clearTimeout(timer);
  }
}

function showOutput(output: Deno.CommandOutput): string[] {
  const shown = textLines(output.stdout).map(escape);
  for (const line of textLines(output.stderr)) shown.push(line === "" ? "!" : `! ${line}`);
  if (output.code !== 0) shown.push(`? ${output.code}`);
  return shown;
}

function textLines(bytes: Uint8Array): string[] {
  const lines = new TextDecoder().decode(bytes).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** A line of output that looks like a mark of the transcript is written behind a backslash. */
function escape(line: string): string {
  return /^(\\|[$!?>]( |$))/.test(line) ? `\\${line}` : line;
}
