/** `zpm check` and `zpm openapi`: their words and the document, which a public validator takes. */
import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { checkOperations } from "../../src/operations/check.ts";
import { openApi } from "../../src/operations/openapi.ts";
import { runZpm } from "../support/fake_io.ts";
import { withService } from "../support/operation_file.ts";

const options = { sanitizeOps: false, sanitizeResources: false };
const knowledgeBases = new URL("../../fixtures/kb/", import.meta.url);

for (const { name } of Deno.readDirSync(knowledgeBases)) {
  Deno.test(`the document of ${name} is valid OpenAPI 3.1`, options, async () => {
    const text = await Deno.readTextFile(new URL(name, knowledgeBases));
    await withService(text, async (service) => {
      const document = await openApi(name, service);
      const { valid, errors } = await new Validator().validate(structuredClone(document));
      assert.ok(valid, JSON.stringify(errors));
      assert.equal(service.set.skipped.length, 0, JSON.stringify(service.set.skipped));
      assert.ok(!JSON.stringify(document).includes("oneOf"));
      const ids = Object.values(document.paths as Record<string, object>)
        .flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
      assert.equal(new Set(ids).size, ids.length);
      for (const { name, changing } of service.set.operations) {
        assert.equal(ids.includes(name), !changing, name);
      }
    });
  });
}

const TEXT = `
%! age(+Age:between(0, 150), +L:list(atom), -Class:oneof([young, old])) is semidet.
%
%  How old.
%
%  More of it.
age(A, _, young) :- A < 30.
age(_, _, old).
%! row(-K:int, -V:atom) is nondet.
%  @collection rows key(K)
row(1, a). row(1, b). row(2, c).
%! pick(+V:atom) is semidet.
%  @domain V value/1
pick(_).
value(a). value(b).
%! post_row(+K:int) is det.
post_row(_).
%! 'odd name'(-X) is det.
'odd name'(1).
`;

Deno.test("no two operations have one id", options, async () => {
  const text = `
%! group(-Name:atom) is multi.
%  @collection groups key(Name)
group(admins).
%! group_member(+Group:atom, -Name:atom) is nondet.
group_member(admins, ana).
`;
  await withService(text, async (service) => {
    const { paths } = await openApi("t.pl", service);
    const ids = Object.values(paths as Record<string, { get: { operationId: string } }>)
      .map(({ get }) => get.operationId);
    assert.deepEqual(ids, ["group", "group_member_", "group_member"]);
  });
});

Deno.test("schemas say exactly what is answered", options, async () => {
  await withService(TEXT, async (service) => {
    const document = await openApi("t.pl", service);
    // deno-lint-ignore no-explicit-any -- a document of any shape; the test looks
    const paths = document.paths as Record<string, any>;
    assert.deepEqual(Object.keys(paths), ["/age", "/rows", "/rows/{K}", "/pick", "/odd%20name"]);
    const age = paths["/age"].get;
    assert.equal(age.summary, "How old.");
    assert.equal(age.description, "How old.\n\nMore of it.");
    assert.deepEqual(age.parameters, [
      {
        name: "Age",
        in: "query",
        required: true,
        schema: { type: "integer", minimum: 0, maximum: 150 },
      },
      {
        name: "L",
        in: "query",
        required: true,
        content: { "application/json": { schema: { type: "array", items: { type: "string" } } } },
      },
    ]);
    const schemaOf = (path: string) =>
      paths[path].get.responses[200].content["application/json"].schema;
    assert.deepEqual(schemaOf("/age"), {
      type: ["string", "null"],
      enum: ["young", "old", null],
    });
    assert.deepEqual(schemaOf("/pick"), { type: "boolean" });
    assert.deepEqual(schemaOf("/rows/{K}"), { type: ["string", "null"] });
    assert.deepEqual(paths["/pick"].get.parameters[0].schema, { type: "string", enum: ["a", "b"] });
  });
});

Deno.test(
  "check tells what is exposed, withheld, skipped, and which keys stand twice",
  options,
  async () => {
    const more = "%! bad(?X) is det.\nbad(1).\n:- dynamic seen/1.\n" +
      "%! look(+X:int) is det.\nlook(X) :- forall(true, assertz(seen(X))).\n";
    await withService(TEXT + more, async (service) => {
      const { text, structure } = await checkOperations("t.pl", service);
      assert.equal(
        text,
        `t.pl
exposed: 5
  GET /age: age(+Age:between(0, 150), +L:list(atom), -Class:oneof([young, old])) is semidet
  GET /rows, GET /rows/{K}: row(-K:int, -V:atom) is nondet
  GET /pick: pick(+V:atom) is semidet
  GET /odd%20name: odd name(-X:any) is det
  GET /look: look(+X:int) is det
withheld without --persist: 1
  POST /row: post_row(+K:int) is det
skipped: 1
  t.pl:20: bad(?X) is det.
    the mode ? of the argument X is neither input (+) nor output (-)
changes that are undone: 1
  look: only what begins with put_, post_, patch_ or delete_ changes
collections: 1
  rows by K, static: keys that are not unique: 1
domains: 1
  pick V: value/1, fixed
not offered over MCP: 1
  odd name: a tool's name has 1 to 64 of A-Z a-z 0-9 _ -`,
      );
      assert.deepEqual((structure.collections as { repeated: string[] }[])[0].repeated, ["1"]);
    });
  },
);

Deno.test("the commands need a file, and exit with 1 when it does not load", options, async () => {
  const none = await runZpm(["check"]);
  assert.deepEqual([none.code, none.out], [1, ""]);
  assert.match(none.err, /Name the file: zpm check FILE/);
  const absent = await runZpm(["openapi", "/nowhere/kb.pl"]);
  assert.match(absent.err, /Cannot read the file "\/nowhere\/kb.pl": there is none/);
});
