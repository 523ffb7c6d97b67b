import { withoutStore } from "../../base/execution_errors.ts";
import type { ReadMemory } from "../../memory/memory.ts";
import { defineTool } from "../tool.ts";

export default defineTool({
  name: "get_persistence_status",
  title: "Get Persistence Status",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "Tell where and how well the memory is kept on disk.",
  description:
    "Query the health and status of the persistence subsystem, including operational mode, persistence " +
    "directory, last snapshot, and journal size. Use it when a reply warned that something was not saved, or to " +
    "find the folder a memory lives in.",
  input: {},
  output: {
    status: {
      type: "string",
      enum: ["active", "degraded", "damaged"],
      description: "active: writes are durable; degraded: kept in memory only; damaged: read-only",
    },
    dir: { type: "string", description: "Folder of the journal" },
    last_snapshot: { type: "string", description: "Name of the newest snapshot, or none" },
    journal_size: { type: "integer", description: "Bytes of the journal" },
    commits: { type: "integer", description: "Number of the last good commit" },
    checkpoint_at: {
      type: ["integer", "null"],
      description: "Commit of the last checkpoint, null when none",
    },
    problems: {
      type: "array",
      items: { type: "string" },
      description: "What recovery found and did",
    },
  },
  examples: [{
    input: {},
    says: "status: active\ndir: [DIR]/.zpm/data\nlast_snapshot: none\njournal_size: [N] bytes",
  }],
  async run(memory) {
    const { health, newest } = await look(memory);
    return {
      structure: {
        status: health.status,
        dir: health.dir,
        last_snapshot: newest.name,
        journal_size: health.journal_bytes,
        commits: health.commits,
        checkpoint_at: health.checkpoint ?? null,
        problems: health.problems,
      },
      notes: health.problems,
    };
  },
  say: ({ status, dir, last_snapshot, journal_size }) =>
    `status: ${status}\ndir: ${dir}\nlast_snapshot: ${last_snapshot}\njournal_size: ${journal_size} bytes`,
});

async function look(memory: ReadMemory) {
  try {
    const health = await memory.health();
    const newest = (await memory.snapshots.list())
      .reduce((a, b) => a.at > b.at ? a : b, { name: "none", at: "" });
    return { health, newest };
  } catch (error) {
    throw withoutStore(error);
  }
}
