/**
 * Many principals at once: each on a fork of its own, asking and writing at random for a while, against one server in a
 * process of its own. What was acknowledged is kept, and held against audit and journals by `soak_checks.ts`.
 */
import { generator } from "../tests/support/random.ts";
import { SoakServer } from "./soak_server.ts";

export interface SoakOptions {
  /** The program up to its command. */
  words: string[];
  /** A folder for all of it. */
  place: string;
  principals: number;
  /** Engines of all forks together. */
  engines: number;
  duration_ms: number;
  /** How long a principal thinks between two calls, at most. */
  think_ms: number;
  /** How often the server is killed meanwhile. */
  kills: number;
  seed: number;
}

/** An acknowledged write. */
export interface Acknowledged {
  who: string;
  operation: string;
  commit: number;
}

/** What a principal believes. */
export interface Own {
  stored: Set<string>;
  /** A write that got no answer, since the server was killed: stored or not. */
  unclear: Set<string>;
  /** What it finds at the end. */
  found: Set<string>;
}

export interface Soaked {
  /** Answered calls, by verb. */
  calls: Map<string, number>;
  /** Answers that were errors. */
  failures: string[];
  writes: Acknowledged[];
  owns: Map<string, Own>;
  /** The first call of each principal, one after the other: each starts an engine. */
  cold: number[];
  /** Small queries on forks that are warm. */
  queries: number[];
  asserts: number[];
  /** Of the server's process, the largest seen. */
  rss_bytes: number;
  engines_most: number;
}

export async function soak(options: SoakOptions): Promise<Soaked> {
  const names = Array.from({ length: options.principals }, (_, n) => `p${n}`);
  const server = await SoakServer.start(options, names);
  const soaked: Soaked = {
    calls: new Map(),
    failures: [],
    writes: [],
    owns: new Map(
      names.map((name) => [name, { stored: new Set(), unclear: new Set(), found: new Set() }]),
    ),
    cold: [],
    queries: [],
    asserts: [],
    rss_bytes: 0,
    engines_most: 0,
  };
  const clients = names.map((name, n) => new Client({ name, server, soaked, options, n }));
  try {
    for (const client of clients) await client.query(soaked.cold);
    const until = performance.now() + options.duration_ms;
    await Promise.all([
      ...clients.map((client) => client.work(until)),
      disturb(server, soaked, options),
    ]);
    for (const client of clients) await client.look();
  } finally {
    await server.end();
  }
  return soaked;
}

/** Looks at the server now and then, and kills it between times. */
async function disturb(server: SoakServer, soaked: Soaked, { kills, duration_ms }: SoakOptions) {
  for (let part = 0; part <= kills; part++) {
    await new Promise((resolve) => setTimeout(resolve, duration_ms / (kills + 1)));
    await server.look(soaked);
    if (part < kills) await server.exchange();
  }
}

interface ClientOptions {
  name: string;
  server: SoakServer;
  soaked: Soaked;
  options: SoakOptions;
  n: number;
}

const context = "CxUniverse";

class Client {
  readonly #options: ClientOptions;
  readonly #random: (below: number) => number;
  readonly #own: Own;
  readonly #handles: { handle: number; sentence: string }[] = [];
  #notes = 0;

  constructor(options: ClientOptions) {
    const { name, soaked, options: { seed }, n } = options;
    this.#options = options;
    this.#random = generator(seed + n);
    this.#own = soaked.owns.get(name)!;
  }

  async work(until: number): Promise<void> {
    const { think_ms } = this.#options.options;
    while (performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, this.#random(think_ms + 1)));
      const die = this.#random(100);
      if (die < 50) await this.query(this.#options.soaked.queries);
      else if (die < 85) await this.#assert();
      else if (die < 90) await this.#unassert();
      else if (die < 95) await this.#called("matching", { pattern: this.#sentence(this.#notes) });
      else await this.#called("argue", { sentence: "(edge n1 n2)", context });
    }
  }

  async query(times: number[]): Promise<void> {
    await this.#called("query", { goal: `(next n${this.#random(100)} ?x)`, context }, { times });
  }

  /** What is stored at the end, and that nobody else has asserted it. */
  async look(): Promise<void> {
    const { name, server, soaked } = this.#options;
    const args = { pattern: "(note ?who ?n)", limit: 10_000 };
    const { structuredContent } = await server.call(name, "matching", args);
    for (const { sentence, provenance } of structuredContent.matches) {
      if (sentence === "(note nobody 0)") continue;
      this.#own.found.add(sentence);
      if (provenance.creator !== name) soaked.failures.push(`${name} has ${sentence} of another`);
    }
  }

  #sentence(note: number): string {
    return `(note ${this.#options.name} ${note})`;
  }

  async #assert(): Promise<void> {
    const sentence = this.#sentence(this.#notes++);
    const times = this.#options.soaked.asserts;
    const said = await this.#called("assert", { sentence, context }, { times, sentence });
    if (!said) return;
    this.#handles.push({ handle: said.handle, sentence });
    this.#own.stored.add(sentence);
  }

  async #unassert(): Promise<void> {
    if (this.#handles.length === 0) return;
    const [{ handle, sentence }] = this.#handles.splice(this.#random(this.#handles.length), 1);
    this.#own.stored.delete(sentence);
    await this.#called("unassert_handle", { handle }, { sentence });
  }

  /** The structure of the answer; undefined when none came. */
  async #called(
    verb: string,
    args: Record<string, unknown>,
    { times, sentence }: { times?: number[]; sentence?: string } = {},
  ) {
    const { name, server, soaked, options } = this.#options;
    const began = performance.now();
    try {
      const { structuredContent, isError, _meta } = await server.call(name, verb, args);
      times?.push(performance.now() - began);
      soaked.calls.set(verb, (soaked.calls.get(verb) ?? 0) + 1);
      if (isError) soaked.failures.push(`${name} ${verb}: ${JSON.stringify(structuredContent)}`);
      const { operation, commit } = _meta["zpm/receipt"] ?? {};
      if (commit !== undefined) soaked.writes.push({ who: name, operation, commit });
      return structuredContent;
    } catch (error) {
      if (options.kills === 0) throw error;
      if (sentence) this.#own.unclear.add(sentence);
    }
  }
}
