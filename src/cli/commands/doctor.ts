import { ZpmError } from "../../base/errors.ts";
import type { CallContext, Memories } from "../../memory/memory.ts";
import { failure } from "../../tools/invoke.ts";
import { type Command, told } from "../command.ts";
import { locate, makeSession } from "../session.ts";
import { runtime, version } from "../version.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "Tell whether the project, its files and the engine are well.",
  description:
    "Tells which project zpm works in and how it was found, where its folders are, whether the journal is " +
    "whole, and whether the engine answers. Exits with 1 when something is wrong.",
  positionals: [],
  usage: "",
  options: [],
  examples: [{ line: "zpm doctor" }],
  async run({ settings, io, log, open }) {
    const project = locate(settings, io);
    const session = makeSession(
      { project, engines: settings.engines, longLived: false, log },
      open,
    );
    const foundBy = settings.project ? "--project" : io.env("ZPM_PROJECT") ? "ZPM_PROJECT" : "here";
    const facts = {
      version,
      runtime: runtime(),
      project: project.root,
      found_by: foundBy,
      folder: project.folder,
    };
    const context = { by: "doctor", client: "cli", deadline_ms: settings.deadline_ms };
    const health = await examine(session.memories, context);
    await session.close();
    const lines = Object.entries({ ...facts, ...health }).map(([name, value]) =>
      `${name}: ${Array.isArray(value) ? value.join("; ") || "none" : value}`
    );
    const result = told([lines.join("\n")], { ...facts, ...health });
    return { ...result, isError: health.engine !== "alive" || health.status !== "active" };
  },
};

async function examine(memories: Memories, context: CallContext) {
  try {
    const memory = await memories.memory("default", context);
    const { status, dir, journal_bytes, commits, problems } = await memory.health();
    const engine = await askEngine(() =>
      memory.ask({ op: "query", goal: "X = alive", offset: 0, limit: 1, explicit_limit: true })
    );
    return { status, dir, journal_size: journal_bytes, commits, engine, problems };
  } catch (error) {
    return { status: "not opened", engine: "not asked", problems: [reason(error)] };
  }
}

async function askEngine(ask: () => Promise<unknown>): Promise<string> {
  try {
    await ask();
    return "alive";
  } catch (error) {
    return reason(error);
  }
}

function reason(error: unknown): string {
  return error instanceof ZpmError ? failure(error).texts.join("; ") : String(error);
}
