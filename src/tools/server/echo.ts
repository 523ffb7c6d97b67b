import { defineTool, text } from "../tool.ts";

export default defineTool({
  name: "echo",
  title: "Echo",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "Say a message back, to test the connection.",
  description:
    "Echoes back a message string. Useful for testing server connectivity and tool invocation; " +
    "it needs no engine and answers at once.",
  input: { message: { ...text("The message to echo"), blank: true } },
  output: { message: { type: "string", description: "The message, unchanged" } },
  examples: [{ input: { message: "Hello, world!" }, says: "Hello, world!" }],
  run: (_memory, { message }) => ({ structure: { message } }),
  say: ({ message }) => message,
});
