/** The servers of the HTTP part: ours, native SWI-Prolog's, and one that only answers. */
import { join } from "node:path";
import { BINARY } from "./subjects.ts";

export interface Server {
  /** `HOST:PORT` */
  host: string;
  end(): Promise<void>;
}

const ROWS = 10_000;
const ROW = "%! edge(+From:atom, -To:atom, -N:int) is nondet.\n";
const TABLE = Array.from({ length: ROWS }, (_, n) => `edge(n${n}, n${n + 1}, ${n}).\n`).join("");

/** `work` takes an engine some 2 ms by itself; `endless` has no end. */
const WORK = `
%! work(+Key:int, -Next:int) is det.
work(Key, Next) :- range(1, 4000, L), last_of(L, _), Next is Key + 1.
range(N, N, [N]) :- !.
range(I, N, [I|T]) :- I < N, J is I + 1, range(J, N, T).
last_of([X], X) :- !.
last_of([_|T], X) :- last_of(T, X).
%! endless is semidet.
endless :- repeat, fail.
`;

/** The same predicate, through the libraries that SWI-Prolog has for it, on one thread. */
const NATIVE = `
:- use_module(library(http/thread_httpd)).
:- use_module(library(http/http_dispatch)).
:- use_module(library(http/http_json)).
:- use_module(library(http/http_parameters)).
:- http_handler(root(edge), answer, []).
answer(Request) :-
    http_parameters(Request, ['From'(From, [atom])]),
    findall(json{'To': To, 'N': N}, edge(From, To, N), Rows),
    reply_json_dict(Rows, [width(0)]).
serve :-
    http_server(http_dispatch, [port(localhost:Port), workers(1), silent(true)]),
    format("http://localhost:~w/~n", [Port]),
    flush_output,
    thread_get_message(_).
`;

const BARE = `
Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log("http://127.0.0.1:" + port + "/") },
  ({ url }) => {
    const from = Number(new URL(url).searchParams.get("From").slice(1));
    return Response.json([{ To: "n" + (from + 1), N: from }]);
  });
`;

export async function serveFile(place: string, interpreters: number): Promise<Server> {
  const file = join(place, "table.pl");
  await Deno.writeTextFile(file, ROW + TABLE + WORK);
  const words = ["http", file, "--port", "0", "--interpreters", String(interpreters)];
  return await started([BINARY, ...words], place, "stderr");
}

export async function serveNative(place: string): Promise<Server> {
  const file = join(place, "native.pl");
  await Deno.writeTextFile(file, NATIVE + TABLE);
  const words = ["swipl", "-q", "-g", "serve", "-t", "halt", file];
  return await started(words, place, "stdout").catch(() => {
    throw new Error("no native SWI-Prolog with its HTTP libraries (swi-prolog-core-packages)");
  });
}

export async function serveBare(place: string): Promise<Server> {
  const file = join(place, "bare.js");
  await Deno.writeTextFile(file, BARE);
  const words = ["run", "--no-config", "--no-lock", "--allow-net", file];
  return await started([Deno.execPath(), ...words], place, "stdout");
}

/** Waits for the line that says the address. */
async function started(words: string[], cwd: string, tells: "stdout" | "stderr"): Promise<Server> {
  const [command, ...args] = words;
  const silent = { stdin: "null", stdout: "null", stderr: "null" } as const;
  const child = new Deno.Command(command, { args, cwd, ...silent, [tells]: "piped" }).spawn();
  const [line, reader] = [new TextDecoder(), child[tells].getReader()];
  let told = "";
  while (!told.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`${command} does not serve: ${told}`);
    told += line.decode(value, { stream: true });
  }
  const { host } = new URL(/http:\S+/.exec(told)![0]);
  return {
    host,
    async end() {
      child.kill("SIGTERM");
      await child.status;
      await reader.cancel();
    },
  };
}
