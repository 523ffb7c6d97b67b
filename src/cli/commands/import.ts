/**
 * `zpm import server-memory FILE`: the knowledge graph of the reference memory server, as facts (SPEC 1.7).
 *
 * Its file has one JSON object a line: entities with a type and observations, relations between entities.
 */
import { invalidArguments } from "../../base/errors.ts";
import type { Plain } from "../../memory/memory.ts";
import { type Command, told } from "../command.ts";
import { fileText, inputText } from "../input.ts";
import { usage } from "../options.ts";
import { locate, makeSession } from "../session.ts";

export const importCommand: Command = {
  name: "import",
  summary: "Take over what another memory server kept.",
  description:
    "Reads the file of the reference memory server (memory.jsonl) and remembers its entities as entity(Name, Type), " +
    "observations as observation(Name, Text) and relations as relation(From, Type, To), in one commit. What is there " +
    "already is passed over, so it may be repeated. FILE is a path or - for standard input.",
  positionals: ["format", "file"],
  usage: "server-memory FILE",
  options: [{
    name: "memory",
    type: "string",
    placeholder: "NAME",
    description: "The memory that gets the facts (default: default)",
  }],
  examples: [{ line: "zpm import server-memory ~/memory.jsonl" }],
  async run({ sorted, settings, io, log, open }) {
    const [format, file] = sorted.positionals;
    if (format !== "server-memory") {
      throw usage(`Cannot import "${format ?? ""}": the one format is server-memory`);
    }
    if (!file) throw usage("Name the file to import, or - for standard input");
    const rows = readRows(file === "-" ? await inputText(io) : await fileText(file, io));
    const project = locate(settings, io);
    const session = makeSession(
      { project, engines: settings.engines, longLived: false, log },
      open,
    );
    const context = { by: "import", client: "cli", deadline_ms: settings.deadline_ms };
    try {
      const name = sorted.options.get("memory") as string | undefined ?? "default";
      const memory = await session.memories.memory(name, context);
      const { imported, skipped, warnings = [] } = await memory.commit<
        { imported: number; skipped: number }
      >({ op: "import", rows });
      const text = `Imported ${imported} fact(s), ${skipped} were there already`;
      return told([text, ...warnings], { imported, skipped, memory: name });
    } finally {
      await session.close();
    }
  },
};

/** The rows of a file: functor, then kind and value of each argument. */
export function readRows(text: string): Plain[] {
  return text.split("\n").flatMap((line, index) =>
    line.trim() === "" ? [] : rowsOf(line, index + 1)
  );
}

function rowsOf(line: string, number: number): Plain[] {
  const item = parsed(line, number);
  const said = (key: string) => {
    const value = item[key];
    if (typeof value === "string") return value;
    throw invalidArguments(`Line ${number} has no text "${key}"`);
  };
  switch (item.type) {
    case "entity": {
      const name = said("name");
      const observations = Array.isArray(item.observations) ? item.observations : [];
      return [
        ["entity", ["atom", name], ["atom", said("entityType")]],
        ...observations.map((
          text,
        ): Plain => ["observation", ["atom", name], ["string", String(text)]]),
      ];
    }
    case "relation":
      return [[
        "relation",
        ["atom", said("from")],
        ["atom", said("relationType")],
        ["atom", said("to")],
      ]];
    default:
      throw invalidArguments(`Line ${number} is neither an entity nor a relation`);
  }
}

function parsed(line: string, number: number): Record<string, unknown> {
  try {
    const item = JSON.parse(line);
    if (typeof item === "object" && item !== null) return item;
  } catch {
    // Told below, with the line.
  }
  throw invalidArguments(`Line ${number} is not a JSON object`);
}
