/** Routes, statuses, headers and problems of the HTTP face (SPEC 2.2, 2.3). */
import assert from "node:assert/strict";
import { type Asked, withApi } from "../support/http_file.ts";

const options = { sanitizeOps: false, sanitizeResources: false };

const TEXT = `
%! adult(+Age:int) is semidet.
adult(Age) :- Age >= 18.
%! get_double(+X:int, -Y:int) is det.
get_double(X, Y) :- Y is 2 * X.
%! post_note(+Text:string) is det.
post_note(T) :- assertz(note(T)).
%! delete_double(+X:int) is det.
delete_double(_).
:- dynamic note/1.
%! note(-Text:string) is nondet.
%  @collection notes key(Text)
note("a/b").
note("ä").
%! town(-Land:atom, -Name:atom, -People:int, -River:atom) is multi.
%  @collection towns key(Land, Name)
town(de, ulm, 126, donau).
town(at, linz, 210, donau).
town(at, graz, 300, mur).
town(at, twice, 1, a).
town(at, twice, 2, b).
%! size(-Name:atom, -N:int) is nondet.
%  @collection sizes key(Name)
size(s, 1).
%! flag(-Name:atom) is nondet.
%  @collection flags key(Name)
flag(on).
%! town_of(+Land:oneof([de, at]), +Name:atom) is semidet.
%  @domain Name pick/1
town_of(L, N) :- town(L, N, _, _).
pick(ulm). pick(linz).
%! none is multi.
none :- fail.
%! fails(-X:int) is det.
fails(_) :- throw(my_error).
%! unknown is semidet.
unknown :- not_there(1).
%! odd(-X:atom) is nondet.
odd(X) :- between(1, 3000, N), atom_concat(x, N, X).
%! 'a b/ü'(+X:int, -Y:int) is det.
'a b/ü'(X, X).
%! 'Loop' is det.
'Loop' :- 'Loop'.
`;

/** Request, status, and the answer or the problem. */
const ANSWERS: [string, number, string][] = [
  ["GET /adult?Age=82", 200, "true"],
  ["GET /adult?Age=5", 200, "false"],
  ["GET /adult?Age=123456789012345678901234567890", 200, "true"],
  ["GET /adult?Age=", 422, "argument-invalid Age"],
  ["GET /adult?Age", 422, "argument-invalid Age"],
  ["GET /adult?Age=%2082", 422, "argument-invalid Age"],
  ["GET /adult?Age=+82", 422, "argument-invalid Age"],
  ["GET /adult", 422, "argument-missing Age"],
  ["GET /adult?Age=1&Age=1", 422, "argument-duplicate Age"],
  ["GET /adult?Age=1&age=1", 422, "argument-unknown age"],
  ["GET /adult?Age=%FF", 400, "request-unreadable"],
  ["GET /adult?Age=%ZZ", 400, "request-unreadable"],
  ["GET /%FF", 400, "request-unreadable"],
  ["GET /adult/more?Age=1", 404, "not-found"],
  ["GET /adult/", 404, "not-found"],
  ["GET /nothing", 404, "not-found"],
  ["PUT /adult?Age=1", 405, "method-not-allowed"],
  ["GET /double?X=21", 200, "42"],
  ["GET /get_double?X=21", 404, "not-found"],
  ["POST /double?X=21", 405, "method-not-allowed"],
  ["DELETE /double?X=1", 403, "persistence-required"],
  ["POST /note?Text=x", 403, "persistence-required"],
  ["GET /note", 405, "method-not-allowed"],
  ["GET /notes", 200, '["a/b","ä"]'],
  ["GET /notes/a%2Fb", 200, "true"],
  ["GET /notes/%C3%A4", 200, "true"],
  ["GET /notes/a/b", 404, "not-found"],
  ["GET /notes/x", 404, "not-found"],
  ["GET /notes?Text=x", 422, "argument-unknown Text"],
  ["PUT /notes/x", 403, "persistence-required"],
  ["DELETE /notes/x", 403, "persistence-required"],
  ["POST /notes", 405, "method-not-allowed"],
  ["GET /towns/at/linz", 200, '{"People":210,"River":"donau"}'],
  ["GET /towns/at/ulm", 404, "not-found"],
  ["GET /towns/at", 404, "not-found"],
  ["GET /towns/at/twice", 500, "key-not-unique"],
  ["PUT /towns/at/linz", 405, "method-not-allowed"],
  ["GET /town", 404, "not-found"],
  ["GET /sizes/s", 200, "1"],
  ["GET /flags", 200, '["on"]'],
  ["GET /flags/on", 200, "true"],
  ["GET /town_of?Land=de&Name=ulm", 200, "true"],
  ["GET /town_of?Land=xx&Name=ulm", 422, "argument-invalid Land"],
  ["GET /town_of?Land=de&Name=wien", 422, "argument-invalid Name"],
  ["GET /none", 200, "[]"],
  ["GET /fails", 422, "prolog-error"],
  ["GET /unknown", 500, "procedure-undefined"],
  ["GET /a%20b%2F%C3%BC?X=1", 200, "1"],
  ["POST /openapi.json", 405, "method-not-allowed"],
  ["DELETE /", 405, "method-not-allowed"],
];

