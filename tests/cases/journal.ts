/** W: the journal, recovery, snapshots on disk. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { Journal } from "../../src/store/journal.ts";
import {
  ask,
  assume,
  call,
  each,
  fails,
  file,
  remember,
  restart,
  type Rows,
  type Step,
  structure,
  warns,
} from "../support/cases.ts";
import { commitsOf, startCrashServer } from "../support/crash_server.ts";
import { tellProcess } from "../support/process.ts";
import { cacheSource } from "../support/transcript_program.ts";
import { inWorld, type World } from "../support/world.ts";

const save = (name: string, expected?: Parameters<typeof call>[2]): Step =>
  call("save_snapshot", { name }, expected);
const segment = ({ project }: World): string => join(project, ".zpm/data/journal-000001.wal");

/** Ends the server, changes the bytes of its journal, and starts it again. */
const damage = (change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): Step => async (world) => {
  await world.stop();
  await Deno.writeFile(segment(world), change(await Deno.readFile(segment(world))));
  await world.start();
};

const five = each([1, 2, 3, 4, 5], (n) => remember(`a(${n})`));
const numbers = (...values: number[]) => values.map((X) => ({ X }));

export const journal: Rows = {
  W01: [
    ...[2, 3, 17, 100].flatMap((cut) => [
      five,
      damage((bytes) => bytes.slice(0, bytes.length - cut)),
      reported(/dropped torn tail of \d+ bytes/),
      ask("a(X)", numbers(1, 2, 3, 4)),
      call("clear_context", { category: "a(_)" }),
    ]),
    // A record without its newline is complete.
    five,
    damage((bytes) => bytes.slice(0, bytes.length - 1)),
    remember("a(6)"),
    restart,
    ask("a(X)", numbers(1, 2, 3, 4, 5, 6)),
  ],
  W03: [
    five,
    damage((bytes) => flipped(bytes, Math.floor(bytes.length / 2))),
    ask("a(X)", warns(numbers(1, 2), /record 3|3 records/)),
    remember("a(6)", fails(/^(Not saved|Memory is read-only)/)),
    call("get_persistence_status", {}, structure({ status: "damaged" })),
    async (world) => {
      const before = await Deno.readFile(segment(world));
      await world.restart();
      deepStrictEqual(await Deno.readFile(segment(world)), before);
    },
    ask("a(X)", warns(numbers(1, 2), /doctor/)),
  ],
  W04: [
    ...[
      [assume("a(1)", "h"), call("retract_assumption", { assumption: "h" })],
      [remember("b(1)"), call("update_fact", { old_fact: "b(1)", new_fact: "b(2)" })],
      [assume("c(1)", "s1"), assume("c(2)", "s1"), call("retract_assumptions", { pattern: "s1" })],
      [
        each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], (n) => remember(`old(${n})`)),
        call("rename_predicate", { old_functor: "old", new_functor: "new" }),
      ],
    ].flat().flatMap((step) => [step, wholeOrAbsent]),
  ],
  W05: [killedAfterEachReply],
  W06: [
    five,
    async (world) => {
      await world.stop();
      await Deno.writeTextFile(join(world.project, ".zpm/kb/.s.pl.tmp"), "a(99).\n");
      for (const wait of [0, 2, 5, 10, 20]) await killedWhileSaving(world.project, wait);
      await world.start();
    },
    ask("a(X)", numbers(1, 2, 3, 4, 5)),
  ],
  W08: [
    remember("x(0)"),
    save("s"),
    unreadableSnapshot,
  ],
  W09: [
    remember("a(1)"),
    async ({ project }) => {
      const { answers, status } = await tellProcess(project, [
        { name: "remember_fact", arguments: { fact: "b(1)" } },
        { name: "query_logic", arguments: { goal: "a(X)" } },
      ]);
      const texts = answers.sort((a, b) => a.id - b.id).map(({ result }) =>
        result?.content?.[0].text
      );
      deepStrictEqual(texts, ["Asserted: b(1)", '[{"X":1}]']);
      strictEqual(status, 0);
    },
    ask("a(X), b(Y)", [{ X: 1, Y: 1 }]),
    restart,
    ask("a(X), b(Y)", [{ X: 1, Y: 1 }]),
  ],
  W10: [
    async ({ session }) => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, i) => session.call("remember_fact", { fact: `k(${i})` })),
      );
      ok(answers.every(({ result }) => result?.isError === false));
    },
    restart,
    ask("aggregate_all(count, k(_), All), aggregate_all(count, distinct(k(_)), Each)", [
      { All: 200, Each: 200 },
    ]),
  ],
  W12: [
    remember("keep(1)"),
    ask("assertz(cnt(1))", fails(/^Not allowed/)),
    ask("retract(keep(1))", fails(/^Not allowed/)),
    file(
      ".zpm/kb/writes.pl",
      ":- dynamic cnt/1.\nbump(N) :- assertz(cnt(1)), aggregate_all(count, cnt(_), N).\n",
    ),
    restart,
    ask("bump(N)", [{ N: 1 }]),
    ask("bump(N)", [{ N: 1 }]),
    restart,
    ask("cnt(X)", []),
    ask("keep(X)", [{ X: 1 }]),
  ],
  W13: [
    assume("a(1)", "s1"),
    assume("a(2)", "s1"),
    assume("a(2)", "s2"),
    call("retract_assumptions", { pattern: "s1*" }),
    restart,
    ask("a(X)", [{ X: 2 }]),
    call(
      "get_belief_status",
      { fact: "a(2)" },
      structure({ status: "in", justifications: ["s2"] }),
    ),
  ],
  W15: [
    each(
      [
        "term_expansion(secret(_), [])",
        "goal_expansion(secret(_), true)",
        "message_hook(_, _, _)",
        "portray(_)",
        "prolog_load_file(_, _)",
      ],
      (fact) => remember(fact, fails("InvalidArguments", /hook/)),
    ),
    remember("secret(1)"),
    save("s"),
    restart,
    ask("secret(X)", [{ X: 1 }]),
    call("restore_snapshot", { name: "s" }),
    ask("secret(X)", [{ X: 1 }]),
  ],
  W16: [
    each(
      ["../../evil", "/var/evil", "a/b", "..", "con\u0000.pl", "CON", "x".repeat(300), "", "a.pl"],
      (name) => save(name, fails("InvalidArguments", /./)),
    ),
    save("journal"),
    save("earlier", fails("InvalidArguments", /not a snapshot/)),
    call("create_memory", { name: "../x" }, fails("InvalidArguments")),
    call("mount_memory", { name: "a', halt, '" }, fails("InvalidArguments")),
    async ({ project }) => {
      deepStrictEqual([...Deno.readDirSync(project)].map(({ name }) => name).sort(), [".zpm"]);
      strictEqual(
        await Deno.readTextFile(join(project, ".zpm/kb/earlier.pl")),
        "earlier(fact).\n",
      );
    },
  ],
  W17: [notWritable, full],
  W18: [
    async ({ project }) => {
      const { answers, status } = await tellProcess(
        project,
        [{ name: "remember_fact", arguments: { fact: "last(1)" } }],
        { unfinished: true },
      );
      strictEqual(answers[0].result?.content?.[0].text, "Asserted: last(1)");
      strictEqual(status, 0);
    },
    ask("last(X)", [{ X: 1 }]),
  ],
};

