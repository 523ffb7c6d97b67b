/** Every file under fixtures/transcripts is a test named after it. */
import { join, relative } from "node:path";
import { runTranscript } from "./support/transcript.ts";
import { ROOT } from "./support/transcript_program.ts";

const DIRECTORY = join(ROOT, "fixtures/transcripts");

for (const path of markdownFiles(DIRECTORY)) {
  Deno.test(`transcript ${relative(DIRECTORY, path)}`, () => runTranscript(path));
}

function markdownFiles(directory: string): string[] {
  const found: string[] = [];
  for (const entry of Deno.readDirSync(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory) found.push(...markdownFiles(path));
    else if (entry.name.endsWith(".md")) found.push(path);
  }
  return found.sort();
}