function said({ problem, text }: Asked): string {
  return problem ?? text;
}

Deno.test(
  "every route answers with its status, and a problem when there is one",
  options,
  async () => {
    await withApi(TEXT, async ({ ask, logged }) => {
      for (const [line, status, expected] of ANSWERS) {
        const asked = await ask(line);
        assert.deepEqual([asked.status, said(asked)], [status, expected], line);
      }
      assert.deepEqual(logged, ["warn: none is declared multi and had no solution"]);
    });
  },
);

/** Method and path, body, content type, status, and the answer or the problem. */
const BODIES: [string, BodyInit, string, number, string][] = [
  ["POST /adult", '{"Age": 82}', "application/json", 200, "true"],
  ["POST /adult", '{"Age": 82}', "application/json; charset=utf-8", 200, "true"],
  ["POST /adult", '{"Age": 82}', "application/merge-patch+json", 200, "true"],
  ["POST /adult", "", "text/plain", 422, "argument-missing Age"],
  ["POST /adult?Age=82", "", "application/json", 200, "true"],
  ["POST /adult?Age=82", '{"Age": 82}', "application/json", 422, "argument-duplicate Age"],
  ["POST /adult", '{"Age": 82, "Age": 83}', "application/json", 422, "argument-duplicate Age"],
  ["POST /adult", '{"Age": 82', "application/json", 400, "request-unreadable"],
  ["POST /adult", "Age=82", "application/x-www-form-urlencoded", 400, "request-unreadable"],
  ["POST /adult", '{"Age": 82}', "text/plain", 400, "request-unreadable"],
  ["POST /adult", '{"Age": 82}', "application/jsonp", 400, "request-unreadable"],
  [
    "POST /adult",
    new Uint8Array([0x7b, 0x22, 0xff, 0x22]),
    "application/json",
    400,
    "request-unreadable",
  ],
  ["POST /adult", " ".repeat(4 * 1024 * 1024 + 1), "application/json", 400, "request-unreadable"],
];

Deno.test("bodies are read strictly", options, async () => {
  await withApi(TEXT, async ({ ask }) => {
    for (const [line, body, type, status, expected] of BODIES) {
      const asked = await ask(line, { body, headers: { "content-type": type } });
      const what = `${line} ${type} ${String(body).slice(0, 40)}`;
      assert.deepEqual([asked.status, said(asked)], [status, expected], what);
    }
  });
});

Deno.test("a body that a server does not hand on is refused", options, async () => {
  await withApi(TEXT, async ({ ask }) => {
    for (const header of ["content-length: 11", "transfer-encoding: chunked"]) {
      const [name, value] = header.split(": ");
      const { problem } = await ask("GET /adult?Age=82", { headers: { [name]: value } });
      assert.equal(problem, "request-unreadable", header);
    }
    assert.equal(
      (await ask("GET /adult?Age=82", { headers: { "content-length": "0" } })).text,
      "true",
    );
  });
});