function reported(pattern: RegExp): Step {
  return async (world) => {
    await world.call("query_logic", { goal: "true" });
    match(world.reports.join("\n"), pattern);
  };
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const changed = bytes.slice();
  changed[at] ^= 1;
  return changed;
}

/** The journal, cut after each byte of its last line, has all commits or all but that one. */
async function wholeOrAbsent(world: World): Promise<void> {
  const bytes = await Deno.readFile(segment(world));
  const all = (await commitsOf(world.project)).length;
  const start = bytes.lastIndexOf(10, bytes.length - 2) + 1;
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(join(folder, "data"));
    for (let length = start; length <= bytes.length; length++) {
      await Deno.writeFile(join(folder, "data/journal-000001.wal"), bytes.subarray(0, length));
      const copy = new Journal(folder);
      const { commits, health } = await copy.open();
      copy.close();
      strictEqual(health.status, "active");
      const whole = length >= bytes.length - 1;
      strictEqual(commits.length, whole ? all : all - 1, `after ${length} bytes`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function killedAfterEachReply({ project }: World): Promise<void> {
  await cacheSource();
  for (let round = 1; round <= 3; round++) {
    const server = startCrashServer(project);
    await server.send({ name: "remember_fact", arguments: { fact: `k(${round})` } });
    await server.answered(1);
    await server.kill();
  }
  const facts = (await commitsOf(project)).map(({ ops }) => ops[0][1]);
  deepStrictEqual(facts, ["k(1)", "k(2)", "k(3)"]);
}

async function killedWhileSaving(project: string, wait: number): Promise<void> {
  await cacheSource();
  const server = startCrashServer(project);
  await server.send({ name: "query_logic", arguments: { goal: "true" } });
  await server.answered(1);
  await server.send({ name: "save_snapshot", arguments: { name: "s" } });
  await new Promise((resolve) => setTimeout(resolve, wait));
  await server.kill();
}

/** A snapshot of which nothing can be read: the journal is the truth, and the file is left alone. */
async function unreadableSnapshot(world: World): Promise<void> {
  await world.stop();
  const snapshot = join(world.project, ".zpm/kb/s.pl");
  await Deno.writeFile(snapshot, new Uint8Array());
  await world.start();
  await remember("x(1)")(world);
  await ask("x(X)", [{ X: 0 }, { X: 1 }])(world);
  await call("restore_snapshot", { name: "s" }, fails(/./))(world);
  await world.restart();
  await ask("x(X)", [{ X: 0 }, { X: 1 }])(world);
  strictEqual((await Deno.stat(snapshot)).size, 0);
}

/** A data folder that cannot be made: everything works, and every write says that it is not kept. */
async function notWritable(): Promise<void> {
  await inWorld({ ".zpm/data": "a file, not a folder" }, async (world) => {
    await call("get_persistence_status", {}, structure({ status: "degraded" }))(world);
    await remember("a(1)", warns("Asserted: a(1)", /not saved/))(world);
    await ask("a(X)", [{ X: 1 }])(world);
  });
}

/** A file that may not grow: the write is refused, nothing of it is left, and what was there stays. */
async function full(world: World): Promise<void> {
  await remember("small(1)")(world);
  await world.stop();
  const { answers } = await tellProcess(world.project, [
    { name: "remember_fact", arguments: { fact: `large('${"x".repeat(100_000)}')` } },
    { name: "query_logic", arguments: { goal: "large(_) ; small(_)" } },
  ], { fileBytes: 65_536 });
  const texts = answers.sort((a, b) => a.id - b.id).map(({ result }) => result?.content?.[0].text);
  match(texts[0]!, /^Not saved: /);
  strictEqual(texts[1], "[{}]");
  await world.start();
  await ask("small(X)", [{ X: 1 }])(world);
  await ask("large(X)", [])(world);
}
