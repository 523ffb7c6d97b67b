/**
 * The client of the HTTP part, a process of its own: so many connections that stay open, on each one request after the
 * other. It speaks HTTP by hand, so that it takes little of the machine that the server has beside it, and its JSON
 * says how much that was.
 *
 * `deno run -A bench/load.ts HOST:PORT CONNECTIONS SECONDS PATH`: every `@` of the path is a number from 0 to 9,999,
 * and the answer must have the next one in it.
 */
import process from "node:process";
import type { Load } from "./measure.ts";
import { Connection } from "./plain_http.ts";

const KEYS = 10_000;

const [host, connections, seconds, path] = Deno.args;
const took: number[] = [];
const before = process.cpuUsage();
const started = performance.now();
const end = started + Number(seconds) * 1_000;
await Promise.all(Array.from({ length: Number(connections) }, (_, n) => asking(n)));
const elapsed_ms = performance.now() - started;
const { user, system } = process.cpuUsage(before);
const load: Load = { took, elapsed_ms, client_ms: (user + system) / 1_000 };
console.log(JSON.stringify(load));
Deno.exit(0);

async function asking(first: number): Promise<void> {
  const connection = await Connection.open(host);
  for (let n = first * 617; performance.now() < end; n += 7) {
    const key = n % KEYS;
    const asked = performance.now();
    const answer = await connection.get(path.replaceAll("@", String(key)));
    if (!answer.startsWith("HTTP/1.1 200") || !answer.includes(String(key + 1))) {
      throw new Error(`${path} with ${key} was answered ${answer}`);
    }
    took.push(performance.now() - asked);
  }
  connection.close();
}
