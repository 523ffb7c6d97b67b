import { memoryMounted, memoryNotFound } from "../../base/errors.ts";
import { choice, defineTool, newMemoryName, optional } from "../tool.ts";

export default defineTool({
  name: "mount_memory",
  title: "Mount Memory",
  effect: "write",
  idempotent: false,
  destructive: false,
  summary: "Make an existing memory usable by the other tools.",
  description:
    "Mount an existing memory segment, loading its files and its journal. Once mounted, the memory can be " +
    "targeted by knowledge tools via the memory parameter, and goals of every memory can ask it as NAME:GOAL. " +
    "Mounts last: they are kept in the project's journal and seen by every process that uses it.",
  input: {
    name: newMemoryName("The name of the memory segment to mount"),
    mode: optional(
      choice('Mount mode: "rw" (default, read-write) or "ro" (read-only)', ["rw", "ro"]),
    ),
  },
  output: {
    name: { type: "string", description: "The memory's name" },
    mode: { type: "string", description: "rw or ro" },
  },
  examples: [{ input: { name: "feature_auth" }, says: "Mounted memory 'feature_auth' (rw)" }],
  async run(memory, { name, mode = "rw" }) {
    const entry = (await memory.list()).find((other) => other.name === name);
    if (!entry) throw memoryNotFound(name);
    if (entry.mounted) throw memoryMounted(name);
    const { warnings } = await memory.commit({ op: "mount", name, scope: entry.scope, mode });
    return { structure: { name, mode }, warnings };
  },
  say: ({ name, mode }) => `Mounted memory '${name}' (${mode})`,
});
