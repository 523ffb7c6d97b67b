/**
 * A server of zpm in this process; once it has given its permissions away, it tries what is no longer allowed
 * and prints what came of it. Arguments: the command and its own.
 */
import { processIo } from "../../src/cli/io.ts";
import { run } from "../../src/cli/main.ts";

const names = ["read", "write", "env", "sys", "run", "ffi", "net", "import"] as const;
const states = () => names.map((name) => Deno.permissions.querySync({ name }).state);

const timer = setInterval(async () => {
  if (!states().every((state) => state === "denied" || state === "prompt")) return;
  clearInterval(timer);
  const tried = {
    connect: await outcome(() => Deno.connect({ hostname: "127.0.0.1", port: 1 })),
    listen: await outcome(() => Deno.listen({ hostname: "127.0.0.1", port: 0 })),
    read: await outcome(() => Deno.readTextFile("/etc/hostname")),
    write: await outcome(() => Deno.writeTextFile("/tmp/zpm-must-not-be-written", "")),
    worker: await outcome(() => import("data:text/javascript,Deno.env.get('HOME')")),
  };
  console.log(JSON.stringify(tried));
}, 20);

const code = await run(Deno.args, processIo());
Deno.exit(code);

async function outcome(work: () => unknown): Promise<string> {
  try {
    await work();
    return "done";
  } catch (error) {
    return (error as Error).name;
  }
}
