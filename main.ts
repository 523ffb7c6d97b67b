import { processIo } from "./src/cli/io.ts";
import { run } from "./src/cli/main.ts";

Deno.exit(await run(Deno.args, processIo()));
