/** Each rule of the tidy test can fail, and says what to do; and none fails where it should not. */
import assert from "node:assert/strict";
import { codeOnly, functionSpans } from "../support/tidy_code.ts";
import { checkImports } from "../support/tidy_layers.ts";
import {
  checkFileSize,
  checkFunctionSizes,
  checkToolName,
  checkVersion,
  checkWords,
} from "../support/tidy_rules.ts";

function imports(path: string, text: string): string {
  return checkImports({ path, text }).join("\n");
}

function words(path: string, text: string): string {
  return checkWords({ path, text }).join("\n");
}

Deno.test("imports: down and within a folder is fine", () => {
  const down = `import { x } from "../base/errors.ts";\nimport type { Y } from "./y.ts";\n`;
  assert.equal(imports("src/store/a.ts", down), "");
  assert.equal(imports("src/cli/a.ts", `export * from "../mcp/a.ts";`), "");
  assert.equal(imports("src/engine/a.ts", `import t from "../prolog/bundle.ts";`), "");
  assert.equal(imports("main.ts", `import { run } from "./src/cli/main.ts";`), "");
  assert.equal(
    imports("src/cli/version.ts", `import c from "../../deno.json" with { type: "json" };`),
    "",
  );
  assert.equal(imports("src/base/a.ts", `import { join } from "node:path";`), "");
  assert.equal(imports("src/engine/a.ts", `new URL("../../dist/base.image", import.meta.url)`), "");
});

Deno.test("imports: upward is refused, however it is written", () => {
  const upward = [
    `import { x } from "../memory/memory.ts";`,
    `import type { X } from "../memory/memory.ts";`,
    `import "../memory/memory.ts";`,
    `export { x } from "../memory/memory.ts";`,
    `const x = await import("../memory/memory.ts");`,
    `new Worker(new URL("../memory/memory.ts", import.meta.url));`,
    `let x: import("../memory/memory.ts").X;`,
    `import {\n  x,\n} from\n  "../memory/memory.ts";`,
  ];
  for (const line of upward) {
    assert.match(
      imports("src/store/a.ts", line),
      /^src\/store\/a\.ts:\d: imports .*lies below.*Move/,
      line,
    );
  }
});

Deno.test("imports: neighbours on one level are refused, and so is what does not ship", () => {
  const engine = `\nimport { x } from "../engine/a.ts";`;
  assert.match(
    imports("src/store/a.ts", engine),
    /a\.ts:2: .*'store' and 'engine' do not know each other/,
  );
  assert.match(imports("src/store/a.ts", `import t from "../prolog/bundle.ts";`), /'engine'/);
  assert.match(imports("src/mcp/a.ts", `import { x } from "../http/a.ts";`), /do not know/);
  assert.match(
    imports("src/cli/a.ts", `import { x } from "../../tests/support/a.ts";`),
    /what ships/,
  );
  assert.match(imports("src/new/a.ts", ""), /no layer\. Give 'new' its place/);
});

Deno.test("imports in comments do not count", () => {
  assert.equal(imports("src/base/a.ts", `/* import "../cli/a.ts" */ // from "../cli/a.ts"`), "");
});

Deno.test("a file of 400 lines passes, one of 401 does not", () => {
  const file = (lines: number) => checkFileSize({ path: "src/a.ts", text: "x;\n".repeat(lines) });
  assert.deepEqual(file(400), []);
  assert.match(file(401).join(), /src\/a\.ts: 401 lines, at most 400\. Move/);
});

