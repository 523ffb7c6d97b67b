/** How long an engine takes to be there. */
import type { Times } from "../measure.ts";
import { ROOT } from "../subjects.ts";
import { against, measured, type Row } from "../table.ts";

const ROUNDS = 7;

export async function boots(): Promise<Row[]> {
  const [cold, first, later]: Times[] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    cold.push((await bootTimes("cold", 1))[0]);
    const [once, ...others] = await bootTimes("image", 5);
    first.push(once);
    later.push(...others);
  }
  return [
    measured("engine, cold boot, from source", cold),
    against("engine from the image, first in a process", first, cold, 0.7),
    against("engine from the image, later ones", later, cold, 0.35),
  ];
}

async function bootTimes(kind: "cold" | "image", count: number): Promise<Times> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "bench/engines.ts", kind, String(count)],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
