/** What can be checked of a document's fences without running them. */
import { lineOf } from "./tidy_code.ts";
import { parseFences } from "./transcript_parse.ts";

/** Tasks a document names that deno.json does not have. */
export function unknownTasks(name: string, markdown: string, tasks: string[]): string[] {
  return [...markdown.matchAll(/\bdeno(?:@[\d.]+)? task ([a-z][\w:-]*)/g)]
    .filter((match) => !tasks.includes(match[1]))
    .map((match) =>
      `${name}:${lineOf(markdown, match.index)}: 'deno task ${match[1]}' is not in deno.json ` +
      `(it has ${tasks.join(", ")})`
    );
}

/** JSON fences that do not parse. Comments are allowed in `jsonc`. */
export function brokenJson(name: string, markdown: string): string[] {
  return parseFences(markdown).flatMap((fence) => {
    if (fence.kind !== "json" && fence.kind !== "jsonc") return [];
    const lines = fence.kind === "jsonc"
      ? fence.content.map((line) => line.replace(/^\s*\/\/.*$/, ""))
      : fence.content;
    try {
      JSON.parse(lines.join("\n"));
      return [];
    } catch (error) {
      return [`${name}:${fence.line}: this fence is no JSON: ${error}`];
    }
  });
}

/** Fences of set-up commands that look like a session: those belong in `console`, where they are run. */
export function promptsOutsideConsole(name: string, markdown: string): string[] {
  return parseFences(markdown).flatMap((fence) => {
    const at = fence.content.findIndex((line) => line.startsWith("$ "));
    if (fence.kind === "console" || at < 0) return [];
    return [
      `${name}:${
        fence.line + at
      }: '$ ' in a '${fence.kind}' fence. Make it 'console', or drop the '$ '`,
    ];
  });
}
