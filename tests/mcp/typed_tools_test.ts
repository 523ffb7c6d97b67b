/** Documented predicates of a project's own files as tools of `zpm serve` (SPEC 2.3), on real memories. */
import assert from "node:assert/strict";
import { Validator } from "@cfworker/json-schema";
import { MemoryOffer } from "../../src/mcp/memories/offer.ts";
import { TypedTools } from "../../src/mcp/memories/typed_tools.ts";
import type { Memories } from "../../src/memory/memory.ts";
import { openMemories, type ProjectMemories } from "../../src/memory/service.ts";
import { everything, type Selection, selectTools } from "../../src/tools/selection.ts";
import { withProject } from "../support/fake_io.ts";
import type { Answered } from "../support/mcp_file.ts";
import { handshake, type Session, startSession } from "../support/mcp_session.ts";

const options = { sanitizeOps: false, sanitizeResources: false };

const NOTES = `%! post_note(+Id:int, +Text:string, -Count:int) is det.
%
%   Adds a note.
%
%   @arg Id Its number.
post_note(Id, Text, Count) :- assertz(note(Id, Text)), aggregate_all(count, note(_, _), Count).
%! delete_note(+Id:int) is semidet.
%  @domain Id number_of/1
delete_note(Id) :- note(Id, _), retractall(note(Id, _)).
%! notes(-Id:int, -Text:string) is nondet.
notes(Id, Text) :- note(Id, Text).
:- dynamic note/2.
number_of(X) :- note(X, _).
%! counted(-N:int) is det.
counted(N) :- assertz(note(0, "undone")), aggregate_all(count, note(_, _), N).
%! post_front(+Id:int) is det.
post_front(Id) :- asserta(note(Id, "front")).
%! post_moved(+To:int) is semidet.
post_moved(To) :- retract(place(_)), assertz(place(To)).
place(1).
%! post_nowhere is det.
post_nowhere :- assertz(nowhere(1)).
%! post_failing is semidet.
post_failing :- assertz(note(9, "gone")), fail.
%! post_throwing is det.
post_throwing :- assertz(note(9, "gone")), throw(oops).
%! echo(+X:int) is det.
echo(_).
%! loose(?X) is det.
loose(_).
%! stock(-Id:int) is nondet.
%  @collection stock key(Id)
stock(1).
`;

/** Comes after the other in the order of names. */
const OTHER = `%! notes(-X:int) is nondet.
notes(1).
%! get_place(-Where:int) is det.
get_place(Where) :- place(Where).
`;

interface Typed {
  cwd: string;
  memories: ProjectMemories;
  session: Session;
  /** What was logged, a line each. */
  logged: string[];
  ask(method: string, params?: object): Promise<Answered>;
  call(name: string, input?: object): Promise<Answered>;
  /** The names of the tools that are not zpm's own. */
  names(): Promise<string[]>;
}