Deno.test("HEAD and OPTIONS, Allow, and the header of a cut answer", options, async () => {
  await withApi(TEXT, async ({ ask }) => {
    const head = await ask("HEAD /double?X=21");
    assert.deepEqual([head.status, head.text], [200, ""]);
    assert.equal(head.headers.get("content-length"), "2");
    const allow = async (line: string) => (await ask(line)).headers.get("allow");
    assert.equal(await allow("OPTIONS /double"), "GET, DELETE, HEAD, OPTIONS");
    assert.equal(await allow("PUT /adult"), "GET, POST, HEAD, OPTIONS");
    assert.equal(await allow("OPTIONS /notes/x"), "GET, PUT, DELETE, HEAD, OPTIONS");
    assert.equal(await allow("OPTIONS /"), "GET, HEAD, OPTIONS");
    assert.equal((await ask("OPTIONS /adult")).status, 204);
    assert.equal((await ask("OPTIONS /nothing")).status, 404);
    const cut = await ask("GET /odd");
    assert.equal(cut.headers.get("x-charon-truncated"), "true");
    assert.equal(JSON.parse(cut.text).length, 1000);
    assert.equal((await ask("GET /notes")).headers.get("x-charon-truncated"), null);
    assert.equal(cut.headers.get("content-type"), "application/json");
  });
});

Deno.test("a foreign page is not let in, on no route", options, async () => {
  await withApi(TEXT, async ({ ask }) => {
    const refused = [
      { origin: "http://evil.example" },
      { origin: "null" },
      { origin: "http://127.0.0.1:4000" },
      { host: "evil.example:3000" },
      { host: "evil.example", origin: "http://evil.example" },
      { host: "" },
    ];
    for (const line of ["GET /", "GET /openapi.json", "GET /notes", "POST /note", "GET /nothing"]) {
      for (const headers of refused) {
        const asked = await ask(line, { headers: headers as Record<string, string> });
        assert.equal(asked.problem, "cross-origin", `${line} ${JSON.stringify(headers)}`);
      }
    }
    const own = { host: "localhost:3000", origin: "http://localhost:3000" };
    assert.equal((await ask("GET /notes", { headers: own })).status, 200);
  });
});

Deno.test(
  "a domain that throws is told to who asks, and spoils nothing else",
  options,
  async () => {
    const text = `
%! pick(+V:atom) is semidet.
%  @domain V broken/1
pick(_).
broken(_) :- throw(no_values).
%! choose(+V:atom) is semidet.
%  @domain V lost/1
choose(_).
lost(X) :- not_there(X).
%! good is semidet.
good.
`;
    await withApi(text, async ({ ask }) => {
      assert.equal((await ask("GET /pick?V=a")).problem, "prolog-error");
      assert.equal((await ask("GET /choose?V=a")).problem, "procedure-undefined");
      const { paths } = JSON.parse((await ask("GET /openapi.json")).text);
      assert.deepEqual(paths["/pick"].get.parameters[0].schema, { type: "string" });
      assert.equal((await ask("GET /")).status, 200);
      assert.equal((await ask("GET /good")).text, "true");
    });
  },
);

Deno.test(
  "hints name what a caller of the API can do, and no tool of a memory",
  options,
  async () => {
    const text = `
%! shout is semidet.
shout :- shell(ls).
%! stored is semidet.
stored :- assertz(unknown(1)).
%! deep(-X:any) is det.
deep(X) :- nested(1000, X).
nested(0, a) :- !.
nested(N, f(X)) :- M is N - 1, nested(M, X).
%! rounds is semidet.
rounds :- rounds.
%! odd is semidet.
odd :- call(1).
`;
    await withApi(text, async ({ ask }) => {
      const cases = [
        ["shout", "prolog-error", /reach neither files nor processes/],
        ["stored", "prolog-error", /change only what their file declares dynamic/],
        ["deep", "limit-exceeded", /Ask for less/],
        ["rounds", "limit-exceeded", /a greater --deadline-ms/],
      ] as const;
      for (const [name, expected, way] of cases) {
        const { problem, text } = await ask(`GET /${name}`);
        assert.equal(problem, expected, name);
        assert.match(JSON.parse(text).hint, way);
        assert.doesNotMatch(text, /remember_fact|timeout_ms|define_rule/);
      }
    }, { deadline_ms: 2_000 });
  },
);

