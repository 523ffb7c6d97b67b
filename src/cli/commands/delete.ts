/** `zpm delete-memory` and `zpm delete-snapshot`: only from the command line, and only with `--yes` (SPEC 1.7). */
import { invalidArguments, memoryNotFound } from "../../base/errors.ts";
import type { Memory } from "../../memory/memory.ts";
import type { ToolResult } from "../../tools/invoke.ts";
import { type Command, type CommandCall, told } from "../command.ts";
import type { Option } from "../options.ts";
import { usage } from "../options.ts";
import { locate, makeSession } from "../session.ts";

const YES: Option = { name: "yes", type: "boolean", description: "Yes, delete it for good" };

export const deleteMemory: Command = {
  name: "delete-memory",
  summary: "Delete an unmounted memory with everything in it.",
  description:
    "Deletes the folder of a memory: its files, its journal and its snapshots. It must not be mounted. Nothing " +
    "brings it back.",
  positionals: ["name"],
  usage: "NAME --yes",
  options: [YES],
  examples: [{ line: "zpm delete-memory feature_auth --yes" }],
  run: (call) =>
    withMemory(call, "default", async (memory, name) => {
      if (name === "default") throw invalidArguments("The default memory cannot be deleted");
      const entry = (await memory.list()).find((other) => other.name === name);
      if (!entry) throw memoryNotFound(name);
      if (entry.mounted) {
        throw invalidArguments(`${name} is mounted: unmount it with unmount-memory first`);
      }
      await memory.delete(name, entry.scope);
      return told([`Deleted memory '${name}' (${entry.scope} scope)`], {
        name,
        scope: entry.scope,
      });
    }),
};

export const deleteSnapshot: Command = {
  name: "delete-snapshot",
  summary: "Delete a snapshot.",
  description: "Deletes the file of a snapshot. The memory itself does not change.",
  positionals: ["name"],
  usage: "NAME --yes",
  options: [YES, {
    name: "memory",
    type: "string",
    placeholder: "NAME",
    description: "The memory whose snapshot it is (default: default)",
  }],
  examples: [{ line: "zpm delete-snapshot before_refactor --yes" }],
  run: (call) =>
    withMemory(
      call,
      call.sorted.options.get("memory") as string ?? "default",
      async (memory, name) => {
        await memory.snapshots.remove(name);
        return told([`Deleted snapshot '${name}'`], { name, memory: memory.name });
      },
    ),
};

async function withMemory(
  { sorted, settings, io, log, open }: CommandCall,
  memoryName: string,
  act: (memory: Memory, name: string) => Promise<ToolResult>,
): Promise<ToolResult> {
  const [name] = sorted.positionals;
  if (!name) throw usage("Name what to delete");
  if (sorted.options.get("yes") !== true) {
    throw usage(`This deletes ${name} for good: repeat it with --yes`, "Nothing was deleted");
  }
  const project = locate(settings, io);
  const session = makeSession({ project, engines: settings.engines, longLived: false, log }, open);
  const context = { by: "delete", client: "cli", deadline_ms: settings.deadline_ms };
  try {
    return await act(await session.memories.memory(memoryName, context), name);
  } finally {
    await session.close();
  }
}
