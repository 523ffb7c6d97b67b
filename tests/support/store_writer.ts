/**
 * A process of its own that writes to a memory: FOLDER NAME COUNT adds COUNT facts named after NAME, each in a
 * commit of its own. With COUNT `hold` it takes the lock, says so, and keeps it.
 */
import { Journal } from "../../src/store/journal.ts";
import { commit } from "./commits.ts";

const [folder, name, count] = Deno.args;
const journal = new Journal(folder);
let seq = (await journal.open()).health.commits;
if (count === "hold") {
  await journal.begin(seq, 60_000);
  await Deno.stdout.write(new TextEncoder().encode("held\n"));
  setInterval(() => {}, 60_000);
} else {
  for (let n = 1; n <= Number(count); n++) {
    const caught = await journal.begin(seq, 60_000);
    seq += caught.commits.length + 1;
    journal.append([commit(seq, `${name}(${n})`)]);
  }
  journal.close();
}
