/** S: what must not be reached: JavaScript, files, other pages, hooks. */
import { match, ok, strictEqual } from "node:assert/strict";
import {
  ask,
  assume,
  call,
  define,
  each,
  fails,
  file,
  remember,
  restart,
  type Rows,
} from "../support/cases.ts";
import { answer, post, withServer } from "../support/http_server.ts";
import { handshake } from "../support/mcp_session.ts";
import type { Result } from "../support/world.ts";

const invalid = fails("InvalidArguments", /./);
const notAllowed = fails(/^Not allowed in a query: /, /./);

const JAVASCRIPT = [
  'X := eval("1+1")',
  'js_script("1",[])',
  'fetch("http://127.0.0.1:9/",text,T)',
];

/** What would reach around the guards, or stay in the engine for whoever comes next. */
const INTERNALS = [
  "'$js_call'(a, X)",
  "'$set_pattr'(p/1, pred, system(true))",
  "'$style_check'(_, 0)",
  "'$wrap$assertz'(p(1))",
  "format_predicate(w, evil(_, _))",
  "compile_aux_clauses([p(1)])",
  "prolog_debug(chk_secure)",
  "set_flag(a, 1)",
];

const FILES = [
  "consult('/etc/passwd')",
  "open('/etc/hostname',read,S),read_string(S,_,T)",
  "directory_files('/',L)",
  "see('/dev/stdin')",
  "getenv('HOME',X)",
  "shell(id)",
  "load_files('http://127.0.0.1:9/x.pl',[])",
  "tmp_file(a,F)",
  "exists_file('/etc/passwd')",
  "read_file_to_string('/etc/passwd', S, [])",
  "read_file_to_terms('/etc/passwd', T, [])",
  "phrase_from_file(a, '/etc/passwd')",
  "csv_read_file('/etc/passwd', R)",
  "absolute_file_name(library(lists), F, [])",
  "setof(F, member(F, [a]), L), maplist([X]>>consult(X), L)",
];

export const security: Rows = {
  S01: [
    each(JAVASCRIPT, (goal) => ask(goal, notAllowed)),
    ask("_ := globalThis.process.exit(3)", fails(/./)),
    ask('X := prolog.query("true")', fails(/./)),
    ask('G = (X := eval("1+1")), call(G)', notAllowed),
    each(INTERNALS, (goal) => ask(goal, notAllowed)),
    each(INTERNALS, (goal) => ask(`G = ${goal}, call(G)`, notAllowed)),
    each(
      ['X := eval("1+1")', 'js_script("1",[])'],
      (body) => define("js(X)", body, fails(/^Not allowed in a rule: /)),
    ),
  ],
  S02: [
    each(FILES, (goal) =>
      ask(goal, (result: Result) => {
        ok(result.isError, goal);
        match(result.texts[0], /^Not allowed in a query: /);
        ok(!/root:|nobody:/.test(JSON.stringify(result)), goal);
      })),
  ],
  S03: [
    call("find_predicate_references", { functor: "p),halt,(q" }, fails(/./)),
    call("rename_predicate", { old_functor: "p),halt,(q", new_functor: "x" }, fails(/./)),
    call("query_logic", { goal: "true", memory: "default), halt, (" }, invalid),
    assume("a(1)", "h'), halt, ('", invalid),
    call("retract_assumption", { assumption: "h'), halt, ('" }, invalid),
    call("retract_assumptions", { pattern: "h'), halt, ('" }, invalid),
    call("save_snapshot", { name: "s'), halt, ('" }, invalid),
    call("create_memory", { name: "m'), halt, ('" }, invalid),
  ],
  S05: [
    each(
      [
        "prolog_load_file(_,_)",
        "message_hook(_, _, _)",
        "goal_expansion(_, _)",
        "exception(_, _, _)",
        "portray(_)",
        "term_expansion(_, [])",
      ],
      (fact) => remember(fact, fails("InvalidArguments", /hook/)),
    ),
    file(".zpm/kb/hooks.pl", "prolog_load_file(_, _).\nterm_expansion(_, []).\nafter(1).\n"),
    file(".zpm/kb/last.pl", "last_file(1).\n"),
    restart,
    ask("after(X), last_file(Y)", [{ X: 1, Y: 1 }]),
  ],
  S06: [
    async () => {
      await withServer(async ({ address, memories }) => {
        const [initialize] = handshake();
        for (
          const headers of [{ Origin: "http://evil.example" }, { Origin: "null" }]
        ) {
          const response = await post(address, initialize, { headers });
          strictEqual(response.status, 403);
          ok((await answer(response)).error);
        }
        strictEqual(await statusOf(address, "evil.example:3000"), 403);
        strictEqual(memories.calls.length, 0);
        match(address, /^http:\/\/127\.0\.0\.1:/);
      });
    },
  ],
  S08: [
    ask(`X = [${"a,".repeat(2_000_000)}a]`, fails(/^Stopped: /), { timeout_ms: 5_000 }),
    ask(`X = ${"- ".repeat(100_000)}1`, fails(/^(Stopped|The engine stopped|Cannot read)/)),
    ask("X = '" + "\\".repeat(100_001), fails(/^Cannot read the goal/)),
    ask("X = '" + "\\".repeat(100_000) + "'", ({ isError }) => ok(!isError)),
  ],
};

/** `fetch` does not let anybody choose the Host, so this one writes its request itself. */
async function statusOf(address: string, host: string): Promise<number> {
  const { hostname, port } = new URL(address);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const head =
    `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
  await connection.write(new TextEncoder().encode(head));
  const text = await new Response(connection.readable).text();
  return Number(text.split(" ")[1]);
}
