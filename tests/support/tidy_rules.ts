/** Sizes, names and words: each check takes a file and returns one sentence for each thing to mend. */
import { codeOnly, functionSpans, lineOf, type SourceFile } from "./tidy_code.ts";

export const FILE_LINES_MAX = 400;
export const FUNCTION_LINES_MAX = 60;

/** Long files hide; a third reason to scroll is a second file. */
export function checkFileSize({ path, text }: SourceFile): string[] {
  const lines = text.replace(/\n$/, "").split("\n").length;
  if (lines <= FILE_LINES_MAX) return [];
  return [
    `${path}: ${lines} lines, at most ${FILE_LINES_MAX}. Move one of its subjects to a file of its own`,
  ];
}

export function checkFunctionSizes({ path, text }: SourceFile): string[] {
  return functionSpans(text)
    .filter(({ length }) => length > FUNCTION_LINES_MAX)
    .map(({ name, line, length }) =>
      `${path}:${line}: '${name}' has ${length} lines, at most ${FUNCTION_LINES_MAX}. ` +
      `Keep the branching here and move the leaves to functions below`
    );
}

interface BannedWord {
  pattern: RegExp;
  /** Which files it is banned from. */
  where: (path: string) => boolean;
  /** Whether comments and strings count. */
  everywhere?: boolean;
  instead: string;
  /** A comment on the line above that makes an exception, with its reason. */
  unless?: RegExp;
}

const BANNED: BannedWord[] = [
  {
    pattern: /\bconsole\./g,
    where: (path) => path.startsWith("src/") && !path.startsWith("src/cli/"),
    instead:
      "stdout belongs to the protocol. Return the text, or hand it to the log the caller passes in",
  },
  {
    pattern: /(?<![.\w$'-])any(?![\w$(:'-])/g,
    where: (path) => /\.tsx?$/.test(path),
    instead: "name the type, or take 'unknown' and look",
    unless: /deno-lint-ignore no-explicit-any -- \S/,
  },
  {
    pattern: /\b(?:TODO|FIXME|XXX)\b/g,
    where: (path) => !path.startsWith("tests/"),
    everywhere: true,
    instead: "do it now, or open an issue: a reader cannot act on it here",
  },
  {
    pattern: /\.only\(|\bonly: true/g,
    where: (path) => !path.startsWith("src/"),
    instead: "run one test with 'deno task test --filter NAME'; this hides the others",
  },
];

export function checkWords({ path, text }: SourceFile): string[] {
  const code = codeOnly(text);
  return BANNED.filter((word) => word.where(path)).flatMap((word) => {
    const searched = word.everywhere ? text : code;
    return [...searched.matchAll(word.pattern)]
      .filter((match) => !word.unless?.test(lineAbove(text, match.index)))
      .map((match) =>
        `${path}:${lineOf(text, match.index)}: '${match[0].trim()}': ${word.instead}`
      );
  });
}

function lineAbove(text: string, offset: number): string {
  return text.slice(0, offset).split("\n").at(-2) ?? "";
}

/** One tool, one file, one name. Applies to src/tools/GROUP/*.ts. */
export function checkToolName({ path, text }: SourceFile): string[] {
  const file = /^src\/tools\/[^/]+\/([^/]+)\.ts$/.exec(path)?.[1];
  if (!file) return [];
  const name = /\bname:\s*"([^"]+)"/.exec(codeOnly(text, true))?.[1];
  if (!name) {
    return [
      `${path}: declares no tool (no 'name:'). Files that are no tool belong in src/tools itself`,
    ];
  }
  if (name === file) return [];
  return [`${path}: declares the tool '${name}'. Call the file ${name}.ts, or the tool '${file}'`];
}

/** The newest heading of the changelog is the version that ships. */
export function checkVersion(version: string, changelog: string): string[] {
  const newest = /^## \[?([^\s\]]+)/m.exec(changelog)?.[1];
  if (newest === version) return [];
  return [
    `CHANGELOG.md begins with '${newest}', deno.json has version '${version}'. ` +
    `Say in CHANGELOG.md what ${version} brings, or correct the version`,
  ];
}
