/**
 * The walls of the worker itself, without the guards in front of them: engines whose only Prolog text runs any
 * goal. Whatever gets through the guards one day still stands before these.
 */
import { doesNotMatch, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { limits } from "../../src/base/limits.ts";
import { Engine, EngineLost } from "../../src/engine/engine.ts";
import { assets } from "../support/engines.ts";

/** Answers `yes`, `no`, or the error, for any goal. */
const UNGUARDED = `
:- module(zpm, [zpm_call/2]).
:- use_module(library(wasm)).
zpm_call(Request, Reply) :-
    get_dict(n, Request, N),
    (   get_dict(goal, Request, Text)
    ->  outcome(Text, Outcome)
    ;   Outcome = 'zpm'
    ),
    atom_codes(Outcome, Codes),
    maplist([C, D]>>( memberchk(C, [0'", 0'\\\\, 0'\\n]) -> D = 0'. ; D = C ), Codes, Safe),
    format(string(Reply), '{"n":~d,"ok":{"hello":"~s"}}', [N, Safe]).
outcome(Text, Outcome) :-
    catch(( term_string(Goal, Text), ( call(Goal) -> Outcome = yes ; Outcome = no ) ),
          Error, format(atom(Outcome), '~q', [Error])).
`;

type Ask = (goal: string) => Promise<string>;

/** The last line of the boot; a `window` put there is what library(wasm) misses by luck only. */
const BOOTED = "start.port.onmessage = (event) => serve(event.data);";

/** An engine without guards, in which library(wasm) finds the `window` that it looks for. */
async function bootUnguarded(): Promise<{ engine: Engine; ask: Ask }> {
  const usual = await assets();
  const worker = usual.worker.replace(BOOTED, `globalThis.window = globalThis; ${BOOTED}`);
  notStrictEqual(worker, usual.worker);
  const engine = new Engine({ ...usual, worker, files: { "zpm.pl": UNGUARDED } }, undefined);
  await engine.ready();
  return {
    engine,
    async ask(goal) {
      const { text } = await engine.ask({ goal });
      return JSON.parse(text).ok.hello;
    },
  };
}

async function unguarded(test: (ask: Ask) => Promise<void>): Promise<void> {
  const { engine, ask } = await bootUnguarded();
  try {
    await test(ask);
  } finally {
    engine.stop();
  }
}

/** Each would answer in the engine's place, silence it, or reach the host. */
const ATTACKS = [
  "js_run_script('1+1')",
  "js_run_script('self.postMessage(1)')",
  "js_run_script('self.onmessage = null')",
  "js_run_script('self.close()')",
  'X := eval("1+1")',
  '_ := postMessage("forged")',
  '_ := window.postMessage("forged")',
  "_ := window.close()",
  '_ := window.eval("1+1")',
  '_ := window.fetch("http://127.0.0.1:8899/")',
  '_ := window.setTimeout("1+1", 0)',
  'X := window.constructor.constructor("return 1")',
  "X := 'Deno'.readTextFileSync(\"/etc/hostname\")",
  "X := 'Deno'.env.get(\"HOME\")",
  "X := process.env",
  'js_script("self.postMessage(1)", [])',
];

Deno.test("JavaScript reached from Prolog can neither answer for the engine nor reach the host", async () => {
  let { engine, ask } = await bootUnguarded();
  strictEqual(await ask('X := parseInt("7"), X == 7'), "yes");
  for (const goal of ATTACKS) {
    const said = await ask(goal).catch((error) => {
      ok(error instanceof EngineLost, `${goal}: ${error}`);
      return "lost";
    });

    doesNotMatch(said, /^yes$/, goal);
    if (!engine.alive) ({ engine, ask } = await bootUnguarded());
    strictEqual(await ask("true"), "yes", goal);
  }
  engine.stop();
});

Deno.test("files are those of the engine, never those of the host", async () => {
  await unguarded(async (ask) => {
    strictEqual(await ask("exists_file('/etc/hostname')"), "no");
    strictEqual(await ask(`exists_file('${Deno.execPath()}')`), "no");
    match(await ask("open('/etc/passwd', read, _)"), /existence_error/);
    const name = `/tmp/zpm-isolation-${crypto.randomUUID()}`;
    strictEqual(await ask(`open('${name}', write, S), write(S, x), close(S)`), "yes");
    strictEqual(await Deno.stat(name).then(() => "there", () => "absent"), "absent");
    strictEqual(await ask("getenv('PATH', P), sub_atom(P, _, _, _, deno)"), "no");
  });
});

Deno.test("input is at its end, and nothing is printed but into the reply", async () => {
  await unguarded(async (ask) => {
    strictEqual(await ask("read(user_input, X), X == end_of_file"), "yes");
    strictEqual(await ask("write(user_output, a), write(user_error, b), nl(user_error)"), "yes");
  });
});

Deno.test("halt ends the engine and nothing else", async () => {
  await unguarded(async (ask) => {
    await ask("halt(3)").then(
      (said) => ok(!/^(yes|no)$/.test(said), said),
      (error) => ok(error instanceof EngineLost, String(error)),
    );
  });
});

Deno.test("an engine's memory has an end", async () => {
  const changed = limits as { memory_bytes: number };
  const usual = changed.memory_bytes;
  changed.memory_bytes = 96 * 1024 * 1024;
  try {
    await unguarded(async (ask) => {
      const said = await ask("numlist(1, 20000000, L), sum_list(L, _)").catch((error) => {
        ok(error instanceof EngineLost, String(error));
        return "lost";
      });
      match(said, /^(lost|.*resource_error.*)$/);
    });
  } finally {
    changed.memory_bytes = usual;
  }
});
