/** A process that saves commits in FOLDER through the store's worker, one after the other, and says each number. */
import { startStore } from "../../src/store/client.ts";
import { commit } from "./commits.ts";

const [folder] = Deno.args;
const store = startStore({ directories: { default: folder } });
let seq = (await store.open("default")).commits.length;
while (true) {
  await store.begin("default", seq, 10_000);
  await store.append("default", [commit(++seq)]);
  Deno.stdout.writeSync(new TextEncoder().encode(`${seq}\n`));
}
