/**
 * The CLI of the MCP Inspector drives the executable over standard input and output, as somebody does who looks
 * into a server. It is a program for Node, from npm.
 */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { inProject } from "../support/crash_server.ts";
import { tools } from "../../src/tools/registry.ts";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
/** The first run installs the package. */
const RUN_MS_MAX = 240_000;
/** The Inspector's status when a tool failed or is unknown. */
const TOOL_FAILED = 5;

const binary = resolve(Deno.env.get("ZPM_BIN") || "dist/zpm");
const ignore = !Deno.env.get("ZPM_BIN") || !existsSync(binary);
if (ignore) console.log("skipped: the Inspector needs an executable, and ZPM_BIN names none");

interface Run {
  code: number;
  // deno-lint-ignore no-explicit-any -- what the Inspector prints, of any shape
  printed: any;
  err: string;
}

/** Runs the Inspector once: it starts a server, asks it one thing, and ends it. */
async function inspect(project: string, ...words: string[]): Promise<Run> {
  const server = [binary, "serve", "--project", project];
  const { code, stdout, stderr } = await new Deno.Command("npx", {
    args: ["--yes", INSPECTOR, "--cli", ...server, "--format", "json", ...words],
    cwd: project,
    env: { MCP_INSPECTOR_SECRET_STORE: "memory" },
    stdin: "null",
    signal: AbortSignal.timeout(RUN_MS_MAX),
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, printed: out.trim() === "" ? undefined : JSON.parse(out).result, err };
}

Deno.test({
  name: "the Inspector lists and calls the tools of the executable",
  ignore,
  async fn() {
    await inProject(async (project) => {
      const listed = await inspect(project, "--method", "tools/list");
      strictEqual(listed.code, 0, listed.err);
      const names = listed.printed.tools.map(({ name }: { name: string }) => name);
      deepStrictEqual(names, tools.map(({ name }) => name));

      const call = async (name: string, input: object) =>
        await inspect(
          project,
          ...["--method", "tools/call", "--tool-name", name],
          ...["--tool-args-json", JSON.stringify(input)],
        );
      const stored = await call("remember_fact", { fact: "human(socrates)" });
      strictEqual(stored.code, 0, stored.err);
      strictEqual(stored.printed.content[0].text, "Asserted: human(socrates)");
      const asked = await call("query_logic", { goal: "human(X)" });
      deepStrictEqual(asked.printed.structuredContent.answers, [{ X: "socrates" }]);
      const failed = await call("query_logic", { goal: "human(X" });
      strictEqual(failed.code, TOOL_FAILED);
      match(failed.printed.content[0].text, /Cannot read the goal/);
      const unknown = await call("no_such_tool", {});
      strictEqual(unknown.code, TOOL_FAILED);
      ok(unknown.err.includes("no_such_tool"), unknown.err);
    });
  },
});