Deno.test("what the page lets choose is read as what was chosen", options, async () => {
  const text = `
%! any_of(+V:any, -W:any) is det.
%  @domain V thing/1
any_of(V, V).
%! word_of(+V:atom, -W:any) is det.
%  @domain V word/1
word_of(V, V).
thing(ulm). thing(5). thing(f(x)).
word('5').
`;
  await withApi(text, async ({ ask }) => {
    const page = (await ask("GET /")).text;
    const chosen = [...page.matchAll(/<option>(.*?)<\/option>/g)]
      .map(([, shown]) => shown.replaceAll("&quot;", '"'));
    const compound = '{"functor":"f","args":["x"]}';
    assert.deepEqual(chosen, ['"ulm"', "5", compound, "5"]);
    const answers = await Promise.all(
      chosen.map(async (value, at) =>
        (await ask(`GET /${at < 3 ? "any_of" : "word_of"}?V=${encodeURIComponent(value)}`)).text
      ),
    );
    assert.deepEqual(answers, ['"ulm"', "5", compound, '"5"']);
  });
});

Deno.test("the page shows every operation and carries nothing foreign", options, async () => {
  const hostile = `/** <module> <script>alert(1)</script> & "more" */
%! echo(+X:oneof(['<b>', 'c"d']), +L:list(int)) is semidet.
%
%  Says <i>it</i> again.
%  @arg L "><script>
echo(_, _).
`;
  await withApi(hostile + TEXT, async ({ ask, service }) => {
    const { text, headers, status } = await ask("GET /");
    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
    assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
    for (const { name, path, changing } of service.set.operations) {
      assert.equal(
        text.includes(`action="/${encodeURIComponent(path)}"`),
        !changing || name === "delete_double",
        name,
      );
    }
    assert.equal(text.match(/<script>/g)?.length, 1);
    assert.doesNotMatch(text, /<[ib]>|(src|href)="http/);
    assert.match(text, /&lt;script&gt;alert\(1\)/);
    assert.match(text, /<option>&lt;b&gt;<\/option><option>c&quot;d<\/option>/);
  });
});

Deno.test("one endless call does not hold up the others, and is ended", options, async () => {
  await withApi(TEXT.replace("assertz(note(T))", "true"), async ({ ask }) => {
    const endless = ask("GET /Loop");
    const quick = Array.from({ length: 20 }, () => ask("GET /double?X=1"));
    for (const { status } of await Promise.all(quick)) assert.equal(status, 200);
    assert.deepEqual(await endless.then(({ status, problem }) => [status, problem]), [
      503,
      "limit-exceeded",
    ]);
    assert.equal((await ask("GET /double?X=1")).status, 200);
  }, { interpreters: 2, deadline_ms: 5_000 });
});

Deno.test("a file that is read again is exchanged whole, or not at all", options, async () => {
  await withApi(TEXT, async ({ ask, service }) => {
    const source = (text: string) => ({ name: "t.pl", bytes: new TextEncoder().encode(text) });
    const running = Array.from({ length: 10 }, () => ask("GET /double?X=2"));
    await service.reload(
      source("%! get_double(+X:int, -Y:int) is det.\nget_double(X, Y) :- Y is 3 * X.\n"),
    );
    for (const { status } of await Promise.all(running)) assert.equal(status, 200);
    assert.equal((await ask("GET /double?X=2")).text, "6");
    assert.equal((await ask("GET /notes")).status, 404);
    await assert.rejects(
      service.reload(source("%! get_double(+X:int, -Y:int) is det.\nget_double(X, Y :- .\n")),
    );
    assert.equal((await ask("GET /double?X=2")).text, "6");
  });
});
