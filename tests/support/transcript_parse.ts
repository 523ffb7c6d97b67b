/**
 * A transcript as data: Markdown, of which only the fences matter, and of a fence only its steps.
 * Nothing here runs anything, so that reading and rewriting can be tested without a program.
 */

/** A fenced block of a Markdown file. */
export interface Fence {
  /** First word of the info string: `console`, `mcp`, ... */
  kind: string;
  /** The path of `name=PATH` in the info string. */
  name: string | undefined;
  /** Line number (from 1) of the first line inside the fence. */
  line: number;
  /** What opens the fence: indentation and marker, needed again to rewrite it. */
  indent: string;
  marker: string;
  content: string[];
}

/** A command and the output the transcript expects of it. */
export interface Step {
  /** Line number (from 1) of the command. */
  line: number;
  /** The lines as written, marks included. */
  source: string[];
  /** The command without its marks. */
  command: string;
  expected: string[];
  /** Blank lines before the next step: they separate, they are no output. */
  blanks: number;
}

const OPENING = /^( {0,3})(`{3,}|~{3,})([^`]*)$/;

/** The fences of a Markdown text in their order. */
export function parseFences(markdown: string): Fence[] {
  const fences: Fence[] = [];
  let open: Fence | undefined;
  markdown.split("\n").forEach((line, index) => {
    if (open) {
      if (closes(line, open.marker)) open = undefined;
      else open.content.push(unindent(line, open.indent));
      return;
    }
    const match = OPENING.exec(line);
    if (!match) return;
    open = openFence(match, index + 2);
    fences.push(open);
  });
  if (open) throw new Error(`line ${open.line - 1}: the fence is never closed`);
  return fences;
}

function openFence(match: RegExpExecArray, line: number): Fence {
  const [, indent, marker, info] = match;
  const words = info.trim().split(/\s+/);
  const name = words.find((word) => word.startsWith("name="))?.slice("name=".length);
  return { kind: words[0], name, line, indent, marker, content: [] };
}

function closes(line: string, marker: string): boolean {
  const text = line.trim();
  return text.length >= marker.length && text === marker[0].repeat(text.length);
}

function unindent(line: string, indent: string): string {
  return line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();
}

/**
 * The steps of a fence. A line that starts with `mark` is a command; with `continued`, lines that start
 * with that mark and follow at once belong to the same command.
 */
export function parseSteps(fence: Fence, mark: string, continued?: string): Step[] {
  const steps: Step[] = [];
  let inCommand = false;
  fence.content.forEach((text, index) => {
    const line = fence.line + index;
    const step = steps.at(-1);
    if (text.startsWith(mark)) {
      steps.push({
        line,
        source: [text],
        command: text.slice(mark.length),
        expected: [],
        blanks: 0,
      });
      inCommand = true;
    } else if (step && inCommand && continued && text.startsWith(continued)) {
      step.source.push(text);
      step.command += "\n" + text.slice(continued.length);
    } else if (step) {
      step.expected.push(text);
      inCommand = false;
    } else if (text.trim() !== "") {
      throw new Error(
        `line ${line}: a fence starts with a command, a line that begins with '${mark}'`,
      );
    }
  });
  for (const step of steps) step.blanks = dropBlanks(step.expected);
  return steps;
}

/** Removes blank lines at the end and says how many there were. */
export function dropBlanks(lines: string[]): number {
  const before = lines.length;
  while (lines.at(-1)?.trim() === "") lines.pop();
  return before - lines.length;
}

/** The Markdown text with new content in some of its fences, everything else as it was. */
export function rewriteFences(markdown: string, content: Map<Fence, string[]>): string {
  const lines = markdown.split("\n");
  const fences = [...content.keys()].sort((a, b) => b.line - a.line);
  for (const fence of fences) {
    const inside = content.get(fence)!.map((line) => line === "" ? "" : fence.indent + line);
    lines.splice(fence.line - 1, fence.content.length, ...inside);
    const marker = markerFor(fence, inside);
    if (marker === fence.marker) continue;
    const opening = fence.line - 2;
    lines[opening] = lines[opening].replace(fence.marker, marker);
    lines[fence.line - 1 + inside.length] = fence.indent + marker;
  }
  return lines.join("\n");
}

/** A marker long enough that no line of the content closes the fence. */
function markerFor(fence: Fence, inside: string[]): string {
  let marker = fence.marker;
  while (inside.some((line) => closes(line, marker))) marker += marker[0];
  return marker;
}
