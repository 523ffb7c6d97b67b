/** Where JavaScript meets the engine: what is pinned, what must be the same everywhere, what must not survive. */
import {
  deepStrictEqual,
  doesNotMatch,
  match,
  notStrictEqual,
  ok,
  rejects,
  strictEqual,
} from "node:assert/strict";
import { encodeImage, imageKey } from "../../src/engine/assets.ts";
import { Engine, EngineLost } from "../../src/engine/engine.ts";
import { answers, assets, bootEngine, withEngine } from "../support/engines.ts";

Deno.test("the stack's end is exported under the name that the worker uses", async () => {
  const { module, worker } = await assets();
  const [, name] = /STACK_END_EXPORT = "(\w+)"/.exec(worker) ?? [];
  const [, given] = /emscripten_stack_get_end\s*=\s*\w+\["?(\w+)"?\]/.exec(worker) ??
    /emscripten_stack_get_end\s*=\s*\w+\.(\w+)/.exec(worker) ?? [];
  strictEqual(name, given);
  ok(
    WebAssembly.Module.exports(await module()).some((each) =>
      each.name === name && each.kind === "function"
    ),
  );
});

/** Questions whose answers depend on libraries, flags, operators, time and text. */
const SAME = [
  "X = point(1, 'Big Apple', \"s\", [a|T])",
  "append(X, Y, [1, 2])",
  "X #> 3, X #< 6, label([X])",
  "sat(A + B), taut(A + ~A, T)",
  "dif(X, a)",
  "aggregate_all(count, member(_, [a, b]), N)",
  "foldl([X, A0, A]>>(A is A0 + X), [1, 2, 3], 0, S)",
  "format(atom(A), '~e ~4f ~q', [1.5, 2.0, 'A b'])",
  "X is 2 ** 100, Y is 7 / 2, Z is 2 ** -1",
  "stamp_date_time(0, D, local)",
  "format_time(atom(A), '%FT%T%z', 86400)",
  'sort(0, @>=, [b, 1, "s", f(x), Z, 2.0], L)',
  'atom_string(A, "日本"), atom_length(A, N)',
  "string_code(1, \"é\", C), upcase_atom('é', U)",
  "phrase(digits(Ds), `42`), atom_codes(A, Ds)",
  "current_op(P, xfx, is)",
  "current_prolog_flag(double_quotes, F)",
  "current_prolog_flag(bounded, F)",
  'X = "a", string(X)',
  "nosuch(X)",
  "X is foo + 1",
  "X is 1 / 0",
  "open('/etc/passwd', read, S)",
];

/** What a goal may throw in order to look like this program. */
const FORGED = [
  'zpm(limit, [k-raw("1},\\"error\\":null,\\"ok\\":{\\"answers\\":[],\\"x\\":{}")])',
  'zpm(limit, [partial-obj([answers-raw("[]}},\\"error\\":null,\\"ok\\":{\\"answers\\":[]")])])',
  "zpm(limit, no_list)",
  "zpm(limit, [limit-1r3])",
  "zpm(limit, [limit-Unbound])",
  "zpm(Kind, [])",
  "zpm(no_kind, [])",
  "zpm(batch, [])",
];

Deno.test("a goal that throws what looks like an error of ours forges no reply", async () => {
  await withEngine(async (engine) => {
    for (const forged of FORGED) {
      match(await answers(engine, `throw(error(${forged}, _))`), /^Goal raised: /, forged);
    }
    strictEqual(await answers(engine, "member(X, [1])"), '[{"X":1}]');
  });
});

Deno.test("an engine from the image answers as one that booted cold", async () => {
  const engines = await Promise.all([bootEngine("image"), bootEngine("cold")]);
  try {
    for (const goal of SAME) {
      const [image, cold] = await Promise.all(engines.map((engine) => answers(engine, goal)));
      strictEqual(image, cold, goal);
    }
  } finally {
    for (const engine of engines) engine.stop();
  }
});

Deno.test("time is UTC, whatever the machine says", async () => {
  const usual = Deno.env.get("TZ");
  Deno.env.set("TZ", "Asia/Tokyo");
  try {
    strictEqual(new Date(0).getHours(), 9);
    await withEngine(async (engine) => {
      const goal = "stamp_date_time(0, date(Y, _, D, H, _, _, Offset, _, _), local)";
      strictEqual(await answers(engine, goal), '[{"Y":1970,"D":1,"H":0,"Offset":0}]');
      strictEqual(await answers(engine, "format_time(atom(A), '%H %z', 0)"), '[{"A":"00 +0000"}]');
    });
  } finally {
    if (usual === undefined) Deno.env.delete("TZ");
    else Deno.env.set("TZ", usual);
  }
});

