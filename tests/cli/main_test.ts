/** Commands, settings, formats and exit codes (SPEC 1.1, 1.4). */
import assert from "node:assert/strict";
import type { Io } from "../../src/cli/io.ts";
import type { Sorted } from "../../src/cli/options.ts";
import { readSettings } from "../../src/cli/settings.ts";
import { runZpm, withProject } from "../support/fake_io.ts";

Deno.test("a tool prints its first item on stdout and the rest on stderr", async () => {
  await withProject(async (cwd) => {
    const stored = await runZpm(["remember-fact", "--fact", "human(socrates)"], { cwd });
    assert.deepEqual([stored.code, stored.out, stored.err], [0, "Asserted: human(socrates)\n", ""]);
    const warned = await runZpm(["query-logic", "unknown"], { cwd });
    assert.deepEqual([warned.code, warned.out], [0, "[]\n"]);
    assert.equal(warned.err, "Warning: Unknown predicate: parnet/2\n");
  });
});

Deno.test("a failed tool exits with 1 and says all on stderr", async () => {
  await withProject(async (cwd) => {
    const failed = await runZpm(["query-logic", "unreadable"], { cwd });
    assert.deepEqual([failed.code, failed.out], [1, ""]);
    assert.equal(failed.err, "Cannot read the goal: odd\nMend it\nAt line 2, column 7\n");
    const missing = await runZpm(["remember-fact"], { cwd });
    assert.match(missing.err, /^InvalidArguments\n"fact" is required/);
    assert.equal(missing.code, 1);
  });
});

Deno.test("--format json prints the structure and nothing else on stdout, also of a failure", async () => {
  await withProject(async (cwd) => {
    const good = await runZpm(["query-logic", "float", "--format", "json"], { cwd });
    assert.match(good.out, /^\{"answers":\[\{"X":1\.0\}\]/);
    assert.equal(good.err, "");
    const bad = await runZpm(["query-logic", "--format=json", "stopped"], { cwd });
    assert.deepEqual(Object.keys(JSON.parse(bad.out)), ["error", "answers"]);
    assert.deepEqual([bad.code, bad.err], [1, ""]);
    const wrong = await runZpm(["query-logic", "p", "--lmit", "3", "--format", "json"], { cwd });
    assert.equal(JSON.parse(wrong.out).error.code, "input");
  });
});

Deno.test("required arguments may stand alone, in order, or be named", async () => {
  await withProject(async (cwd) => {
    for (
      const words of [
        ["define-rule", "p(X)", "q(X)"],
        ["define_rule", "--head", "p(X)", "--body", "q(X)"],
        ["define-rule", "--tabled", "false", "p(X)", "q(X)"],
      ]
    ) {
      const { out, memories } = await runZpm(words, { cwd });
      assert.equal(out, "Asserted rule: p(X) :- q(X)\n");
      assert.equal(memories.calls[0].request.tabled, false);
    }
    const twice = await runZpm(["remember-fact", "p", "--fact", "q"], { cwd });
    assert.match(twice.err, /"fact" is given twice/);
    const tabled = await runZpm(["define-rule", "p", "q", "--tabled"], { cwd });
    assert.equal(tabled.memories.calls[0].request.tabled, true);
  });
});

Deno.test("a list is the words that are left, or an option said several times, or lines of input", async () => {
  await withProject(async (cwd) => {
    const facts = async (words: string[], input?: string) => {
      const { memories } = await runZpm(["remember-facts", ...words], { cwd, input });
      return memories.calls[0]?.request.facts;
    };
    assert.deepEqual(await facts(["a(1)", "b(2)", "c(3)"]), ["a(1)", "b(2)", "c(3)"]);
    assert.deepEqual(await facts(["--facts", "a(1)", "--facts=b(2)"]), ["a(1)", "b(2)"]);
    assert.deepEqual(await facts(["a(1)", "-", "d(4)"], "b(2)\r\n\nc(3)\n"), [
      "a(1)",
      "b(2)",
      "c(3)",
      "d(4)",
    ]);
    const both = await runZpm(["remember-facts", "a(1)", "--facts", "b(2)"], { cwd });
    assert.match(both.err, /"facts" is given twice/);
    assert.match((await runZpm(["remember-facts"], { cwd })).err, /"facts" is required/);
  });
});

Deno.test("the text of a file is named, not typed", async () => {
  await withProject(async (cwd) => {
    const path = `${cwd}/rules.pl`;
    await Deno.writeTextFile(path, "p(X) :- q(X).\n");
    const loaded = await runZpm(["load-knowledge", path], { cwd });
    assert.equal(loaded.memories.calls[0].request.text, "p(X) :- q(X).\n");
    const piped = await runZpm(["load-knowledge", "--text", "-"], { cwd, input: "p.\n" });
    assert.equal(piped.memories.calls[0].request.text, "p.");
    const missing = await runZpm(["load-knowledge", `${path}x`], { cwd });
    assert.match(missing.err, /^Cannot read the file ".*rules\.plx"/);
    assert.equal(missing.code, 1);
  });
});

Deno.test("numbers are numbers, and what is none is refused in the tool's words", async () => {
  await withProject(async (cwd) => {
    const { memories } = await runZpm(["query-logic", "p", "--limit", "5", "--timeout_ms=70"], {
      cwd,
    });
    assert.equal(memories.calls[0].request.limit, 5);
    assert.equal(memories.calls[0].context.deadline_ms, 70);
    const { err } = await runZpm(["query-logic", "p", "--limit", "many"], { cwd });
    assert.match(err, /^InvalidArguments\n"limit" must be an integer from 1 to 10000, not "many"/);
    const negative = await runZpm(["explain-why", "p", "--max-depth", "-1"], { cwd });
    assert.match(negative.err, /of at least 0, not -1/);
  });
});

Deno.test("the value - is standard input, anything longer is a value", async () => {
  await withProject(async (cwd) => {
    const options = { cwd, input: "human(socrates)\n" };
    for (const words of [["-"], ["--fact", "-"], ["--fact=-"]]) {
      assert.equal(
        (await runZpm(["remember-fact", ...words], options)).out,
        "Asserted: human(socrates)\n",
      );
    }
    const dashed = await runZpm(["query-logic", "-X = 3"], options);
    assert.equal(dashed.memories.calls[0].request.goal, "-X = 3");
    assert.match((await runZpm(["define-rule", "-", "-"], options)).err, /for one argument only/);
  });
});

Deno.test("the deadline comes from the option, else from the environment", async () => {
  await withProject(async (cwd) => {
    const deadline = async (words: string[], env: Record<string, string> = {}) =>
      (await runZpm(["query-logic", "p", ...words], { cwd, env })).memories.calls[0].context
        .deadline_ms;
    assert.equal(await deadline([]), 10_000);
    assert.equal(await deadline([], { ZPM_DEADLINE_MS: "500" }), 500);
    assert.equal(await deadline(["--deadline-ms", "700"], { ZPM_DEADLINE_MS: "500" }), 700);
    const wrong = await runZpm(["query-logic", "p"], { cwd, env: { ZPM_DEADLINE_MS: "soon" } });
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /^ZPM_DEADLINE_MS must be an integer from 1 to 50000, not "soon"/);
    assert.match(
      (await runZpm(["echo", "x", "--log", "charon=trace,loud"], { cwd })).err,
      /--log must be one of .*, not "charon=trace,loud"/,
    );
  });
});

