/**
 * Golden transcripts: Markdown a person reads, run as a test. The fences `console`, `mcp`, `http` and any fence
 * with `name=PATH` run in order in one temporary directory; all other text is prose.
 *
 * With ZPM_UPDATE=1 the expected lines are rewritten in place, and the diff is the review.
 */
import { dirname, join, relative } from "node:path";
import {
  dropBlanks,
  type Fence,
  parseFences,
  parseSteps,
  rewriteFences,
  type Step,
} from "./transcript_parse.ts";
import { diffLines } from "./transcript_diff.ts";
import { fillHoles, hideHoles, type Holes } from "./transcript_holes.ts";
import { makeShell, type Shell } from "./transcript_console.ts";
import { HttpSession } from "./transcript_http.ts";
import { Session } from "./transcript_mcp.ts";
import {
  cacheSource,
  makePlace,
  type Place,
  type Program,
  projectProgram,
  projectVersion,
  removePlace,
  ROOT,
} from "./transcript_program.ts";

export interface TranscriptOptions {
  program: Program;
  update: boolean;
}

interface Run {
  place: Place;
  shell: Shell;
  session: Session;
  http: HttpSession;
  holes: Holes;
  /** How the file is called in a message. */
  name: string;
  /** One text for each step whose output differs. */
  differences: string[];
}

/** Runs one file with the options of the environment; throws when an output differs. */
export async function runTranscript(path: string, options?: TranscriptOptions): Promise<void> {
  const { program, update } = options ?? await projectOptions();
  const markdown = await Deno.readTextFile(path);
  const name = relative(ROOT, path);
  const { text, differences } = await replay(markdown, name, program);
  if (!update && differences.length > 0) throw new Error(report(differences));
  if (update && text !== markdown) await Deno.writeTextFile(path, text);
}

async function projectOptions(): Promise<TranscriptOptions> {
  await cacheSource();
  return { program: projectProgram(), update: Deno.env.get("ZPM_UPDATE") === "1" };
}

function report(differences: string[]): string {
  const hint = "If the new output is right: deno task test:update, then review the diff.";
  return ["the transcript differs", ...differences, hint].join("\n\n");
}

/** Runs a transcript's text. Returns the text with the actual output, and where it differs. */
export async function replay(
  markdown: string,
  name: string,
  program: Program,
): Promise<{ text: string; differences: string[] }> {
  const fences = parseFences(markdown);
  const place = await makePlace(program);
  const holes = { dir: place.dir, version: projectVersion(), started: new Date() };
  const [shell, session] = [makeShell(place), new Session(place)];
  const http = new HttpSession(place);
  const run: Run = { place, shell, session, http, holes, name, differences: [] };
  try {
    const content = new Map<Fence, string[]>();
    for (const fence of fences) {
      const lines = await runFence(run, fence);
      if (lines) content.set(fence, lines);
    }
    const last = await session.end();
    if (last.length > 0) {
      run.differences.push(`${name}: the server did not end well\n${last.join("\n")}`);
    }
    return { text: rewriteFences(markdown, content), differences: run.differences };
  } finally {
    await http.end();
    await session.end();
    await removePlace(place);
  }
}

/** Runs a fence and returns its content with the actual output; undefined when there is nothing to run. */
async function runFence(run: Run, fence: Fence): Promise<string[] | undefined> {
  if (fence.name) return await writeFile(run, fence.name, fence);
  if (fence.kind === "console") {
    const steps = parseSteps(fence, "$ ", "> ");
    return await runSteps(run, steps, (command) => run.shell.run(command));
  }
  if (fence.kind === "mcp") {
    const steps = parseSteps(fence, "> ");
    return await runSteps(run, steps, (command) => run.session.run(command, run.shell.directory()));
  }
  if (fence.kind === "http") {
    const steps = parseSteps(fence, "> ");
    return await runSteps(run, steps, (command) => run.http.run(command, run.shell.directory()));
  }
}

async function writeFile(run: Run, name: string, fence: Fence): Promise<undefined> {
  const path = join(run.place.dir, name);
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, fence.content.map((line) => line + "\n").join(""));
}

async function runSteps(
  run: Run,
  steps: Step[],
  execute: (command: string) => Promise<string[]>,
): Promise<string[]> {
  const content: string[] = [];
  for (const step of steps) {
    const actual = await runStep(run, step, execute);
    dropBlanks(actual);
    const difference = diffLines(step.expected, actual);
    if (difference) {
      run.differences.push(`${run.name}:${step.line}: ${step.source[0]}\n${difference}`);
    }
    content.push(...step.source, ...actual, ...new Array<string>(step.blanks).fill(""));
  }
  return content;
}

/** A step the runner itself cannot carry out fails the file at once: no output of it could be written down. */
async function runStep(
  run: Run,
  step: Step,
  execute: (command: string) => Promise<string[]>,
): Promise<string[]> {
  try {
    const lines = await execute(fillHoles(step.command, run.holes));
    return lines.map((line) => hideHoles(line, run.holes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${run.name}:${step.line}: ${step.source[0]}\n  ${reason}`, { cause: error });
  }
}
