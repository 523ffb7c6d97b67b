/** The ways in which a tool is called, each on real memories: a line, a request over HTTP, a command line. */
import { deepStrictEqual } from "node:assert/strict";
import { openMemories, type ProjectMemories } from "../../src/memory/service.ts";
import { runZpm, withProject } from "./fake_io.ts";
import { answer, postModern, withServer } from "./http_server.ts";
import { handshake, startSession } from "./mcp_session.ts";
import { readAnswer, type Result } from "./world.ts";

export interface Call {
  name: string;
  input: Record<string, unknown>;
}

/** One way to call tools on a project. */
export interface Face {
  /** What differs from project to project and from run to run has a name in it. */
  call(call: Call): Promise<Result>;
}

export type Way = (project: Project, work: (face: Face) => Promise<void>) => Promise<void>;

export interface Project {
  cwd: string;
  memories: ProjectMemories;
}

/** Runs a test on a new project, and perhaps another on the same project opened again. */
export async function inProject(
  work: (project: Project) => Promise<void>,
  restarted?: (project: Project) => Promise<void>,
): Promise<void> {
  await withProject(async (cwd) => {
    for (const one of [work, restarted]) if (one) await opened(cwd, one);
  });
}

async function opened(cwd: string, work: (project: Project) => Promise<void>): Promise<void> {
  const memories = await openMemories({ folder: `${cwd}/.zpm`, longLived: true });
  try {
    await work({ cwd, memories });
  } finally {
    await memories.close();
  }
}

export async function overStdio({ cwd, memories }: Project, work: (face: Face) => Promise<void>) {
  const session = startSession({ memories });
  session.send(...handshake());
  await work({
    call: async ({ name, input }) => named(readAnswer(name, await session.call(name, input)), cwd),
  });
  await session.end();
}

export async function overHttp({ cwd, memories }: Project, work: (face: Face) => Promise<void>) {
  await withServer(async ({ address }) => {
    const call = async ({ name, input }: Call) => {
      const params = { name, arguments: input };
      const response = await postModern(address, "tools/call", params);
      return named(readAnswer(name, await answer(response)), cwd);
    };
    await work({ call });
  }, { memories });
}

/** As text: the first text is what is printed, the second stands on standard error. The structure is not to be seen. */
export async function onTheCommandLine(project: Project, work: (face: Face) => Promise<void>) {
  await work({
    async call(call) {
      const { code, out, err } = await command(project, call, []);
      const texts = [out, err].filter((text) => text !== "").map((text) => text.replace(/\n$/, ""));
      return named({ texts, structure: {}, isError: code !== 0 }, project.cwd);
    },
  });
}

/** As JSON: the structure, and nothing else. */
export async function onTheCommandLineAsJson(
  project: Project,
  work: (face: Face) => Promise<void>,
) {
  await work({
    async call(call) {
      const { code, out, err } = await command(project, call, ["--format", "json"]);
      deepStrictEqual(err, "");
      return named({ texts: [], structure: JSON.parse(out), isError: code !== 0 }, project.cwd);
    },
  });
}

function command({ cwd, memories }: Project, { name, input }: Call, more: string[]) {
  const options = Object.entries(input).flatMap(([argument, value]) =>
    [value].flat().flatMap((one) => option(name, argument, one))
  );
  const words = [name.replaceAll("_", "-"), ...options, ...more];
  const open = () => Promise.resolve({ ...shared(memories), close: () => Promise.resolve() });
  return runZpm(words, { cwd, input: String(input.text ?? ""), open });
}

/** The text of load_knowledge is that of a file, or standard input. */
function option(tool: string, argument: string, value: unknown): string[] {
  const name = `--${argument.replaceAll("_", "-")}`;
  return value === true ? [name] : [name, tool === "load_knowledge" ? "-" : String(value)];
}

/** Every command opens the memories and closes them; here all use the same. */
function shared(memories: ProjectMemories) {
  return { memory: memories.memory.bind(memories), watch: memories.watch?.bind(memories) };
}

function named(result: Result, cwd: string): Result {
  const text = JSON.stringify(result)
    .replaceAll(cwd, "[DIR]")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "[TIME]")
    .replaceAll(/(journal_size"?: ?)\d+/g, "$1[N]")
    .replaceAll('"journal_size":[N]', '"journal_size":0');
  return JSON.parse(text);
}