Deno.test("what is told is a level, or a filter whose most telling part counts; the variable wins", () => {
  const level = (value: string, variable?: string) => {
    const options = new Map([["log", value]]);
    const io = { env: (name: string) => name === "ZPM_LOG" ? variable : undefined };
    return readSettings({ options } as unknown as Sorted, io as unknown as Io).log;
  };
  assert.deepEqual(
    ["error", "info", "charon=trace,warn", "error,zpm=info", "trace"].map((said) => level(said)),
    ["error", "info", "debug", "info", "debug"],
  );
  assert.equal(level("error", "debug"), "debug");
  assert.equal(level("error", ""), "error");
});

Deno.test("the project is the option's, the environment's, or the nearest upwards", async () => {
  await withProject(async (cwd) => {
    await Deno.mkdir(`${cwd}/deep/down`, { recursive: true });
    for (
      const options of [
        { cwd: `${cwd}/deep/down` },
        { cwd: "/", env: { ZPM_PROJECT: cwd } },
      ]
    ) {
      assert.equal((await runZpm(["echo", "x"], options)).code, 0);
    }
    assert.equal((await runZpm(["echo", "x", "--project", cwd], { cwd: "/" })).code, 0);
    assert.equal((await runZpm(["--project", cwd, "echo", "x"], { cwd: "/" })).code, 0);
    const none = await runZpm(["query-logic", "p"], { cwd: "/" });
    assert.equal(none.code, 1);
    assert.match(none.err, /run 'zpm init'/);
  });
});

Deno.test("unknown commands and words too many are named", async () => {
  const unknown = await runZpm(["remember-fac", "p"]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /^Unknown command "remember-fac", perhaps "remember-fact" is meant/);
  const extra = await runZpm(["query-logic", "p(X),", "q(X)"]);
  assert.match(
    extra.err,
    /^Unexpected argument "q\(X\)": zpm query-logic takes GOAL\nQuote what has spaces/,
  );
  assert.equal((await runZpm([])).code, 1);
});

Deno.test("help is a word, too", async () => {
  for (const [words, option] of [[["help"], ["--help"]], [["help", "undo"], ["undo", "--help"]]]) {
    const { code, out } = await runZpm(words);
    assert.deepEqual([code, out], [0, (await runZpm(option)).out]);
  }
});

