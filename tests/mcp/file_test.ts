/** `zpm mcp FILE`: tools, resources, prompts and completions of a documented file (SPEC 2.1 to 2.3). */
import assert from "node:assert/strict";
import { Validator } from "@cfworker/json-schema";
import { cannotReplaceSource } from "../../src/base/operation_errors.ts";
import { limits } from "../../src/base/limits.ts";
import { withFileSession } from "../support/mcp_file.ts";
import { runZpm } from "../support/fake_io.ts";
import { KeptSource } from "../support/kept_source.ts";

const options = { sanitizeOps: false, sanitizeResources: false };

const TEXT = `/** <module> Towns

Towns and their rivers.
*/
%! town(-Land:atom, -Name:atom, -People:int) is multi.
%
%   Towns of two countries.
%
%   @collection towns key(Land, Name)
town(de, ulm, 126).
town(at, linz, 210).
town(at, graz, 300).
town(at, twice, 1).
town(at, twice, 2).
%! river(-Name:atom) is multi.
%  @collection flüsse key(Name)
river(donau). river(mur).
%! people(+Land:atom, +Name:atom, -People:int) is semidet.
%
%   How many people live in a town.
%
%   Not counting guests.
%
%   @arg Land Its country.
%   @arg People How many.
%   @domain Name town_name/1
people(L, N, P) :- town(L, N, P).
town_name(ulm). town_name(linz). town_name(graz). town_name(twice).
:- dynamic guest/1.
%! guest_of(+Who:atom) is semidet.
%  @domain Who guest/1
guest_of(Who) :- guest(Who).
guest(ana). guest(ben). guest(anton).
%! get_same(+X, -Y) is det.
get_same(X, X).
%! int(+X:int, -Y:int) is det.
int(X, X).
%! upto(+N:int, -X:int) is nondet.
upto(N, X) :- between(1, N, X).
%! none is multi.
none :- fail.
%! never is det.
never :- never.
%! divided(-X:int) is det.
divided(X) :- X is 1 / 0.
%! missing is det.
missing :- not_there(1).
%! noted(-N:int) is det.
noted(N) :- assertz(guest(x)), aggregate_all(count, guest(_), N).
%! post_guest(+Who:atom) is det.
post_guest(W) :- assertz(guest(W)).
%! 'odd name' is det.
'odd name'.
`;

