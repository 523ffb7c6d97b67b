/**
 * The permissions of DESIGN section 5, from source and in the compiled binary: once a project is open, the main
 * thread can touch nothing, Prolog never could, and the store still saves.
 */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { asSource, canCompile, compiled } from "../support/compiled.ts";
import { type Call, commitsOf, inProject, startCrashServer } from "../support/crash_server.ts";
import { cacheSource, type Program, ROOT } from "../support/transcript_program.ts";

/** Where the test has written something that nobody else may read. */
const SECRET = "the secret of the host";

for (const [kind, ignore] of [["source", false], ["compiled", !canCompile()]] as const) {
  Deno.test({
    name: `the main thread gives everything away when a project is open (${kind})`,
    ignore,
    async fn() {
      await cacheSource();
      await inProject(async (project) => {
        const tools = await Deno.makeTempDir({ prefix: "zpm-probe-" });
        try {
          const name = "permission_probe.ts";
          const program = kind === "source" ? asSource(name) : await compiled(name, tools);
          await checkMainThread(program, project, tools);
        } finally {
          await Deno.remove(tools, { recursive: true });
        }
      });
    },
  });
}

interface Report {
  before: Record<string, string>;
  after: Record<string, string>;
  commits: number[];
}

async function checkMainThread(
  [command, ...words]: Program,
  project: string,
  outside: string,
): Promise<void> {
  const { stdout, stderr } = await new Deno.Command(command, {
    args: [...words, project, outside],
    cwd: ROOT,
  }).output();
  const said = new TextDecoder().decode(stdout);
  ok(said.startsWith("{"), new TextDecoder().decode(stderr));
  const { before, after, commits } = JSON.parse(said) as Report;
  // Without this the probe could be refused for another reason, and prove nothing.
  for (const [attempt, outcome] of Object.entries(before)) strictEqual(outcome, "done", attempt);
  for (const [attempt, outcome] of Object.entries(after)) {
    strictEqual(outcome, "NotCapable", attempt);
  }
  ok(Object.keys(after).length >= 15);
  deepStrictEqual(commits, [1, 2]);
  deepStrictEqual((await commitsOf(project)).map(({ seq }) => seq), [1, 2]);
}

/** Ways out that a goal could try. `[FILE]` is a file beside the project, `[NEW]` one that must not come to be. */
const GOALS = [
  "open('[FILE]', read, S), read_string(S, _, Text)",
  "open('[NEW]', write, S), close(S)",
  "G =.. [open, '[FILE]', read, S], call(G), read_string(S, _, Text)",
  "see('[FILE]'), read_term(Text, [])",
  "tell('[NEW]'), write(x), told",
  "consult('[FILE]')",
  "['[FILE]']",
  "load_files('[FILE]', [])",
  "call(consult, '[FILE]')",
  "maplist(consult, ['[FILE]'])",
  "exists_file('[FILE]')",
  "size_file('[FILE]', Size)",
  "directory_files('/', Files)",
  "delete_file('[FILE]')",
  "rename_file('[FILE]', '[NEW]')",
  "make_directory('[NEW]')",
  "working_directory(D, '/')",
  "absolute_file_name('[FILE]', F, [access(read)])",
  "getenv('HOME', Home)",
  "setenv('X', y)",
  "shell('touch [NEW]')",
  'X := eval("1+1")',
  "X := readTextFileSync('[FILE]')",
  "_ := exit(3)",
  'call(:=, X, eval("1+1"))',
  "js_script(\"Deno.writeTextFileSync('[NEW]', '')\", [])",
  "await(X, Y)",
  'fetch("file://[FILE]", text, Text)',
  "halt(3)",
  "catch_with_backtrace(halt(3), _, true)",
  "setup_call_cleanup(true, true, halt(3))",
  "call_cleanup(true, open('[FILE]', read, _))",
  "thread_create(halt(3), _, [])",
  "freeze(X, open('[FILE]', read, S)), X = 1, read_string(S, _, Text)",
  "findall(T, (open('[FILE]', read, S), read_string(S, _, T)), Text)",
  "with_output_to(string(T), consult('[FILE]'))",
  "term_to_atom(G, 'open(\\'[FILE]\\', read, S)'), call(G)",
  "@(open('[FILE]', read, S), system)",
  "system:open('[FILE]', read, S)",
  "M = system, M:open('[FILE]', read, S)",
  "set_prolog_flag(zpm_mode, kernel)",
  "zpm_guards:enter_goal_mode",
  "@(assertz(hacked(1)), zpm_memories)",
];

Deno.test("no goal gets out of its engine", async () => {
  await cacheSource();
  await inProject(async (project) => {
    const file = join(project, "secret.txt");
    const unwanted = join(project, "new.txt");
    await Deno.writeTextFile(file, `secret('${SECRET}').\n`);
    const goals = GOALS.map((goal) =>
      goal.replaceAll("[FILE]", file).replaceAll("[NEW]", unwanted)
    );
    const server = startCrashServer(project);
    await server.send(remember, ...goals.map(ask), ask("kept(X)"));
    await server.answered(goals.length + 2);
    goals.forEach((goal, index) => {
      ok(!server.acknowledged.has(index + 2), `${goal}: ${server.texts.get(index + 2)}`);
      match(
        server.texts.get(index + 2) ?? "",
        /^(Not allowed|Memory not mounted|Goal raised)/,
        goal,
      );
    });
    strictEqual(server.texts.get(goals.length + 2), `[{"X":1}]`);
    ok(![...server.texts.values()].some((text) => text.includes(SECRET)));
    await server.kill();
    strictEqual(await Deno.readTextFile(file), `secret('${SECRET}').\n`);
    strictEqual(await Deno.stat(unwanted).then(() => true, () => false), false);
    strictEqual((await commitsOf(project)).length, 1);
  });
});

const remember: Call = { name: "remember_fact", arguments: { fact: "kept(1)" } };

function ask(goal: string): Call {
  return { name: "query_logic", arguments: { goal } };
}