Deno.test("version, in words and as an option", async () => {
  const { version } = JSON.parse(
    await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
  );
  assert.equal((await runZpm(["--version"])).out, `zpm ${version}\n`);
  assert.match((await runZpm(["version"])).out, new RegExp(`^zpm ${version}\ndeno `));
  assert.equal(JSON.parse((await runZpm(["version", "--format", "json"])).out).version, version);
});

Deno.test("init makes a project where it is told to, and is harmless when repeated", async () => {
  const cwd = await Deno.realPath(await Deno.makeTempDir({ prefix: "zpm-cli-" }));
  try {
    assert.equal((await runZpm(["init"], { cwd })).out, `Made a zpm project in ${cwd}\n`);
    assert.equal((await runZpm(["init"], { cwd })).out, `Already a zpm project: ${cwd}\n`);
    assert.equal(await Deno.readTextFile(`${cwd}/.zpm/.gitignore`), "data/\n");
    assert.equal((await runZpm(["init", "other"], { cwd })).code, 0);
    assert.equal((await runZpm(["echo", "x"], { cwd: `${cwd}/other` })).out, "x\n");
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});

Deno.test("doctor tells project, files and engine", async () => {
  await withProject(async (cwd) => {
    const { code, out } = await runZpm(["doctor"], { cwd });
    assert.equal(code, 0);
    assert.match(
      out,
      new RegExp(`project: ${cwd}\nfound_by: here\nfolder: ${cwd}/.zpm\nstatus: active`),
    );
    assert.match(out, /engine: alive\nfiles: none\nproblems: none/);
  });
});

Deno.test("serve speaks MCP; without a project it says so and exits with 1", async () => {
  const input = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n' +
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"message":"x"}}}\n';
  await withProject(async (cwd) => {
    const { code, out, err } = await runZpm(["serve"], { cwd, input });
    assert.deepEqual([code, err, out.trimEnd().split("\n").length], [0, "", 2]);
  });
  const { code, out, err } = await runZpm(["serve"], { input });
  assert.equal(code, 1);
  assert.match(err, /^zpm: No zpm project found: run 'zpm init'.*\n.*--project DIR.*ZPM_PROJECT/);
  const [listed, called] = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.ok(listed.result.tools.length > 0);
  assert.equal(called.result.isError, true);
});

Deno.test("serve offers the tools it is told to, and starts with no name that is none", async () => {
  const input = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';
  await withProject(async (cwd) => {
    const offered = async (words: string[], env: Record<string, string> = {}) => {
      const { out } = await runZpm(["serve", ...words], { cwd, env, input });
      return JSON.parse(out).result.tools.map(({ name }: { name: string }) => name);
    };
    assert.deepEqual(await offered(["--tools", "query_logic, echo"]), ["echo", "query_logic"]);
    assert.deepEqual(await offered([], { ZPM_TOOLS: "query-logic" }), ["query_logic"]);
    const all = await offered([]);
    const excluded = await offered(["--exclude-tools", "echo,forget_fact"]);
    assert.deepEqual(
      excluded,
      all.filter((name: string) => name !== "echo" && name !== "forget_fact"),
    );
    const reading = await offered(["--read-only"]);
    assert.ok(reading.includes("query_logic") && !reading.includes("remember_fact"));
    for (
      const [value, expected] of [["true", reading], ["1", reading], ["false", all], ["", all]]
    ) {
      assert.deepEqual(await offered([], { ZPM_READ_ONLY: String(value) }), expected);
    }
    assert.deepEqual(await offered(["--read-only=false"], { ZPM_READ_ONLY: "1" }), all);

    const refused = async (words: string[], env: Record<string, string>, message: RegExp) => {
      const { code, out, err } = await runZpm(["serve", ...words], { cwd, env, input });
      assert.deepEqual([code, out], [1, ""]);
      assert.match(err, message);
    };
    const unknown = /names an unknown tool: "remember_fax", perhaps "remember_fact" is meant/;
    await refused(["--tools", "echo,remember_fax"], {}, unknown);
    await refused([], { ZPM_EXCLUDE_TOOLS: "remember_fax" }, unknown);
    await refused(["--tools", "echo,,"], {}, /^--tools names an unknown tool: ""/);
    // Where there are files, they may say what is a tool; nobody knows yet.
    await Deno.writeTextFile(`${cwd}/.zpm/kb/a.pl`, "p(1).\n");
    assert.deepEqual(await offered(["--tools", "echo,remember_fax"]), ["echo"]);
    await Deno.remove(`${cwd}/.zpm/kb/a.pl`);
    await refused([], { ZPM_READ_ONLY: "yes" }, /^ZPM_READ_ONLY must be true or false, not "yes"/);
    await refused(["--read-only", "--tools", "remember_fact"], {}, /^No tool is left to offer/);
  });
});