Deno.test("who it is, and what is offered, comes from the file", options, async () => {
  await withFileSession(TEXT, async ({ session, ask }) => {
    const { result } = JSON.parse(await session.line((line) => line.includes("serverInfo")));
    assert.deepEqual(result.serverInfo, { name: "Towns", title: "Towns", version: "1.2.3" });
    assert.match(result.instructions, /^Towns and their rivers\.\n\nEach tool answers/);
    assert.deepEqual(result.capabilities.tools, { listChanged: true });
    const { tools } = await ask("tools/list");
    // Collections are no tools, what changes something is withheld, and an odd name is none of a tool.
    assert.deepEqual(tools.map(({ name }: { name: string }) => name), [
      "people",
      "guest_of",
      "get_same",
      "int",
      "upto",
      "none",
      "never",
      "divided",
      "missing",
      "noted",
    ]);
    const [people, guest] = tools;
    assert.equal(people.title, "People");
    assert.equal(
      people.description,
      "How many people live in a town.\n\nNot counting guests.\n\nLand: Its country.\nPeople: How many.\n\n" +
        "Mode: people(+Land:atom, +Name:atom, -People:int) is semidet.",
    );
    assert.deepEqual(people.inputSchema, {
      type: "object",
      properties: {
        Land: { type: "string", description: "Its country." },
        Name: { type: "string", enum: ["ulm", "linz", "graz", "twice"] },
      },
      required: ["Land", "Name"],
      additionalProperties: false,
    });
    assert.deepEqual(people.outputSchema.required, ["result", "truncated"]);
    assert.deepEqual(people.annotations, {
      title: "People",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    // Its values may change, so they are not written down.
    assert.deepEqual(guest.inputSchema.properties.Who, { type: "string" });
    const withheld = await ask("tools/call", { name: "post_guest", arguments: {} });
    assert.equal(withheld.isError, true);
    assert.match(withheld.content[0].text, /^post_guest changes something, .* without --persist/);
    for (const name of ["town", "odd name"]) {
      const { code, message } = await ask("tools/call", { name, arguments: {} });
      assert.equal(code, -32602);
      assert.match(message, new RegExp(`^Unknown tool: ${name}`));
    }
  });
});

Deno.test("answers keep every digit, on the way in and on the way out", options, async () => {
  await withFileSession(TEXT, async ({ raw, call, ask }) => {
    const result = async (name: string, input: string) => {
      const line = await raw("tools/call", `{"name":"${name}","arguments":${input}}`);
      return /"structuredContent":\{"result":(.*),"truncated":false\},"isError":false/.exec(line)
        ?.[1];
    };
    assert.equal(await result("int", '{"X": 9007199254740993}'), '"9007199254740993"');
    assert.equal(await result("int", '{"X": -9007199254740991}'), "-9007199254740991");
    assert.equal(await result("get_same", '{"X": 1.0}'), "1.0");
    assert.equal(await result("get_same", '{"X": [1, 0.1, "é"]}'), '[1,0.1,"é"]');
    const compound = '{"functor":"f","args":[1.0,"a"]}';
    assert.equal(await result("get_same", `{"X": ${compound}}`), compound);
    for (const wrong of ["1.0", "1e0", '"1"', "null", "true", "[1]", "1e400"]) {
      const { isError, content } = await call("int", `{"X": ${wrong}}`);
      assert.equal(isError, true, wrong);
      assert.equal(JSON.parse(content[1].text).argument, "X");
    }
    const { outputSchema } = (await ask("tools/list")).tools
      .find(({ name }: { name: string }) => name === "upto");
    for (const [input, truncated] of [['{"N": 3}', false], ['{"N": 2000}', true]] as const) {
      const { structuredContent, content } = await call("upto", input);
      assert.ok(new Validator(outputSchema, "2020-12").validate(structuredContent).valid);
      assert.equal(structuredContent.truncated, truncated);
      assert.equal(structuredContent.result.length, truncated ? 1000 : 3);
      assert.deepEqual(JSON.parse(content[0].text), structuredContent);
      assert.equal(content.length, truncated ? 2 : 1);
    }
    // What a tool that reads does to the knowledge base is undone.
    assert.equal(await result("noted", "{}"), "4");
    assert.equal(await result("noted", "{}"), "4");
  });
});

Deno.test("a failure is told as the problem that it is", options, async () => {
  await withFileSession(TEXT, async ({ call, logged }) => {
    const problem = async (name: string, input?: string) => {
      const { isError, content, structuredContent } = await call(name, input);
      assert.deepEqual([isError, structuredContent], [true, undefined]);
      const body = JSON.parse(content[1].text);
      assert.equal(content[0].text, `${body.detail}\n${body.hint}`);
      return [body.status, body.type, body.argument];
    };
    const about = (name: string) => `urn:charon:${name}`;
    assert.deepEqual(await problem("int"), [422, about("argument-missing"), "X"]);
    assert.deepEqual(await problem("int", '{"X":1,"X":2}'), [
      422,
      about("argument-duplicate"),
      "X",
    ]);
    assert.deepEqual(await problem("int", '{"X":1,"x":2}'), [422, about("argument-unknown"), "x"]);
    const lead = '{"Land": "at", "Name": "wien"}';
    assert.deepEqual(await problem("people", lead), [422, about("argument-invalid"), "Name"]);
    assert.deepEqual(await problem("divided"), [422, about("prolog-error"), undefined]);
    assert.deepEqual(await problem("missing"), [500, about("procedure-undefined"), undefined]);
    assert.deepEqual((await call("none")).structuredContent, { result: [], truncated: false });
    assert.deepEqual(logged, ["warn: none is declared multi and had no solution"]);
    assert.equal((await call("int", '["X"]')).code, -32602);
    const long = JSON.stringify({ X: "é".repeat(limits.text_bytes / 2) });
    assert.deepEqual(await problem("get_same", long), [
      400,
      about("request-unreadable"),
      undefined,
    ]);
  });
});

Deno.test("a call that takes too long, or is no longer wanted, is stopped", options, async () => {
  await withFileSession(TEXT, async ({ call, session }) => {
    const params = { name: "never", arguments: {} };
    session.send({ jsonrpc: "2.0", id: "long", method: "tools/call", params });
    session.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "long" },
    });
    // There is one engine: that it answers shows that it was freed.
    assert.equal((await call("int", '{"X": 1}')).structuredContent.result, 1);
    const { content } = await call("never");
    assert.match(content[0].text, /^Stopped: (time|inferences)/);
    assert.equal((await call("int", '{"X": 2}')).structuredContent.result, 2);
    assert.ok(!session.lines.some((line) => line.includes('"long"')));
  }, { interpreters: 1, deadline_ms: 2_000 });
});

