import { ZpmError } from "../../base/errors.ts";
import { counted, repairText } from "../../base/journal_errors.ts";
import type { CallContext, Diagnosis, Examined } from "../../memory/memory.ts";
import { failure } from "../../tools/invoke.ts";
import { type Command, told } from "../command.ts";
import { locate, makeSession, type OpenedMemories } from "../session.ts";
import { runtime, version } from "../version.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "Tell whether the project, its files and the engine are well.",
  description:
    "Tells which project zpm works in and how it was found, where its folders are, whether the journals are " +
    "whole, what is wrong in the files of kb, and whether the engine answers. Where a journal is damaged, it " +
    "tells what a repair would do. Exits with 1 when a journal or the engine is not well.",
  positionals: [],
  usage: "",
  options: [{
    name: "repair",
    type: "boolean",
    description:
      "Cut damaged journals back to their good part, as it was told without --repair; the damaged " +
      "file is kept beside, as it was",
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
    const announce = (text: string) => io.err(`zpm: about to repair ${text}`);
    const found = await examine(() => session.opened(), context, repair && announce);
    await session.close();
    const { well, ...told_facts } = found;
    const all = { ...facts, ...told_facts };
    const lines = Object.entries(all).map(([name, value]) =>
      `${name}: ${Array.isArray(value) ? value.join("\n  ") || "none" : value}`
    );
    return { ...told([lines.join("\n")], all), isError: !well };
  },
};

const ALIVE = "alive";

async function examine(
  opened: () => Promise<OpenedMemories>,
  context: CallContext,
  announce: false | ((text: string) => void),
) {
  try {
    const memories = await opened();
    const { diagnosis } = memories;
    const before = await examined(memories, context);
    const planned = before.flatMap(repairLines);
    if (announce) planned.forEach(announce);
    const done = announce && diagnosis ? await repaired(diagnosis, planned) : undefined;
    const after = done ? await examined(memories, context) : before;
    const engine = await askEngine(diagnosis, context.deadline_ms);
    const [{ health: { status, dir, journal_bytes, commits, unread } }, ...others] = after;
    const well = engine.startsWith(ALIVE) &&
      after.every(({ health }) => health.status === "active");
    return {
      well,
      ...(done && { repaired: done }),
      status,
      dir,
      journal_size: journal_bytes,
      commits,
      ...(unread > 0 && { unread }),
      ...(others.length > 0 && { mounted: others.map(memoryLine) }),
      engine,
      files: diagnosis?.reports() ?? [],
      problems: after.flatMap(problemLines),
      ...(!done && planned.length > 0 && { repair_would: planned }),
    };
  } catch (error) {
    return { well: false, status: "not opened", engine: "not asked", problems: [reason(error)] };
  }
}

/** The default memory first, then the mounted ones. */
async function examined(memories: OpenedMemories, context: CallContext): Promise<Examined[]> {
  if (memories.diagnosis) return await memories.diagnosis.examine();
  const memory = await memories.memory("default", context);
  return [{ name: "default", health: await memory.health(), repairs: [] }];
}

async function repaired(diagnosis: Diagnosis, planned: string[]): Promise<string[]> {
  if (planned.length === 0) return ["nothing to repair"];
  try {
    return (await diagnosis.repair()).flatMap(repairLines);
  } catch (error) {
    return [reason(error)];
  }
}

function memoryLine({ name, health: { status, commits } }: Examined): string {
  return `${name}: ${status}, ${counted(commits, "commit")}`;
}

function repairLines({ name, repairs }: Examined): string[] {
  return repairs.map((repair) => of(name, repairText(repair)));
}

function problemLines({ name, health }: Examined): string[] {
  return health.problems.map((problem) => of(name, problem));
}

/** What concerns the default memory needs no name. */
function of(name: string, text: string): string {
  return name === "default" ? text : `${name}: ${text}`;
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