async function withTyped(
  work: (typed: Typed) => Promise<void>,
  { files = { "a.pl": NOTES, "b.pl": OTHER } as Record<string, string>, selection = everything } =
    {},
): Promise<void> {
  await withProject(async (cwd) => {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${cwd}/.zpm/kb/${name}`, text);
    }
    await serveProject(cwd, selection, work);
  });
}

async function serveProject(
  cwd: string,
  selection: Selection,
  work: (typed: Typed) => Promise<void>,
): Promise<void> {
  const memories = await openMemories({ folder: `${cwd}/.zpm`, longLived: true });
  const logged: string[] = [];
  const log = (level: string, line: string) => void logged.push(`${level}: ${line}`);
  const present = [...Deno.readDirSync(`${cwd}/.zpm/kb`)].length > 0;
  const deadline_ms = 10_000;
  // However busy the machine is.
  const patience_ms = 60_000;
  const typed = new TypedTools({ memories, selection, present, deadline_ms, patience_ms, log });
  const tools = selectTools(selection);
  const offer = new MemoryOffer({ version: "1.2.3", memories, tools, typed, deadline_ms });
  const session = startSession({ offer });
  session.send(...handshake());
  let id = 1000;
  const ask: Typed["ask"] = async (method, params = {}) => {
    const mine = ++id;
    session.send({ jsonrpc: "2.0", id: mine, method, params });
    const line = await session.line((text) => JSON.parse(text).id === mine);
    return JSON.parse(line).result ?? JSON.parse(line).error;
  };
  const call: Typed["call"] = (name, input = {}) => ask("tools/call", { name, arguments: input });
  const names = async () => {
    const listed = (await ask("tools/list")).tools.map(({ name }: { name: string }) => name);
    return listed.slice(tools.length);
  };
  try {
    await work({ cwd, memories, session, logged, ask, call, names });
  } finally {
    await session.end();
    await memories.close();
  }
}

Deno.test(
  "they are listed after zpm's own, a name belongs to the first that has it",
  options,
  async () => {
    await withTyped(async ({ ask, names, call, logged }) => {
      assert.deepEqual(await names(), [
        "post_note",
        "delete_note",
        "notes",
        "counted",
        "post_front",
        "post_moved",
        "post_nowhere",
        "post_failing",
        "post_throwing",
        "stock",
        "get_place",
      ]);
      const { tools } = await ask("tools/list");
      const { description, inputSchema, outputSchema, annotations } = tools
        .find(({ name }: { name: string }) => name === "post_note");
      assert.match(description, /^Adds a note\.\n\nId: Its number\.\n\nMode: post_note\(/);
      assert.deepEqual(Object.keys(inputSchema.properties), ["Id", "Text"]);
      assert.deepEqual(Object.keys(outputSchema.properties), [
        "result",
        "truncated",
        "commit",
        "warnings",
      ]);
      assert.equal(annotations.readOnlyHint, false);
      assert.equal((await call("echo", { message: "x" })).structuredContent.message, "x");
      assert.deepEqual(logged, [
        "info: kb/a.pl:29: loose(?X) is det.: no tool: " +
        "the mode ? of the argument X is neither input (+) nor output (-)",
        "info: kb/b.pl:1: notes: no tool: kb/a.pl has an operation of that name",
        "warn: echo of kb is not offered: a tool of zpm has that name",
      ]);
      assert.deepEqual((await call("stock")).structuredContent.result, [1]);
    });
  },
);

Deno.test("what changes something is a commit, what reads is undone", options, async () => {
  await withTyped(async ({ cwd, ask, call }) => {
    const result = async (name: string, input = {}) => (await call(name, input)).structuredContent;
    assert.deepEqual(await result("post_note", { Id: 7, Text: "x" }), {
      result: 1,
      truncated: false,
      commit: 1,
    });
    assert.deepEqual(await result("counted"), { result: 2, truncated: false });
    assert.deepEqual(await result("notes"), {
      result: [{ Id: 7, Text: "x" }],
      truncated: false,
    });
    assert.deepEqual(await result("post_moved", { To: 5 }), {
      result: true,
      truncated: false,
      commit: 2,
    });
    assert.deepEqual((await result("get_place")).result, 5);
    // Without a solution nothing is changed, and nothing is journaled.
    assert.deepEqual(await result("post_failing"), { result: false, truncated: false });
    assert.equal((await call("post_throwing")).isError, true);
    assert.deepEqual((await result("history")).commits.map(({ tool }: { tool: string }) => tool), [
      "post_moved",
      "post_note",
    ]);
    assert.deepEqual((await result("query_logic", { goal: "note(X, _)" })).answers, [{ X: 7 }]);
    assert.equal((await call("undo")).isError, false);
    assert.equal((await result("get_place")).result, 1);
    assert.equal(await Deno.readTextFile(`${cwd}/.zpm/kb/a.pl`), NOTES);
    const { tools } = await ask("tools/list");
    for (const name of ["post_note", "delete_note", "notes"]) {
      const { outputSchema } = tools.find((tool: { name: string }) => tool.name === name);
      const structure = await result(
        name,
        { post_note: { Id: 8, Text: "y" }, notes: {} }[name] ?? {
          Id: 7,
        },
      );
      const { valid, errors } = new Validator(outputSchema, "2020-12").validate(structure);
      assert.ok(valid, JSON.stringify(errors));
    }
  });
});

Deno.test("changes are there after a restart", options, async () => {
  await withProject(async (cwd) => {
    await Deno.writeTextFile(`${cwd}/.zpm/kb/a.pl`, NOTES);
    await serveProject(cwd, everything, async ({ call }) => {
      await call("post_note", { Id: 1, Text: "first" });
      await call("post_note", { Id: 2, Text: "second" });
      assert.equal((await call("delete_note", { Id: 1 })).structuredContent.commit, 3);
    });
    await serveProject(cwd, everything, async ({ call }) => {
      const { result } = (await call("notes")).structuredContent;
      assert.deepEqual(result, [{ Id: 2, Text: "second" }]);
    });
  });
});

Deno.test("what a commit cannot hold is refused, and nothing is changed", options, async () => {
  await withTyped(async ({ call }) => {
    const problem = async (name: string, input = {}) => {
      const { isError, content } = await call(name, input);
      assert.equal(isError, true, name);
      const { type, detail } = JSON.parse(content[1].text);
      return `${type.replace("urn:charon:", "")}: ${detail}`;
    };
    assert.match(await problem("post_front", { Id: 1 }), /^prolog-error: .* asserta\/1, since/);
    assert.match(await problem("post_nowhere"), /^prolog-error: .*nowhere\/1/);
    assert.match(await problem("post_throwing"), /^prolog-error: .*oops/);
    assert.match(await problem("post_note", { Id: "1", Text: "x" }), /^argument-invalid: .*`Id`/);
    assert.match(await problem("delete_note", { Id: 1, x: 1 }), /^argument-unknown: /);
    assert.deepEqual((await call("notes")).structuredContent.result, []);
    assert.deepEqual((await call("history")).structuredContent.commits, []);
  });
});

Deno.test("calls at the same time see each other, and each is a commit", options, async () => {
  await withTyped(async ({ call }) => {
    const calls = Array.from({ length: 20 }, (_, Id) => call("post_note", { Id, Text: "x" }));
    const counts = (await Promise.all(calls)).map(({ structuredContent }) =>
      structuredContent.result
    );
    assert.deepEqual(counts.sort((a, b) => a - b), Array.from({ length: 20 }, (_, n) => n + 1));
    const { result } = (await call("notes")).structuredContent;
    assert.equal(new Set(result.map(({ Id }: { Id: number }) => Id)).size, 20);
  });
});

Deno.test("files that are edited change the list, and clients hear of it", options, async () => {
  await withTyped(async ({ cwd, memories, session, names, call }) => {
    assert.deepEqual(await names(), ["get_place"]);
    await Deno.writeTextFile(
      `${cwd}/.zpm/kb/b.pl`,
      OTHER.replace("get_place(-", "where(-")
        .replace("get_place(W", "where(W") + "place(3).\n",
    );
    await memories.reload();
    await session.line((line) => line.includes("notifications/tools/list_changed"));
    assert.deepEqual(await names(), ["notes", "where"]);
    assert.equal((await call("where")).structuredContent.result, 3);
    assert.equal((await call("get_place")).code, -32602);
  }, { files: { "b.pl": OTHER.replace(/%! notes.*\n/, "") } });
});

Deno.test("a project without files has none, until it gets some", options, async () => {
  await withTyped(async ({ cwd, memories, session, names }) => {
    assert.deepEqual(await names(), []);
    await Deno.writeTextFile(`${cwd}/.zpm/kb/new.pl`, OTHER);
    await memories.reload();
    await session.line((line) => line.includes("notifications/tools/list_changed"));
    assert.deepEqual(await names(), ["notes", "get_place"]);
  }, { files: {} });
});

Deno.test("the operator's choice holds for them as well", options, async () => {
  const chosen = async (selection: Partial<Selection>, expected: string[], warned: string[] = []) =>
    await withTyped(async ({ names, logged }) => {
      assert.deepEqual(await names(), expected);
      assert.deepEqual(logged.filter((line) => line.includes("No tool has")), warned);
    }, { selection: { ...everything, ...selection } });
  await chosen({ readOnly: true }, ["notes", "counted", "stock", "get_place"]);
  await chosen({ only: ["query_logic", "notes", "none"] }, ["notes"], [
    'warn: No tool has the name "none" that --tools or --exclude-tools says',
  ]);
  await chosen({ readOnly: true, without: ["notes"] }, [
    "counted",
    "stock",
    "get_place",
  ]);
});

Deno.test("a domain completes an argument, as it is now", options, async () => {
  await withTyped(async ({ ask, call }) => {
    for (const Id of [10, 11, 20]) await call("post_note", { Id, Text: "x" });
    const { completion } = await ask("completion/complete", {
      ref: { type: "ref/tool", name: "delete_note" },
      argument: { name: "Id", value: "1" },
    });
    assert.deepEqual(completion, { values: ["10", "11"], total: 2, hasMore: false });
    assert.match((await call("delete_note", { Id: 12 })).content[0].text, /its domain/);
  });
});

Deno.test("a list does not wait for ever, and what comes late is told", async () => {
  const loaded = Promise.withResolvers<unknown>();
  const memory = { ask: () => loaded.promise };
  const memories = { memory: () => Promise.resolve(memory) } as unknown as Memories;
  const late = Promise.withResolvers<void>();
  const typed = new TypedTools({
    memories,
    selection: everything,
    present: true,
    deadline_ms: 10_000,
    patience_ms: 1,
    log: () => {},
  });
  typed.watch(late.resolve);
  assert.deepEqual(await typed.listed(), []);
  const operation = { name: "late", determinism: "det", arguments: [], description: "" };
  loaded.resolve({ operations: [operation], skipped: [] });
  await late.promise;
  assert.deepEqual((await typed.listed()).map(({ name }) => name), ["late"]);
});

Deno.test("an engine that fails once is asked again", async () => {
  const operation = { name: "found", determinism: "det", arguments: [], description: "" };
  let asked = 0;
  const ask = () => {
    if (asked++ === 0) return Promise.reject(new Error("no engine"));
    return Promise.resolve({ operations: [operation], skipped: [] });
  };
  const memories = { memory: () => Promise.resolve({ ask }) } as unknown as Memories;
  const logged: string[] = [];
  const typed = new TypedTools({
    memories,
    selection: everything,
    present: true,
    deadline_ms: 10_000,
    log: (level, line) => logged.push(`${level}: ${line}`),
  });
  assert.deepEqual(await typed.listed(), []);
  assert.deepEqual((await typed.listed()).map(({ name }) => name), ["found"]);
  assert.equal((await typed.find("found"))?.name, "found");
  assert.deepEqual([asked, logged.length], [2, 1]);
});

Deno.test(
  "a clause that stops engines takes the tools of its file with it, and no others",
  options,
  async () => {
    const deadly = `${NOTES}deep(${"f(".repeat(5_000)}a${")".repeat(5_000)}).\n`;
    await withTyped(async ({ names, call }) => {
      assert.deepEqual(await names(), ["notes", "get_place"]);
      const { structuredContent } = await call("query_logic", { goal: "place(X)" });
      assert.deepEqual(structuredContent.answers, [{ X: 1 }]);
    }, { files: { "a.pl": deadly, "b.pl": OTHER } });
  },
);