Deno.test("the source and the collections are resources", options, async () => {
  await withFileSession(TEXT, async ({ ask }) => {
    const { resources } = await ask("resources/list");
    assert.deepEqual(resources.map(({ uri }: { uri: string }) => uri), [
      "charon://source",
      "charon://collection/towns",
      "charon://collection/fl%C3%BCsse",
    ]);
    assert.equal(resources[0].size, new TextEncoder().encode(TEXT).length);
    const { resourceTemplates } = await ask("resources/templates/list");
    const templates = resourceTemplates.map((one: { uriTemplate: string }) => one.uriTemplate);
    assert.deepEqual(templates, [
      "charon://collection/towns/{Land}/{Name}",
      "charon://collection/fl%C3%BCsse/{Name}",
    ]);
    const text = async (uri: string) => (await ask("resources/read", { uri })).contents[0].text;
    assert.equal(await text("charon://source"), TEXT);
    assert.equal(await text("charon://collection/fl%C3%BCsse"), '["donau","mur"]');
    const [first] = JSON.parse(await text("charon://collection/towns"));
    assert.deepEqual(first, { Land: "de", Name: "ulm", People: 126 });
    assert.equal(await text("charon://collection/towns/at/linz"), "210");
    assert.equal(await text("charon://collection/fl%C3%BCsse/mur"), "true");
    const absent = ["towns/at", "towns/at/ulm", "towns/at/linz/x", "lakes", "towns/%zz/x", ""];
    for (const path of absent) {
      const { code } = await ask("resources/read", { uri: `charon://collection/${path}` });
      assert.equal(code, -32602, path);
    }
    const twice = await ask("resources/read", { uri: "charon://collection/towns/at/twice" });
    assert.deepEqual([twice.code, twice.data.type], [-32603, "urn:charon:key-not-unique"]);
  });
});

