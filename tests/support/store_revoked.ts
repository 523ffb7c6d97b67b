/** A process that starts the store on FOLDER, gives its own permissions away, and then saves a commit. */
import { startStore } from "../../src/store/client.ts";
import { commit } from "./commits.ts";

const [folder] = Deno.args;
const store = startStore({ directories: { default: folder } });
await store.ready;
for (const name of ["read", "write"] as const) Deno.permissions.revokeSync({ name });
try {
  Deno.writeTextFileSync(`${folder}/main`, "");
  say("main thread: wrote");
} catch (fault) {
  say(`main thread: ${(fault as Error).name}`);
}
await store.begin("default", 0, 1000);
say(`store: ${JSON.stringify(await store.append("default", [commit(1)]))}`);
await store.close();

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
