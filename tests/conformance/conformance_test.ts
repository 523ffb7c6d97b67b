/**
 * The official conformance suite against zpm's own HTTP transport: against what it serves, and against a server
 * with the suite's fixtures, which every scenario of a protocol revision can be run on.
 */
import assert from "node:assert/strict";
import { Calls } from "../../src/mcp/calls.ts";
import { serveHttp } from "../../src/mcp/http.ts";
import { MemoryOffer } from "../../src/mcp/memories/offer.ts";
import { serveOffer } from "../../src/mcp/serve_http.ts";
import { limits } from "../../src/base/limits.ts";
import { tools } from "../../src/tools/registry.ts";
import { withProxy } from "../support/adding_proxy.ts";
import { fakeMemories } from "../support/fake_memories.ts";
import { withFileServer } from "../support/mcp_file.ts";
import { tokenOf, withPrincipals } from "../support/principals.ts";
import { makeFixtureServer } from "./fixture_server.ts";

const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";
/** Of a whole run of the suite, and of one scenario in it. */
const RUN_MS_MAX = 120_000;
const SCENARIO_MS_MAX = 30_000;
/** A run takes some seconds; now and then one is started and never says a word. */
const WORDLESS_MS_MAX = 30_000;
const RUN_TRIES = 5;
/** Of one try to fetch the suite; a registry may be slow once. */
const FETCH_MS_MAX = 60_000;
const FETCH_TRIES = 3;

/** Scenarios that call no fixture, so that zpm itself can be asked. */
const WITHOUT_FIXTURES: Record<string, string[]> = {
  "2025-11-25": [
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "completion-complete",
    "tools-list",
    "resources-list",
    "resources-subscribe",
    "resources-unsubscribe",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
  ],
  "2026-07-28": [
    "completion-complete",
    "tools-list",
    "resources-list",
    "prompts-list",
    "sep-2164-resource-not-found",
    "caching",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "input-required-result-validate-input",
  ],
};

for (const [revision, scenarios] of Object.entries(WITHOUT_FIXTURES)) {
  Deno.test(`conformance: zpm, ${revision}`, async () => {
    const { deadline_ms } = limits;
    const offer = new MemoryOffer({
      version: "0.0.0",
      tools,
      memories: fakeMemories(),
      deadline_ms,
    });
    const serve = (http: Http) => serveOffer({ ...http, offer });
    await withServer(serve, async (url) => {
      await runScenarios(url, scenarios, revision);
    });
  });

  Deno.test(`conformance: zpm with a documented file, ${revision}`, async () => {
    const text = await Deno.readTextFile(new URL("../../fixtures/kb/access.pl", import.meta.url));
    await withFileServer(text, async (url) => {
      await runScenarios(url, scenarios, revision);
    });
  });

  Deno.test(`conformance: zpm with principals, ${revision}`, async () => {
    await withPrincipals({ config: { tools: "all" } }, async ({ base }) => {
      await withProxy(base, tokenOf("ann"), async (origin) => {
        // The proxy is the one whom a page with another name reaches; `principals_test.ts` asks the server itself.
        const ours = scenarios.filter((name) => name !== "dns-rebinding-protection");
        await runScenarios(`${origin}/mcp`, ours, revision);
      });
    });
  });

  Deno.test(`conformance: fixtures, ${revision}`, async () => {
    const calls = new Calls();
    const makeServer = makeFixtureServer;
    const serve = (http: Http) =>
      serveHttp({ ...http, calls, makeServer, makeSession: makeServer });
    await withServer(serve, async (url) => {
      await runSuite(url, ["--requirements", revision]);
    });
  });
}

type Http = Pick<Parameters<typeof serveHttp>[0], "hostname" | "port" | "stop" | "onlistening">;

async function withServer(
  serve: (http: Http) => Promise<void>,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const listening = Promise.withResolvers<string>();
  const stop = new AbortController();
  const done = serve({
    hostname: "127.0.0.1",
    port: 0,
    stop: stop.signal,
    onlistening: listening.resolve,
  });
  try {
    await work(await listening.promise);
  } finally {
    stop.abort();
    await done;
  }
}

/** Two at a time: a run mostly starts a program and waits, and each has sessions of its own. */
async function runScenarios(url: string, scenarios: string[], revision: string): Promise<void> {
  const waiting = [...scenarios];
  const lane = async () => {
    for (let scenario; (scenario = waiting.shift()) !== undefined;) {
      await runSuite(url, ["--scenario", scenario, "--spec-version", revision]);
    }
  };
  for (const ended of await Promise.allSettled([lane(), lane()])) {
    if (ended.status === "rejected") throw ended.reason;
  }
}

/** Runs the suite as its users do, and shows what it says when a check fails; a run without a word is repeated. */
async function runSuite(url: string, words: string[]): Promise<void> {
  await (fetched ??= fetchSuite());
  let run = await suite(url, words);
  for (let tries = 1; tries < RUN_TRIES && run.said === ""; tries++) run = await suite(url, words);
  assert.ok(run.success, `conformance ${words.join(" ")}\n\n${run.said}`);
}

async function suite(url: string, words: string[]): Promise<{ success: boolean; said: string }> {
  const program = ["run", "-A", "--no-config", "--cached-only", "--quiet", SUITE];
  const timeout = ["--timeout", String(SCENARIO_MS_MAX)];
  const child = new Deno.Command(Deno.execPath(), {
    args: [...program, "server", "--url", url, ...words, ...timeout],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(RUN_MS_MAX),
  }).spawn();
  const said: string[] = [];
  const wordless = setTimeout(() => child.kill("SIGKILL"), WORDLESS_MS_MAX);
  const listen = async (stream: ReadableStream<Uint8Array>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      clearTimeout(wordless);
      said.push(text);
    }
  };
  await Promise.all([listen(child.stdout), listen(child.stderr)]);
  const { success } = await child.status;
  clearTimeout(wordless);
  return { success, said: said.join("") };
}

let fetched: Promise<void> | undefined;

/** Before the runs, so that none of them waits for a registry. */
async function fetchSuite(): Promise<void> {
  for (let tries = 1; tries <= FETCH_TRIES; tries++) {
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["cache", "--no-config", "--quiet", SUITE],
      stdin: "null",
      signal: AbortSignal.timeout(FETCH_MS_MAX),
    }).output();
    if (success) return;
  }
  throw new Error(`cannot fetch ${SUITE}`);
}