Deno.test("the overview shows the module, its tools and its collections", options, async () => {
  await withFileSession(TEXT, async ({ ask }) => {
    const { prompts } = await ask("prompts/list");
    assert.deepEqual(prompts.map(({ name }: { name: string }) => name), [
      "knowledge_base_overview",
    ]);
    const { messages } = await ask("prompts/get", { name: "knowledge_base_overview" });
    const { text } = messages[0].content;
    assert.match(text, /^# Towns\n\nTowns and their rivers\.\n/);
    assert.match(text, /\n- people\(.*\) is semidet\n {4}How many people live in a town\.\n/);
    assert.match(text, /\n- charon:\/\/collection\/towns: town\(/);
    assert.ok(!text.includes("post_guest"));
    assert.equal((await ask("prompts/get", { name: "other" })).code, -32602);
  });
});

Deno.test("values are completed from the knowledge base", options, async () => {
  await withFileSession(TEXT, async ({ ask }) => {
    const completed = async (ref: object, [name, value]: [string, string], given = {}) => {
      const params = { ref, argument: { name, value }, context: { arguments: given } };
      return (await ask("completion/complete", params)).completion;
    };
    for (const type of ["ref/prompt", "ref/tool"]) {
      assert.deepEqual(await completed({ type, name: "guest_of" }, ["Who", "an"]), {
        values: ["ana", "anton"],
        total: 2,
        hasMore: false,
      });
    }
    const towns = { type: "ref/resource", uri: "charon://collection/towns/{Land}/{Name}" };
    assert.deepEqual((await completed(towns, ["Land", ""])).values, ["de", "at"]);
    const names = await completed(towns, ["Name", ""], { Land: "at" });
    assert.deepEqual(names.values, ["linz", "graz", "twice"]);
    const rivers = { type: "ref/resource", uri: "charon://collection/fl%C3%BCsse/{Name}" };
    assert.deepEqual((await completed(rivers, ["Name", "m"])).values, ["mur"]);
    const nothing = { values: [], total: 0, hasMore: false };
    assert.deepEqual(await completed(towns, ["People", ""]), nothing);
    assert.deepEqual(await completed({ type: "ref/prompt", name: "int" }, ["X", ""]), nothing);
    assert.deepEqual(await completed({ type: "ref/prompt", name: "town" }, ["X", ""]), nothing);
  });
});

Deno.test(
  "a completion has at most a hundred values, and says that there are more",
  options,
  async () => {
    const text = "%! of(+X:int) is semidet.\n%  @domain X value/1\nof(_).\n" +
      "value(X) :- between(1, 2000, X).\n";
    await withFileSession(text, async ({ ask }) => {
      const completed = async (value: string) =>
        (await ask("completion/complete", {
          ref: { type: "ref/prompt", name: "of" },
          argument: { name: "X", value },
        })).completion;
      const { values, total, hasMore } = await completed("");
      assert.deepEqual([values.length, total, hasMore], [100, 2000, true]);
      assert.deepEqual(await completed("1999"), { values: ["1999"], total: 1, hasMore: false });
    });
  },
);

Deno.test("a file that is read again is told, and so are its resources", options, async () => {
  await withFileSession(TEXT, async ({ service, session, ask, call }) => {
    await ask("resources/subscribe", { uri: "charon://source" });
    const next = TEXT.replace("'odd name'", "even").replace("'odd name'.", "even.");
    await service.reload({ name: "t.pl", bytes: new TextEncoder().encode(next) });
    for (const what of ["tools/list_changed", "resources/list_changed", "resources/updated"]) {
      await session.line((line) => line.includes(what));
    }
    const { tools } = await ask("tools/list");
    assert.equal(tools.at(-1).name, "even");
    assert.equal((await call("even")).structuredContent.result, true);
    await assert.rejects(
      service.reload({ name: "t.pl", bytes: new TextEncoder().encode("a(") }),
    );
    assert.equal((await call("even")).structuredContent.result, true);
  });
});

Deno.test("with persist, what changes the file is offered, done and told", options, async () => {
  const text = `:- dynamic seat/2.
%! seat(-Id:int, -Who:atom) is nondet.
%  @collection seats key(Id)
seat(1, ana).
%! get_free(+Id:int) is semidet.
get_free(Id) :- \\+ seat(Id, _).
%! post_seat(+Id:int, +Who:atom, -All:int) is det.
post_seat(Id, Who, All) :- assertz(seat(Id, Who)), aggregate_all(count, seat(_, _), All).
%! put_seat(+Id:int, +Who:atom) is det.
put_seat(Id, Who) :- retractall(seat(Id, _)), assertz(seat(Id, Who)).
%! patch_seat(+Id:int) is det.
patch_seat(_).
%! delete_seat(+Id:int) is semidet.
delete_seat(Id) :- retract(seat(Id, _)).
`;
  const keeper = new KeptSource(text);
  await withFileSession(text, async ({ session, ask, call }) => {
    const { tools } = await ask("tools/list");
    type Tool = { name: string; annotations: Record<string, boolean> };
    const hints = tools.map(({ name, annotations }: Tool) => [
      name,
      annotations.readOnlyHint,
      annotations.destructiveHint,
      annotations.idempotentHint,
    ]);
    assert.deepEqual(hints, [
      ["get_free", true, false, true],
      ["post_seat", false, false, false],
      ["put_seat", false, true, true],
      ["patch_seat", false, true, false],
      ["delete_seat", false, true, true],
    ]);
    await ask("resources/subscribe", { uri: "charon://collection/seats" });
    const { structuredContent } = await call("post_seat", '{"Id": 9007199254740993, "Who": "ben"}');
    assert.deepEqual(structuredContent, { result: 2, truncated: false });
    await session.line((line) => line.includes("notifications/resources/updated"));
    const added = text.replace("seat(1, ana).\n", "seat(1, ana).\nseat(9007199254740993, ben).\n");
    assert.equal(keeper.text, added);
    const read = async (uri: string) => (await ask("resources/read", { uri })).contents[0].text;
    assert.equal(await read("charon://source"), added);
    assert.equal(await read("charon://collection/seats/9007199254740993"), '"ben"');
    assert.equal((await call("delete_seat", '{"Id": 1}')).structuredContent.result, true);
    assert.equal((await call("get_free", '{"Id": 1}')).structuredContent.result, true);
    keeper.onreplace = () => {
      throw cannotReplaceSource("t.pl", "No space left on device");
    };
    const { isError, content } = await call("post_seat", '{"Id": 5, "Who": "eve"}');
    assert.deepEqual([isError, JSON.parse(content[1].text).type], [
      true,
      "urn:charon:persist-failed",
    ]);
    assert.equal((await call("get_free", '{"Id": 5}')).structuredContent.result, true);
  }, { persist: true, keeper });
});

Deno.test("standard input and an address exclude each other", async () => {
  for (const words of [["--host", "::1"], ["--port", "0"]]) {
    const { code, out, err } = await runZpm(["mcp", "kb.pl", "--stdio", ...words]);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /^--stdio and --(host|port) exclude each other/);
  }
  assert.match((await runZpm(["mcp"])).err, /Name the file: zpm mcp FILE/);
});
