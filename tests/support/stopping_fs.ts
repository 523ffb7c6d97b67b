/**
 * Takes the place of `src/store/file_system.ts` in a server under test, by an import map: says each call on
 * standard error, and at the chosen one stands still for ever, so that the process can be killed at exactly that
 * moment.
 */
import { denoFileSystem as real, type FileSystem } from "../../src/store/file_system.ts";
import { type Hook, hookedFileSystem } from "./hooked_fs.ts";
import { point } from "./stop_point.ts";

export * from "../../src/store/file_system.ts";

let calls = 0;

const change: Hook = ({ text, half }, run) => {
  const number = ++calls;
  say(`call ${number}: ${text}`);
  if (number !== point.call) return run();
  if (point.moment === "within") half?.();
  if (point.moment === "after") run();
  say(`stands still ${point.moment} call ${number}`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error("nobody wakes it");
};

function say(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** The hooked one shadows the one that is exported above. */
export const denoFileSystem: FileSystem = hookedFileSystem(real, "", { change });
