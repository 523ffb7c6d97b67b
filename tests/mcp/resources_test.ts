/** Resources, prompts, completion, progress and cancellation, on real memories. */
import assert from "node:assert/strict";
import { openMemories, type ProjectMemories } from "../../src/memory/service.ts";
import { withProject } from "../support/fake_io.ts";
import { handshake, type Session, startSession } from "../support/mcp_session.ts";

interface Real {
  cwd: string;
  memories: ProjectMemories;
  session: Session;
  /** The result or error of a request. */
  // deno-lint-ignore no-explicit-any -- a message of any shape; the test looks
  ask(method: string, params?: object): Promise<any>;
  write(tool: string, input: Record<string, unknown>): Promise<void>;
}

const KB = `:- table reach/2.
edge(a, b).
edge(b, 'C d').
reach(From, To) :- edge(From, To).
reach(From, To) :- reach(From, Via), edge(Via, To).
`;

async function withReal(
  work: (real: Real) => Promise<void>,
  { engines = 2, kb = KB } = {},
): Promise<void> {
  await withProject(async (cwd) => {
    await Deno.writeTextFile(`${cwd}/.zpm/kb/graph.pl`, kb);
    const memories = await openMemories({ folder: `${cwd}/.zpm`, engines, longLived: true });
    // The fake's type, of which only what real memories have as well is used.
    const session = startSession({ memories } as unknown as Parameters<typeof startSession>[0]);
    session.send(...handshake());
    let id = 1000;
    const ask: Real["ask"] = async (method, params = {}) => {
      const mine = ++id;
      session.send({ jsonrpc: "2.0", id: mine, method, params });
      const line = await session.line((text) => JSON.parse(text).id === mine);
      return JSON.parse(line).result ?? JSON.parse(line).error;
    };
    const write: Real["write"] = async (tool, input) => {
      const { result } = await session.call(tool, input);
      assert.equal(result?.isError, false, JSON.stringify(result));
    };
    try {
      await work({ cwd, memories, session, ask, write });
    } finally {
      await session.end();
      await memories.close();
    }
  });
}

const SOURCE = `:- style_check(-discontiguous).
:- dynamic reach/2.
:- table reach/2.
:- dynamic edge/2.
:- dynamic human/1.
:- dynamic mortal/1.

edge(a, b).
edge(b, 'C d').
reach(From, To) :- edge(From, To).
reach(From, To) :- reach(From, Via), edge(Via, To).
human(socrates).
mortal(Who) :- human(Who).
edge('C d', e).
`;

Deno.test("the source of a memory is all of it, in the order of the state", async () => {
  await withReal(async ({ ask, write }) => {
    await write("remember_fact", { fact: "human(socrates)" });
    await write("define_rule", { head: "mortal(Who)", body: "human(Who)" });
    await write("remember_fact", { fact: "edge('C d', e)" });
    const uri = "zpm://memory/default/source";
    const { contents } = await ask("resources/read", { uri });
    assert.deepEqual(contents, [{ uri, mimeType: "text/x-prolog", text: SOURCE }]);
    const { resources } = await ask("resources/list");
    const listed = resources.map((resource: { uri: string }) => resource.uri);
    assert.deepEqual(listed, [uri, "zpm://memory/default/schema"]);
    assert.equal(resources[0].size, new TextEncoder().encode(SOURCE).length);
    assert.deepEqual(resources[0].annotations.audience, ["user", "assistant"]);
  });
});

Deno.test("the source, loaded as a file, is the same memory", async () => {
  const odd = [
    "p('it''s', \"two\\nlines\", [a|b], {x, y}, 0'a, 1.0, -1, - 1, 1r3, 2 ** 3)",
    "'$VAR'(1, '$VAR'(2), 'X', [])",
    "'hello world'(:- a, (b, c), [(d :- e)], \\+ f, 1 - -1, a:b:c, f(;), (dynamic))",
    "'Über'(ö, 'Ö', \"日本\", '\\t')",
  ];
  let first = "";
  await withReal(async ({ ask, write }) => {
    for (const fact of odd) await write("remember_fact", { fact });
    await write("define_rule", {
      head: "q(X, Größe)",
      body: "( p(X) -> true ; \\+ X = Größe, ! ), findall(Y, member(Y, [1]), _), X #> 3",
    });
    await write("remember_fact", { fact: "edge(c, d)" });
    first = (await ask("resources/read", { uri: "zpm://memory/default/source" })).contents[0].text;
  });
  await withReal(async ({ ask }) => {
    const { contents } = await ask("resources/read", { uri: "zpm://memory/default/source" });
    assert.equal(contents[0].text, first);
  }, { kb: first });
});

