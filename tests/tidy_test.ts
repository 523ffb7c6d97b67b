/** The style guide as a test: it reads the repository. If it objects, change the code, not the rule. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SourceFile } from "./support/tidy_code.ts";
import { checkImports } from "./support/tidy_layers.ts";
import {
  checkFileSize,
  checkFunctionSizes,
  checkToolName,
  checkVersion,
  checkWords,
} from "./support/tidy_rules.ts";
import { ROOT } from "./support/transcript_program.ts";

const FOLDERS = ["src", "build", "tests", "demo", "bench"];

const FILES = [...FOLDERS.flatMap(filesUnder), ...filesNamed("main.ts")];
const CODE = FILES.filter(({ path }) => /\.(ts|js)$/.test(path));
const SHIPPED = CODE.filter(({ path }) => path === "main.ts" || path.startsWith("src/"));

Deno.test("tidy: imports point down", () => all(SHIPPED, checkImports));
Deno.test("tidy: files fit in the head", () => all(FILES, checkFileSize));
Deno.test("tidy: functions fit on a screen", () => all(CODE, checkFunctionSizes));
Deno.test("tidy: no banned words", () => all(FILES, checkWords));
Deno.test("tidy: a tool's file is called like the tool", () => all(SHIPPED, checkToolName));

Deno.test("tidy: the changelog begins with the version", () => {
  const path = join(ROOT, "CHANGELOG.md");
  if (!existsSync(path)) return;
  const { version } = JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json")));
  report(checkVersion(version, Deno.readTextFileSync(path)));
});

function all(files: SourceFile[], check: (file: SourceFile) => string[]): void {
  report(files.flatMap(check));
}

function report(problems: string[]): void {
  assert.ok(problems.length === 0, "\n\n" + problems.join("\n") + "\n");
}

function filesUnder(folder: string): SourceFile[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory ? filesUnder(path) : filesNamed(path);
  });
}

function filesNamed(path: string): SourceFile[] {
  if (!/\.(ts|js|pl)$/.test(path) || !existsSync(join(ROOT, path))) return [];
  return [{ path, text: Deno.readTextFileSync(join(ROOT, path)) }];
}
