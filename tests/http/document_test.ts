/** The document and the behaviour are one: answers are held against the schemas that it promises. */
import assert from "node:assert/strict";
import { Validator } from "@cfworker/json-schema";
import { type Api, withApi } from "../support/http_file.ts";
import { KeptSource } from "../support/kept_source.ts";
import { generator } from "../support/random.ts";

const options = { sanitizeOps: false, sanitizeResources: false };
const folder = new URL("../../fixtures/kb/", import.meta.url);

/** A file, and requests that it answers, one at least for each operation; braces stand for keys. */
const REQUESTS: Record<string, [path: string, line: string][]> = {
  "medication.pl": [
    ["/drugs", "/drugs"],
    ["/drugs/{Name}", "/drugs/warfarin"],
    ["/class_name", "/class_name"],
    ["/pim_check", '/pim_check?Age=80&Drugs=["ibuprofen","diazepam"]'],
    ["/pim_check", "/pim_check?Age=20&Drugs=[]"],
    ["/interactions", '/interactions?Drugs=["naproxen","warfarin"]'],
    ["/class", "/class?Name=warfarin"],
    ["/of_class", "/of_class?Class=nsaid"],
    ["/score", '/score?Drugs=["naproxen"]&Weight=3'],
    ["/dose", '/dose?Regimen={"functor":"every","args":[8,{"functor":"mg","args":[400]}]}'],
    ["/reviewed", "/reviewed"],
  ],
  "access.pl": [
    ["/people", "/people"],
    ["/people/{Name}", "/people/ana"],
    ["/roles", "/roles"],
    ["/roles/{Name}", "/roles/guest"],
    ["/may", "/may?Name=ana&Action=write&Object=source"],
    ["/may", "/may?Name=ben&Action=write&Object=source"],
    ["/rights", "/rights?Name=ana"],
    ["/decide", '/decide?Requests=[{"functor":"may","args":["dan","read","docs"]},"x"]'],
  ],
  "geography.pl": [
    ["/countries", "/countries"],
    ["/countries/{Code}", "/countries/er"],
    ["/cities", "/cities"],
    ["/cities/{Country}/{Name}", "/cities/al/Port%20Alven"],
    ["/neighbours", "/neighbours?Code=br"],
    ["/route", "/route?From=al&To=do&Most=4"],
    ["/rivers", "/rivers?Code=do"],
    ["/density", "/density?Inhabitants=[812000,93000]&Area=41200"],
    ["/density", "/density?Inhabitants=[1]&Area=0"],
  ],
};

for (const [name, requests] of Object.entries(REQUESTS)) {
  Deno.test(`${name} answers as its document says`, options, async () => {
    await withApi(await Deno.readTextFile(new URL(name, folder)), async ({ ask }) => {
      const { paths } = JSON.parse((await ask("GET /openapi.json")).text);
      const asked = new Set(requests.map(([path]) => path));
      assert.deepEqual(Object.keys(paths).filter((path) => !asked.has(path)), []);
      for (const [path, line] of requests) {
        const { status, text } = await ask(`GET ${line}`);
        assert.equal(status, 200, `${line}: ${text}`);
        const { schema } = paths[path].get.responses[200].content["application/json"];
        const { valid, errors } = new Validator(schema, "2020-12").validate(JSON.parse(text));
        assert.ok(valid, `${line}: ${text} ${JSON.stringify(errors)}`);
      }
    });
  });
}

/** Answers at the edges of their types: unbound, too long for a number, not finite. */
const EDGES = `
%! edge(+K:atom, -F:float, -I:nonneg, -L:list(int), -A, -B:bool, -P:between(0, 1.5)) is semidet.
edge(unbound, _, _, _, _, _, _).
edge(long, F, 9007199254740993, [1, _, -9007199254740993], f(_), true, 0.5) :- F is inf.
edge(odd, F, 0, [], 1r3, false, 1.5) :- F is nan.
%! amount(-X:number) is nondet.
amount(1.0). amount(2). amount(90071992547409931). amount(X) :- X is 1r3. amount(X) :- X is -inf. amount(_).
%! choice(-X:oneof([a, 1, true, "s"])) is nondet.
choice(a). choice(1). choice(true). choice("s"). choice(_).
%! first(-X:int) is det.
first(_).
%! part(-K:int, -V:int, -W:atom) is multi.
%  @collection parts key(K)
part(1, _, w). part(2, 90071992547409931, _).
`;
const EDGE_REQUESTS = [
  ...["unbound", "long", "odd", "other"].map((key) => ["/edge", `/edge?K=${key}`]),
  ["/amount", "/amount"],
  ["/choice", "/choice"],
  ["/first", "/first"],
  ["/parts", "/parts"],
  ["/parts/{K}", "/parts/1"],
  ["/parts/{K}", "/parts/2"],
];

Deno.test("unbound, long and not finite answers are what the document says", options, async () => {
  await withApi(EDGES, async ({ ask }) => {
    const { paths } = JSON.parse((await ask("GET /openapi.json")).text);
    for (const [path, line] of EDGE_REQUESTS) {
      const { status, text } = await ask(`GET ${line}`);
      assert.equal(status, 200, `${line}: ${text}`);
      const { schema } = paths[path].get.responses[200].content["application/json"];
      const { valid, errors } = new Validator(schema, "2020-12").validate(JSON.parse(text));
      assert.ok(valid, `${line}: ${text} ${JSON.stringify(errors)}`);
      assert.ok(!new Validator(schema, "2020-12").validate({ other: 1 }).valid, path);
    }
  });
});