Deno.test("schema, predicates and snapshots are read by their names", async () => {
  await withReal(async ({ ask, write }) => {
    await write("remember_fact", { fact: "'a/b c'(1)" });
    await write("save_snapshot", { name: "before" });
    const text = async (uri: string) => (await ask("resources/read", { uri })).contents[0].text;
    const schema = JSON.parse(await text("zpm://memory/default/schema"));
    assert.deepEqual(schema.predicates[0], { name: "reach", arity: 2, type: "rule", count: 2 });
    const edges = ":- dynamic edge/2.\nedge(a, b).\nedge(b, 'C d').\n";
    assert.equal(await text("zpm://memory/default/predicate/edge/2"), edges);
    const odd = `zpm://memory/default/predicate/${encodeURIComponent("a/b c")}/1`;
    assert.equal(await text(odd), ":- dynamic 'a/b c'/1.\n'a/b c'(1).\n");
    assert.match(await text("zpm://memory/default/snapshot/before"), /^% Snapshot before/);
    const { resourceTemplates } = await ask("resources/templates/list");
    const templates = resourceTemplates.map((one: { uriTemplate: string }) => one.uriTemplate);
    assert.deepEqual(templates, [
      "zpm://memory/{name}/source",
      "zpm://memory/{name}/schema",
      "zpm://memory/{name}/predicate/{functor}/{arity}",
      "zpm://memory/{name}/snapshot/{snapshot}",
    ]);
    const absent = [
      "zpm://memory/default/predicate/edge/3",
      "zpm://memory/other/source",
      "zpm://memory/default/snapshot/none",
      "zpm://memory/default/nothing",
      "zpm://memory/default/predicate/%zz/1",
      "file:///etc/passwd",
    ];
    for (const uri of absent) {
      const { code, data } = await ask("resources/read", { uri });
      assert.deepEqual([code, data.uri], [-32602, uri]);
    }
  });
});

Deno.test("whoever subscribed hears of changes, those of other processes when they are noticed", async () => {
  await withReal(async ({ cwd, session, ask, write }) => {
    const uri = "zpm://memory/default/predicate/human/1";
    const told = () => session.lines.filter((line) => line.includes("resources/updated"));
    // Twice is once.
    for (let times = 0; times < 2; times++) await ask("resources/subscribe", { uri });
    await write("remember_fact", { fact: "human(socrates)" });
    await session.line((line) => line.includes("resources/updated"));
    assert.equal(JSON.parse(told()[0]).params.uri, uri);
    const other = await openMemories({ folder: `${cwd}/.zpm` });
    const context = { by: "remember_fact", client: "other", deadline_ms: 10_000 };
    const memory = await other.memory("default", context);
    await memory.commit({ op: "remember", fact: "human(plato)" });
    await other.close();
    assert.equal(told().length, 1);
    await session.call("query_logic", { goal: "human(X)" });
    while (told().length < 2) await pause(10);
    await ask("resources/unsubscribe", { uri });
    await write("remember_fact", { fact: "human(zeno)" });
    await pause(200);
    assert.equal(told().length, 2);
  });
});

Deno.test("a memory that is mounted or unmounted changes the list of resources", async () => {
  await withReal(async ({ session, ask, write }) => {
    await write("create_memory", { name: "notes" });
    await write("mount_memory", { name: "notes" });
    await session.line((line) => line.includes("notifications/resources/list_changed"));
    const { resources } = await ask("resources/list");
    assert.equal(resources.length, 4);
    assert.equal(resources[2].uri, "zpm://memory/notes/source");
  });
});

Deno.test("prompts show what a memory holds and teach how to use it", async () => {
  await withReal(async ({ ask }) => {
    const { prompts } = await ask("prompts/list");
    const names = prompts.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ["knowledge_base_overview", "use_memory_well"]);
    const get = async (name: string, given: object) =>
      (await ask("prompts/get", { name, arguments: given })).messages?.[0].content.text;
    const overview = await get("knowledge_base_overview", {});
    assert.match(overview, /^The zpm memory "default" holds 2 predicates/);
    assert.match(overview, /- edge\/2: 2 facts\n {4}edge\(a, b\)/);
    assert.match(await get("use_memory_well", {}), /explain_why/);
    assert.equal((await ask("prompts/get", { name: "none" })).code, -32602);
    const wrong = await ask("prompts/get", {
      name: "knowledge_base_overview",
      arguments: { memory: "absent" },
    });
    assert.match(wrong.message, /Memory not mounted: absent/);
  });
});

