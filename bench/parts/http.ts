/** How many requests a documented file answers over HTTP: against native SWI-Prolog, with more interpreters, beside an endless goal. */
import { type Load, median, quantile, type Times } from "../measure.ts";
import { serveBare, serveFile, serveNative, type Server } from "../http_servers.ts";
import { ROOT } from "../subjects.ts";
import { against, measured, rate, type Row } from "../table.ts";

const CONNECTIONS = 16;
const ROUNDS = 5;
const SECONDS = 2;
const LOOKUP = "/edge?From=n@";
const WORK = "/work?Key=@";
const ENDLESS = "/endless";

export async function http(place: string): Promise<Row[]> {
  const servers = {
    native: await serveNative(place),
    one: await serveFile(place, 1),
    four: await serveFile(place, 4),
    bare: await serveBare(place),
  };
  try {
    const lookups = await rounds(servers, LOOKUP);
    const { one, four } = await rounds({ one: servers.one, four: servers.four }, WORK);
    return [
      rate(`GET of one row of 10,000, ${CONNECTIONS} connections, native swipl`, lookups.native),
      rate("the same, zpm http, one interpreter", lookups.one, lookups.native, 3),
      rate("the same, four interpreters, against one", lookups.four, lookups.one),
      rate("GET of what takes an engine some 2 ms, one interpreter", one),
      rate("the same, four interpreters, against one", four, one, 1.6),
      rate("a server that only answers, the same client", lookups.bare),
      ...await besideEndless(servers.four),
    ];
  } finally {
    for (const server of Object.values(servers)) await server.end();
  }
}

/** Requests a second of each, in turns. */
async function rounds<Name extends string>(
  servers: Record<Name, Server>,
  path: string,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(servers) as Name[];
  const rates = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  for (const name of names) await load(servers[name], path);
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const { took, elapsed_ms } = await load(servers[name], path);
      rates[name].push(took.length / elapsed_ms * 1_000);
    }
  }
  return rates;
}

async function besideEndless(server: Server): Promise<Row[]> {
  const [calm, beside, client]: Times[] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await load(server, LOOKUP);
    calm.push(quantile(alone.took, 0.99));
    client.push(alone.client_ms / alone.took.length);
    const stop = new AbortController();
    const endless = fetch(`http://${server.host}${ENDLESS}`, { signal: stop.signal });
    beside.push(quantile((await load(server, LOOKUP)).took, 0.99));
    stop.abort();
    await endless.catch(() => {});
    // The engine that was stopped has a successor before the next round counts.
    await load(server, LOOKUP, 1);
  }
  return [
    measured("p99 of such a GET, four interpreters", calm),
    against("the same beside an endless goal", beside, calm, 2),
    measured(`processor time of the client, each (${Math.round(1 / median(client))} a ms)`, client),
  ];
}

async function load({ host }: Server, path: string, seconds = SECONDS): Promise<Load> {
  const args = ["run", "-A", "bench/load.ts", host, String(CONNECTIONS), String(seconds), path];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT })
    .output();
  if (!success) throw new Error(new TextDecoder().decode(stderr).trim());
  return JSON.parse(new TextDecoder().decode(stdout));
}
