import { defaultStaysMounted } from "../../base/errors.ts";
import { defineTool, newMemoryName } from "../tool.ts";

export default defineTool({
  name: "unmount_memory",
  title: "Unmount Memory",
  effect: "write",
  idempotent: false,
  destructive: false,
  summary: "Take a mounted memory out of use; nothing of it is lost.",
  description:
    "Unmount a mounted memory segment. Its facts stay on disk and come back with the next mount_memory. The " +
    "default memory cannot be unmounted. Use it when a memory should no longer answer.",
  input: { name: newMemoryName("The name of the memory segment to unmount") },
  output: { name: { type: "string", description: "The memory's name" } },
  examples: [{ input: { name: "feature_auth" }, says: "Unmounted memory 'feature_auth'" }],
  async run(memory, { name }) {
    if (name === "default") throw defaultStaysMounted();
    const { warnings } = await memory.commit({ op: "unmount", name });
    return { structure: { name }, warnings };
  },
  say: ({ name }) => `Unmounted memory '${name}'`,
});
