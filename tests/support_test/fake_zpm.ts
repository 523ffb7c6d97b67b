/**
 * A stand-in for zpm that says what it is told, so that the transcript runner is tested without zpm.
 * `serve` answers MCP by hand: just enough of it for every line a transcript can show.
 */
import { createInterface } from "node:readline";
import { stdin } from "node:process";

const [command, ...rest] = Deno.args;

switch (command) {
  case "say":
    console.log(rest.join(" "));
    break;
  case "fail":
    console.log("before");
    console.error("it failed\n\nreally");
    Deno.exit(Number(rest[0] ?? 1));
    break;
  case "holes":
    console.log(`${Deno.cwd()} at ${new Date().toISOString()} by process ${Deno.pid}`);
    console.log("http://127.0.0.1:43123/ version 0.0.0, born 1999-01-01T00:00:00Z");
    break;
  case "environment":
    console.log(
      Object.keys(Deno.env.toObject()).filter((name) => /^ZPM_/.test(name)).sort().join(),
    );
    console.log(Deno.env.get("HOME") === Deno.cwd());
    break;
  case "serve":
    await serve();
    break;
}

async function serve(): Promise<void> {
  console.error(`serving ${rest.join(" ")}${Deno.env.get("ZPM_GREETING") ?? ""}`);
  let count = 0;
  for await (const line of createInterface({ input: stdin })) {
    const answer = reply(line, () => ++count);
    if (answer) console.log(answer);
  }
  Deno.exit(Number(Deno.env.get("ZPM_STATUS") ?? 0));
}

function reply(line: string, next: () => number): string | undefined {
  let message: { id?: number; method?: string; params?: Record<string, unknown> };
  try {
    message = JSON.parse(line);
  } catch {
    return `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`;
  }
  if (message.id === undefined) return undefined;
  const prefix = `{"jsonrpc":"2.0","id":${message.id}`;
  if (message.method !== "tools/call") {
    return `${prefix},"result":{"answers": "${message.method}"}}`;
  }
  const body = callTool(String(message.params?.name), line, next);
  return `${prefix},${body}}`;
}

function callTool(name: string, line: string, next: () => number): string {
  switch (name) {
    case "count":
      return `"result":{"content":[{"type":"text","text":"${next()}"}],"structuredContent": {"n": 1.0}}`;
    case "repeat":
      return `"result":{"content":[{"type":"text","text":${JSON.stringify(line)}}]}`;
    case "two":
      return `"result":{"content":[{"type":"text","text":"a\\n\\nb"},{"type":"text","text":"c"}]}`;
    case "refuse":
      return `"result":{"isError":true,"content":[{"type":"text","text":"no"}]}`;
    case "die":
      console.error("dying");
      Deno.exit(3);
      break;
  }
  return `"error":{"code":-32602,"message":"Unknown tool: ${name}"}`;
}