Deno.test("names are completed: memories, predicates, assumptions, snapshots", async () => {
  await withReal(async ({ ask, write, memories }) => {
    await write("assume_fact", { fact: "up(db)", assumption: "infra_healthy" });
    await write("save_snapshot", { name: "before" });
    const complete = async (ref: object, name: string, value: string, given?: object) => {
      const context = given && { arguments: given };
      const asked = { ref, argument: { name, value }, ...(context && { context }) };
      return (await ask("completion/complete", asked)).completion;
    };
    const uri = "zpm://memory/{name}/predicate/{functor}/{arity}";
    const template = { type: "ref/resource", uri };
    const tool = (name: string) => ({ type: "ref/prompt", name });
    assert.deepEqual((await complete(template, "name", "d")).values, ["default"]);
    assert.deepEqual((await complete(template, "functor", "e")).values, ["edge"]);
    assert.deepEqual((await complete(template, "arity", "", { functor: "edge" })).values, ["2"]);
    assert.deepEqual((await complete(template, "snapshot", "be")).values, ["before"]);
    const overview = tool("knowledge_base_overview");
    assert.deepEqual((await complete(overview, "memory", "")).values, ["default"]);
    const retract = tool("retract_assumption");
    assert.deepEqual((await complete(retract, "assumption", "infra")).values, ["infra_healthy"]);
    assert.deepEqual((await complete(tool("restore_snapshot"), "name", "")).values, ["before"]);
    assert.deepEqual((await complete(overview, "nothing", "")).values, []);
    const memory = await memories.memory("default", {
      by: "test",
      client: "test",
      deadline_ms: 10_000,
    });
    const facts = Array.from({ length: 120 }, (_, index) => `many_${index}(x)`);
    await Promise.all(facts.map((fact) => memory.commit({ op: "remember", fact })));
    const many = await complete(template, "functor", "many_");
    assert.deepEqual([many.values.length, many.total, many.hasMore], [100, 120, true]);
  });
});

Deno.test("a client that asks hears how far its query is, in growing numbers", async () => {
  await withReal(async ({ session, ask }) => {
    const params = {
      name: "query_logic",
      arguments: { goal: "between(1, inf, X), X mod 1000 =:= 0", limit: 10_000, timeout_ms: 2_500 },
      _meta: { progressToken: "far" },
    };
    await ask("tools/call", params);
    const told = session.lines.map((line) => JSON.parse(line))
      .filter(({ method }) => method === "notifications/progress").map(({ params }) => params);
    assert.ok(told.length >= 1, `${told.length} notifications`);
    told.forEach(({ progressToken, progress, message }, index) => {
      assert.equal(progressToken, "far");
      assert.ok(index === 0 || progress > told[index - 1].progress);
      assert.match(message, /^Running, \d+ found so far$/);
    });
  });
});

Deno.test("a client hears that a long load still runs", async () => {
  await withReal(async ({ session, ask }) => {
    const text = Array.from({ length: 80_000 }, (_, n) => `row(${n}, "text ${n}").\n`).join("");
    const params = {
      name: "load_knowledge",
      arguments: { text, timeout_ms: 2_500 },
      _meta: { progressToken: 7 },
    };
    await ask("tools/call", params);
    const told = session.lines.filter((line) => line.includes("notifications/progress"));
    assert.ok(told.length >= 1);
    assert.equal(JSON.parse(told[0]).params.progressToken, 7);
  });
});

Deno.test("a cancelled query gives its engine to the next one", async () => {
  await withReal(async ({ session, ask }) => {
    await ask("resources/read", { uri: "zpm://memory/default/schema" });
    const goal = { name: "query_logic", arguments: { goal: "repeat, fail" } };
    session.send({ jsonrpc: "2.0", id: "endless", method: "tools/call", params: goal });
    await pause(300);
    const started = performance.now();
    const requestId = "endless";
    session.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    const { result } = await session.call("query_logic", { goal: "edge(a, X)" });
    assert.equal(result!.content![0].text, '[{"X":"b"}]');
    assert.ok(performance.now() - started < 5_000);
    assert.ok(!session.lines.some((line) => line.includes('"endless"')));
  }, { engines: 1 });
});

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