const PARTS = {
  /** Arguments in a query. */
  most: 3,
  methods: ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"],
  paths: [
    "/",
    "/openapi.json",
    "/drugs",
    "/drugs/warfarin",
    "/drugs/x/y",
    "/class",
    "/dose",
    "/pim_check",
    "/review",
    "/score",
    "/%E2%82",
    "/nothing",
    "/%27), halt.",
    "/reviewed",
  ],
  names: ["Name", "Age", "Drugs", "Regimen", "Weight", "By", "Note", "name", "", "%00", "%C3%28"],
  values: [
    "82",
    "-1",
    "1e999",
    "warfarin",
    "nsaid",
    "[]",
    '["naproxen"]',
    "[1]",
    "{}",
    "null",
    "%22",
    "%",
    "''",
    '{"functor":"every","args":[8,{"functor":"mg","args":[400]}]}',
    "f(X):-halt",
    "\\",
    "a%00b",
    "%ED%A0%80",
  ],
  bodies: [
    "",
    "{}",
    "[]",
    "{",
    '{"Name":"warfarin"}',
    '{"Age":80,"Drugs":["diazepam"]}',
    '{"Age":1e400}',
    '{"Name":"\\u0000"}',
    '{"Regimen":{"functor":"","args":[]}}',
    '{"Name":"a","Name":"b"}',
    "\u{10FFFF}",
    '"',
  ],
};

const STATUSES = [200, 204, 400, 403, 404, 405, 422];
/** With changes there are new members, and facts that no file can hold. */
const CHANGED = [...STATUSES, 201, 500];
const seed = Number(Deno.env.get("ZPM_SEED") ?? 1);
const count = Number(Deno.env.get("ZPM_REQUESTS") ?? 5_000);

type Random = (below: number) => number;

function oneOf<Item>(items: Item[], random: Random): Item {
  return items[random(items.length)];
}

function generatedRequest(random: Random, parts: typeof PARTS): { line: string; body?: string } {
  const query = Array.from(
    { length: random(parts.most + 1) },
    () => `${oneOf(parts.names, random)}=${oneOf(parts.values, random)}`,
  );
  const method = oneOf(parts.methods, random);
  const without = ["GET", "HEAD"].includes(method) || random(2) === 0;
  const body = without ? undefined : oneOf(parts.bodies, random);
  const mark = query.length > 0 ? "?" : "";
  return { line: `${method} ${oneOf(parts.paths, random)}${mark}${query.join("&")}`, body };
}

/** Sends one; what came back is what the document promises. */
async function sent(ask: Api["ask"], { line, body }: { line: string; body?: string }) {
  const { status, text, headers } = await ask(line, { body });
  if (headers.get("content-type") === "application/json" && text !== "") JSON.parse(text);
  if (status >= 400) assert.equal(headers.get("content-type"), "application/problem+json", line);
  return { status, text, what: `${line} ${body}: ${status} ${text}` };
}

Deno.test(
  `${count} generated requests get documented answers (ZPM_SEED=${seed})`,
  options,
  async () => {
    const random = generator(seed);
    await withApi(await Deno.readTextFile(new URL("medication.pl", folder)), async ({ ask }) => {
      for (let n = 0; n < count; n++) {
        const { status, what } = await sent(ask, generatedRequest(random, PARTS));
        assert.ok(STATUSES.includes(status), what);
      }
      assert.equal((await ask("GET /drugs/warfarin")).text, '"anticoagulant"');
    });
  },
);

const EXTRAS = `
:- dynamic extra/2.

%! extra(-Name:atom, -Age:int) is nondet.
%
%  @collection extras key(Name)

%! delete_extra(+Name:atom) is semidet.
delete_extra(Name) :- retract(extra(Name, _)).
`;

/** Parts that fit each other more often. */
const CHANGING = {
  most: 1,
  methods: ["GET", "POST", "PUT", "PUT", "DELETE"],
  paths: ["/review", "/extras", "/extras/x", "/extras/%00", "/extras/a%0Ab", "/extra"],
  names: ["Age", "Name", "Note", "%00"],
  values: ["82", "x", "%0D%0A", "%00"],
  bodies: [
    "5",
    '{"Age":7}',
    '{"Age":12345678901234567890}',
    '{"By":"ana","Note":"over\\nlines"}',
    '{"By":"\\u0000","Note":""}',
    '{"By":"%","Note":"/* . */"}',
    '{"Name":"x"}',
    '{"Name":"a\\nb"}',
    "{",
  ],
};

Deno.test(
  `${count} generated requests change a file as the document says (ZPM_SEED=${seed})`,
  options,
  async () => {
    const random = generator(seed + 1);
    const before = await Deno.readTextFile(new URL("medication.pl", folder)) + EXTRAS;
    const keeper = new KeptSource(before);
    await withApi(before, async ({ ask, service }) => {
      for (let n = 0; n < count; n++) {
        const request = generatedRequest(random, random(3) === 0 ? PARTS : CHANGING);
        const { status, text, what } = await sent(ask, request);
        assert.ok(CHANGED.includes(status), what);
        if (status === 500) assert.equal(JSON.parse(text).type, "urn:charon:persist-failed", what);
      }
      assert.ok(keeper.writes > count / 200, `${keeper.writes} writes`);
      const lists =
        async () => [(await ask("GET /reviewed")).text, (await ask("GET /extras")).text];
      const live = await lists();
      await service.reload({ name: "t.pl", bytes: keeper.bytes });
      assert.deepEqual(await lists(), live);
      assert.deepEqual(
        keeper.text.split("\n").filter((line) => !/^(review|extra)\(/.test(line)),
        before.split("\n").filter((line) => !/^(review|extra)\(/.test(line)),
      );
    }, { persist: true, keeper });
  },
);
