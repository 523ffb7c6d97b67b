/** Changing operations and members of collections over HTTP (SPEC 2.2, 2.3). */
import assert from "node:assert/strict";
import { Validator } from "@cfworker/json-schema";
import { type Api, withApi } from "../support/http_file.ts";
import { KeptSource } from "../support/kept_source.ts";

const options = { sanitizeOps: false, sanitizeResources: false };

const RULES = `
%! post_visit(+Who:atom, -Count:int) is det.
post_visit(Who, Count) :-
    ( retract(visits(Who, N)) -> true ; N = 0 ),
    Count is N + 1,
    assertz(visits(Who, Count)).
%! delete_all(-Who:atom) is nondet.
delete_all(Who) :- retract(visits(Who, _)).
%! put_static(+X:int) is det.
put_static(X) :- assertz(fixed(X)).
%! quiet(+Who:atom) is det.
quiet(Who) :- assertz(visits(Who, 9)).
%! colour(-Name:atom) is multi.
colour(red).
colour(blue).
%! fixed(-X:int) is multi.
%  @collection fixed key(X)
fixed(1).
:- dynamic visits/2, note/1, town/4, shape/2.
%! note(-Text:string) is nondet.
%  @collection notes key(Text)

%! town(-Land:atom, -Name:atom, -People:int, -Colour:atom) is nondet.
%  @collection towns key(Name, Land)
%  @domain Colour colour/1

%! shape(-Name:atom, -Form:any) is nondet.
%  @collection shapes key(Name)
shape(derived, F) :- F = round.
%! visits(-Who:atom, -Count:int) is nondet.
%  @collection visits key(Who)
`;

const LAST_RULE = "key(Who)\n";

const FACTS = `note("a").
town(at, linz, 1, red).
town(at, graz, 2, red).
town(at, twice, 1, red).
town(at, twice, 2, red).
`;

async function withChanges(
  work: (api: Api, source: KeptSource, facts: () => string) => Promise<void>,
  text = RULES + FACTS,
): Promise<void> {
  const source = new KeptSource(text);
  const facts = () => source.text.slice(source.text.indexOf(LAST_RULE) + LAST_RULE.length);
  await withApi(text, (api) => work(api, source, facts), { persist: true, keeper: source });
}

/** Request, body, status, answer or problem, and the facts in the file when they are others than before. */
const STORY: [
  line: string,
  body: string | undefined,
  status: number,
  said: string,
  facts?: string,
][] = [
  ["PUT /notes/b", undefined, 201, "true", `note("a").\nnote("b").\n`],
  ["PUT /notes/b", "true", 200, "true"],
  ["PUT /notes/b", "{}", 200, "true"],
  ["PUT /notes/b", "1", 400, "request-unreadable"],
  ["PUT /notes/b?Text=c", undefined, 422, "argument-duplicate Text"],
  ["GET /notes", undefined, 200, `["a","b"]`],
  ["DELETE /notes/a", undefined, 204, "", `note("b").\n`],
  ["DELETE /notes/a", undefined, 404, "not-found"],
  ["DELETE /notes/b?Text=b", undefined, 422, "argument-unknown Text"],
  ["PUT /towns/linz/at", `{"People":5,"Colour":"blue"}`, 200, `{"People":5,"Colour":"blue"}`],
  ["PUT /towns/linz/at?People=6", `{"Colour":"blue"}`, 200, `{"People":6,"Colour":"blue"}`],
  ["PUT /towns/ulm/de", `{"Colour":"red","People":7}`, 201, `{"People":7,"Colour":"red"}`],
  ["PUT /towns/ulm/de", `{"People":7}`, 422, "argument-missing Colour"],
  ["PUT /towns/ulm/de", `{"People":"7","Colour":"red"}`, 422, "argument-invalid People"],
  ["PUT /towns/ulm/de", `{"People":7,"Colour":"green"}`, 422, "argument-invalid Colour"],
  ["PUT /towns/ulm/de", `{"People":7,"Colour":"red","x":1}`, 422, "argument-unknown x"],
  ["PUT /towns/ulm/de", `{"People":7,"Colour":"red","Land":"de"}`, 422, "argument-duplicate Land"],
  ["PUT /towns/ulm/de", `[7, "red"]`, 400, "request-unreadable"],
  ["PUT /towns/ulm", `{"People":7,"Colour":"red"}`, 404, "not-found"],
  ["PUT /towns/twice/at", `{"People":7,"Colour":"red"}`, 500, "key-not-unique"],
  ["DELETE /towns/twice/at", undefined, 500, "key-not-unique"],
  ["DELETE /towns/graz/at", undefined, 204, ""],
  ["GET /towns/linz/at", undefined, 200, `{"People":6,"Colour":"blue"}`],
  ["PUT /shapes/s", `"square"`, 201, `"square"`],
  ["PUT /shapes/s", `{"functor":"f","args":[1]}`, 200, `{"functor":"f","args":[1]}`],
  ["PUT /shapes/s", `{"Form":{"functor":"g","args":[1]}}`, 200, `{"functor":"g","args":[1]}`],
  ["PUT /shapes/s", undefined, 422, "argument-missing Form"],
  ["PUT /shapes/derived", `"x"`, 500, "persist-failed"],
  ["DELETE /shapes/derived", undefined, 500, "persist-failed"],
  ["PUT /fixed/2", undefined, 405, "method-not-allowed"],
  ["PUT /notes", undefined, 405, "method-not-allowed"],
  ["POST /notes/a", undefined, 405, "method-not-allowed"],
  ["PUT /static?X=2", undefined, 422, "prolog-error"],
  ["POST /visit", `{"Who":"ana"}`, 200, "1"],
  ["POST /visit", `{"Who":"ana"}`, 200, "2"],
  ["POST /visit", `{"Who":"ben"}`, 200, "1"],
  ["GET /quiet?Who=eve", undefined, 200, "true"],
  ["GET /visits", undefined, 200, `[{"Who":"ana","Count":2},{"Who":"ben","Count":1}]`],
  ["DELETE /visits", undefined, 405, "method-not-allowed"],
  ["DELETE /all", undefined, 200, `["ana","ben"]`],
  ["DELETE /all", undefined, 200, "[]"],
  ["PUT /visits/zoe", "1", 201, "1"],
];