Deno.test("functions are measured in every shape", () => {
  const body = "{\n}";
  const shapes: [string, string][] = [
    [`function a(x: number): string ${body}`, "a"],
    [`async function* b<T>(x: T): AsyncIterable<{ y: T }> ${body}`, "b"],
    [`function c({ x }: { x: number }): { y: string } ${body}`, "c"],
    [`function d(): Record<string, () => void> ${body}`, "(none)"],
    [`const e = (x: number) => ${body}`, "(anonymous)"],
    [`const f = async (): Promise<{ x: 1 }> => ${body}`, "(anonymous)"],
    [`class G { async #h(x = "(") ${body} }`, "#h"],
    [`const i = { run(memory, { fact }) ${body} }`, "run"],
    [`call("x", () => ${body})`, "(anonymous)"],
    [`function j(x: unknown): x is { y: 1 } ${body}`, "j"],
  ];
  for (const [text, name] of shapes) {
    const spans = functionSpans(text).filter((span) => span.length === 2);
    if (name !== "(none)") assert.deepEqual(spans.map((span) => span.name), [name], text);
  }
  const none = `if (x) ${body} for (const a of b) ${body} call({\n}); const t = (x) ? y : z;`;
  assert.deepEqual(functionSpans(none), []);
});

Deno.test("a function of 60 lines passes, one of 61 does not", () => {
  const text = (lines: number) => `\nfunction long() {\n${"x;\n".repeat(lines - 2)}}\n`;
  const check = (lines: number) => checkFunctionSizes({ path: "src/a.ts", text: text(lines) });
  assert.deepEqual(check(60), []);
  assert.match(check(61).join(), /src\/a\.ts:2: 'long' has 61 lines, at most 60\. Keep/);
});

Deno.test("strings, comments and patterns are not code", () => {
  assert.equal(codeOnly(`a("{", '}', \`{\`) // {`).replace(/\s+/g, " "), "a( , , ) ");
  assert.equal(codeOnly(`x = /[/"]{/.test(y) /* { */;`).replace(/\s+/g, " "), "x = .test(y) ;");
  assert.equal(codeOnly(`a / b; "c"`, true), `a / b; "c"`);
});

Deno.test("banned words say what to do instead", () => {
  assert.match(words("src/store/a.ts", `\nconsole.log(1)`), /a\.ts:2: 'console\.': stdout belongs/);
  assert.equal(words("src/cli/a.ts", `console.log(1)`), "");
  for (const text of ["let x: any;", "f<any>()", "x as any", "Record<string, any>", "any[]"]) {
    assert.match(words("src/base/a.ts", text), /'any': name the type/, text);
  }
  assert.equal(words("src/base/a.ts", `AbortSignal.any([s]); // any\nf("any"); ({ any: 1 });`), "");
  const ignore = "// deno-lint-ignore no-explicit-any";
  assert.equal(words("src/base/a.ts", `${ignore} -- a reason\nlet x: any;`), "");
  assert.match(words("src/base/a.ts", `${ignore}\nlet x: any;`), /name the type/);
  for (const word of ["TO" + "DO", "FIX" + "ME", "X".repeat(3)]) {
    assert.match(words("src/prolog/a.pl", `% ${word} later`), /do it now/, word);
  }
  assert.match(words("tests/a_test.ts", "Deno.test.on" + "ly(x)"), /hides the others/);
});

Deno.test("a tool's file is called like the tool", () => {
  const check = (path: string, text: string) => checkToolName({ path, text }).join();
  const tool = `export default defineTool({\n  name: "echo",\n});`;
  assert.equal(check("src/tools/schema/echo.ts", tool), "");
  assert.equal(check("src/tools/registry.ts", ""), "");
  assert.match(
    check("src/tools/schema/say.ts", tool),
    /declares the tool 'echo'\. Call the file echo\.ts/,
  );
  assert.match(check("src/tools/schema/helper.ts", "export const x = 1;"), /declares no tool/);
});

Deno.test("the changelog begins with the version of deno.json", () => {
  assert.deepEqual(checkVersion("1.2.3", "# Changelog\n\n## 1.2.3 - today\n\n## 1.2.2\n"), []);
  assert.deepEqual(checkVersion("1.2.3", "## [1.2.3]\n"), []);
  assert.match(
    checkVersion("1.2.4", "## 1.2.3\n").join(),
    /begins with '1\.2\.3'.*version '1\.2\.4'/,
  );
  assert.match(checkVersion("1.2.4", "").join(), /begins with 'undefined'/);
});