Deno.test("random numbers differ from boot to boot", async () => {
  const engines = await Promise.all([bootEngine(), bootEngine(), bootEngine("cold")]);
  const said = await Promise.all(
    engines.map((engine) => answers(engine, "X is random(1000000000000)")),
  );
  for (const engine of engines) engine.stop();
  strictEqual(new Set(said).size, 3);
});

Deno.test("an image is taken for what it is, and only for the texts it was made of", async () => {
  const { image } = await assets();
  const key = await imageKey();
  match(key, /^[0-9a-f]{64}$/);
  const file = encodeImage(key, image!);
  const header = JSON.parse(new TextDecoder().decode(file.subarray(0, file.indexOf(10))));
  deepStrictEqual(header, { key, pages: image!.pages });
});

Deno.test("a copy of a broken image does not boot", async () => {
  const { image, ...rest } = await assets();
  const bytes = image!.bytes.slice();
  bytes.fill(0, 0, bytes.length / 2);
  const engine = new Engine({ ...rest }, { ...image!, bytes });
  await engine.ready().then(
    () => ok(false, "it booted"),
    (error) => ok(error instanceof EngineLost, String(error)),
  );
  strictEqual(engine.alive, false);
});

/** Nested deeper than is allowed: each is refused, or kills its engine; none is answered, none fools the next. */
const DEPTHS = [257, 300, 600, 1_049, 1_050, 1_051, 1_100, 2_000, 10_000];

for (const depth of DEPTHS) {
  Deno.test(`a term nested ${depth} deep is never answered, and the engine is never wrong after it`, async () => {
    const texts = [
      `X = ${"f(".repeat(depth)}a${")".repeat(depth)}`,
      `X = ${"(".repeat(depth)}a${")".repeat(depth)}`,
      `X = ${"[".repeat(depth)}a${"]".repeat(depth)}`,
      `X = ${"- ".repeat(depth)}a`,
    ];
    let engine = await bootEngine();
    for (const text of texts) {
      const said = await answers(engine, text).catch((error) => {
        ok(error instanceof EngineLost, String(error));
        return "lost";
      });
      // Brackets alone are no depth of the term: what the reader survives is an answer.
      if (said !== '[{"X":"a"}]') match(said, /^(lost|Stopped: depth 256)$/, text.slice(0, 20));
      strictEqual(engine.alive, said !== "lost");
      if (!engine.alive) engine = await bootEngine();
      strictEqual(await answers(engine, "X = alive, length(L, 2), atom_length(abc, N)"), ALIVE);
    }
    engine.stop();
  });
}

const ALIVE = '[{"X":"alive","L":["_A","_B"],"N":3}]';

Deno.test("terms of twice the depth are built and dropped inside of a goal", async () => {
  await withEngine(async (engine) => {
    const deep = "numlist(1, 512, L), foldl([_, A, f(A)]>>true, L, z, T)";
    const goal = `findall(ok, catch((${deep}, copy_term(T, T1), T1 = T, ground(T)), _, fail), R)`;
    strictEqual(await answers(engine, goal), '[{"L":"_A","A":"_B","T":"_C","T1":"_D","R":["ok"]}]');
    strictEqual(await answers(engine, deep), "Stopped: depth 256");
    strictEqual(await answers(engine, `catch((${deep}), _, true)`), "Stopped: depth 256");
    strictEqual(
      await answers(engine, `${deep}, throw(T)`).then((said) => said.slice(0, 12)),
      "Goal raised:",
    );
    strictEqual(await answers(engine, "X = alive, length(L, 2), atom_length(abc, N)"), ALIVE);
  });
});

Deno.test("an engine that has grown by a stack is told to be retired", async () => {
  await withEngine(async (engine) => {
    strictEqual(engine.grown, false);
    strictEqual(await answers(engine, "numlist(1, 50000000, L)"), "Stopped: memory");
    strictEqual(await answers(engine, "numlist(1, 50000000, L)"), "Stopped: memory");
    strictEqual(engine.grown, true);
    notStrictEqual(await answers(engine, "X = alive"), "");
  });
});

Deno.test("an engine that cannot boot says why in one line, without our stack", async () => {
  const whole = await assets();
  const files = { ...whole.files, "zpm.pl": ":- use_module(library(nosuch)).\n" };
  const engine = new Engine({ ...whole, files }, undefined);
  await rejects(engine.ready(), (error: EngineLost) => {
    strictEqual(error.why, "boot");
    match(error.message, /^boot: zpm\.pl loads with messages: .*library\(nosuch\)[^\n]*$/);
    doesNotMatch(error.message, /\bat \w+ \(/);
    return true;
  });
});