Deno.test(
  "rows are put and deleted, operations change, and the file follows",
  options,
  async () => {
    await withChanges(async ({ ask }, source, facts) => {
      let before = facts();
      for (const [line, body, status, said, after] of STORY) {
        const asked = await ask(line, { body });
        const what = `${line} ${body ?? ""}: ${asked.text}`;
        assert.deepEqual([asked.status, asked.problem ?? asked.text], [status, said], what);
        if (status >= 400) assert.equal(facts(), before, what);
        if (after) assert.ok(facts().includes(after.trimEnd().split("\n").at(-1)!), what);
        before = facts();
      }
      assert.equal(
        before,
        `note("b").
town(at, linz, 6, blue).
town(at, twice, 1, red).
town(at, twice, 2, red).
town(de, ulm, 7, red).
visits(zoe, 1).
`,
      );
      assert.ok(source.text.includes("\nshape(derived, F) :- F = round.\nshape(s, g(1)).\n"));
      assert.ok(source.text.startsWith(RULES.slice(0, RULES.indexOf("shape(derived"))));
    });
  },
);

Deno.test("the document, Allow and the page tell what can be changed", options, async () => {
  await withChanges(async ({ ask }) => {
    const { paths } = JSON.parse((await ask("GET /openapi.json")).text);
    assert.deepEqual(Object.keys(paths["/towns/{Name}/{Land}"]), ["get", "put", "delete"]);
    assert.deepEqual(Object.keys(paths["/fixed/{X}"]), ["get"]);
    assert.deepEqual(Object.keys(paths["/visit"]), ["post"]);
    const put = paths["/towns/{Name}/{Land}"].put;
    const { schema } = put.requestBody.content["application/json"];
    const body = { People: 9, Colour: "red" };
    assert.ok(new Validator(schema, "2020-12").validate(body).valid);
    const asked = await ask("PUT /towns/wels/at", { body: JSON.stringify(body) });
    const answer = put.responses[asked.status].content["application/json"].schema;
    assert.ok(new Validator(answer, "2020-12").validate(JSON.parse(asked.text)).valid);
    assert.equal(paths["/notes/{Text}"].put.requestBody, undefined);
    const allow = async (line: string) => (await ask(line)).headers.get("allow");
    assert.equal(await allow("OPTIONS /notes/x"), "GET, PUT, DELETE, HEAD, OPTIONS");
    assert.equal(await allow("OPTIONS /visit"), "POST, OPTIONS");
    const { text, headers } = await ask("GET /");
    assert.match(headers.get("content-security-policy")!, /connect-src 'self'/);
    assert.match(text, /PUT \/towns\/\{Name\}\/\{Land\}<br>DELETE/);
    assert.match(text, /<form action="\/visit" data-script>[^]*?<button data-method="POST">/);
    assert.match(
      text,
      /<form action="\/towns" data-script>\s*<label>Name .*data-key[^]*?Land .*data-key[^]*?People /,
    );
  });
});
