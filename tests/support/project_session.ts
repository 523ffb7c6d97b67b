/** The memories of a project in this process, asked through their tools: real engine, real files, no protocol. */
import { join } from "node:path";
import { openMemories } from "../../src/memory/service.ts";
import { invoke } from "../../src/tools/invoke.ts";
import { findTool } from "../../src/tools/registry.ts";
import type { Told } from "./crash_server.ts";

export interface ProjectSession {
  call(name: string, args?: Record<string, unknown>): Promise<Told>;
  /** The text of a call that must not fail. */
  told(name: string, args?: Record<string, unknown>): Promise<string>;
  /** What was said of files and recovery, a line each. */
  reports: string[];
}

/** Opens the project's memories for as long as `use` runs. */
export async function withProjectSession<Result>(
  project: string,
  use: (session: ProjectSession) => Promise<Result>,
): Promise<Result> {
  const reports: string[] = [];
  const memories = await openMemories({
    folder: join(project, ".zpm"),
    engines: 1,
    report: (line) => reports.push(line),
  });
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Told> => {
    const tool = findTool(name);
    if (!tool) throw new Error(`no tool ${name}`);
    const context = { by: name, client: "test", deadline_ms: 20_000 };
    const { texts, structure, isError } = await invoke(tool, args, memories, context);
    return { text: texts[0], texts, structure, isError };
  };
  try {
    return await use({
      reports,
      call,
      async told(name, args) {
        const { texts, isError } = await call(name, args);
        if (isError) throw new Error(`${name}: ${texts.join("; ")}`);
        return texts[0];
      },
    });
  } finally {
    await memories.close();
  }
}
