import { ZpmError } from "../../base/errors.ts";
import type { CallContext } from "../../memory/memory.ts";
import { failure } from "../../tools/invoke.ts";
import { type Command, told } from "../command.ts";
import { locate, makeSession, type OpenedMemories } from "../session.ts";
import { runtime, version } from "../version.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "Tell whether the project, its files and the engine are well.",
  description:
    "Tells which project zpm works in and how it was found, where its folders are, whether the journal is " +
    "whole, what is wrong in the files of kb, and whether the engine answers. Exits with 1 when the journal " +
    "or the engine is not well.",
  positionals: [],
  usage: "",
  options: [{
    name: "repair",
    type: "boolean",
    description: "Cut a damaged journal back to its good part; what is cut is kept beside it",
  }],
  examples: [{ line: "zpm doctor" }, { line: "zpm doctor --repair" }],
  async run({ sorted, settings, io, log, open }) {
    const project = locate(settings, io);
    const foundBy = settings.project ? "--project" : io.env("ZPM_PROJECT") ? "ZPM_PROJECT" : "here";
    const facts = {
      version,
      runtime: runtime(),
      project: project.root,
      found_by: foundBy,
      folder: project.folder,
    };
    const session = makeSession(
      { project, engines: settings.engines, longLived: false, log },
      open,
    );
    const context = { by: "doctor", client: "cli", deadline_ms: settings.deadline_ms };
    const repair = sorted.options.get("repair") === true;
    const found = await examine(() => session.opened(), context, repair);
    await session.close();
    const all = { ...facts, ...found };
    const lines = Object.entries(all).map(([name, value]) =>
      `${name}: ${Array.isArray(value) ? value.join("\n  ") || "none" : value}`
    );
    const well = found.engine.startsWith(ALIVE) && found.status === "active";
    return { ...told([lines.join("\n")], all), isError: !well };
  },
};

const ALIVE = "alive";

async function examine(
  opened: () => Promise<OpenedMemories>,
  context: CallContext,
  repair: boolean,
) {
  try {
    const memories = await opened();
    const { diagnosis } = memories;
    const repaired = repair && diagnosis ? { repaired: await diagnosis.repair() } : {};
    const memory = await memories.memory("default", context);
    const engine = await askEngine(diagnosis, context.deadline_ms);
    const { status, dir, journal_bytes, commits, unread, problems } = await memory.health();
    return {
      ...repaired,
      status,
      dir,
      journal_size: journal_bytes,
      commits,
      ...(unread > 0 && { unread }),
      engine,
      files: diagnosis?.reports() ?? [],
      problems,
    };
  } catch (error) {
    return { status: "not opened", engine: "not asked", problems: [reason(error)] };
  }
}

async function askEngine(
  diagnosis: OpenedMemories["diagnosis"],
  deadline_ms: number,
): Promise<string> {
  if (!diagnosis) return ALIVE;
  const started = performance.now();
  try {
    const prolog = await diagnosis.version();
    const ms = Math.min(Math.round(performance.now() - started), deadline_ms);
    return `${ALIVE}, SWI-Prolog ${prolog}, answered in ${ms} ms`;
  } catch (error) {
    return reason(error);
  }
}

function reason(error: unknown): string {
  return error instanceof ZpmError ? failure(error).texts.join("; ") : String(error);
}
