/** What is left of a journal that was cut, at every byte, or changed in the middle, and what is said about it. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { Journal } from "../../src/store/journal.ts";
import type { Opened } from "../../src/store/protocol.ts";
import { inProject } from "../support/crash_server.ts";
import { type ProjectSession, withProjectSession } from "../support/project_session.ts";

const JOURNAL = ".zpm/data/journal-000001.wal";

Deno.test("a torn tail is dropped, said, and never in the way of a start", async () => {
  await inProject(async (project) => {
    const whole = await fiveFacts(project);
    const last = whole.trimEnd().lastIndexOf("\n") + 1;
    const cuts: [name: string, text: string, left: number, warned: boolean][] = [
      ["its newline", whole.slice(0, -1), 5, false],
      ["3 bytes", whole.slice(0, -3), 4, true],
      ["17 bytes", whole.slice(0, -17), 4, true],
      ["all of it", whole.slice(0, last), 4, false],
      ["all but the newline", whole.slice(0, last) + "\n", 4, true],
      [
        "all but zeros that a file system put there",
        whole.slice(0, last) + "\0".repeat(99),
        4,
        true,
      ],
    ];
    for (const [name, text, left, warned] of cuts) {
      await Deno.writeTextFile(join(project, JOURNAL), text);
      await withProjectSession(project, async ({ told, reports }) => {
        strictEqual(await told("query_logic", { goal: "a(X)" }), rows(left), name);
        strictEqual(reports.length, warned ? 1 : 0, `${name}: ${reports}`);
        for (const line of reports) match(line, /kept 4, dropped torn tail of \d+ bytes/, name);
        await told("remember_fact", { fact: "a(6)" });
      });
      strictEqual((await opened(project)).health.commits, left + 1, name);
    }
  });
});

Deno.test("damage in the middle is read-only up to there, told with every reply, and left alone", async () => {
  await inProject(async (project) => {
    const whole = await fiveFacts(project);
    const lines = whole.trimEnd().split("\n");
    const damages: [name: string, text: string, unread: number][] = [
      ["a byte of a number", whole.replace("a(3)", "a(8)"), 2],
      ["a byte of the sum", whole.replace(sumOf(lines[2]), flipped(sumOf(lines[2]))), 2],
      ["a byte between", whole.replace(`${lines[2]}\n`, `${lines[2]} `), 1],
      ["a line of something else", [...lines.toSpliced(2, 0, "garbage"), ""].join("\n"), 3],
      ["a line that is missing", [...lines.toSpliced(2, 1), ""].join("\n"), 1],
      ["a line that is there twice", [...lines.toSpliced(2, 0, lines[1]), ""].join("\n"), 3],
      ["an empty line", [...lines.toSpliced(2, 0, ""), ""].join("\n"), 3],
    ];
    for (const [name, text, unread] of damages) {
      await Deno.writeTextFile(join(project, JOURNAL), text);
      const sentence = new RegExp(
        `record 3 is damaged at byte \\d+, ${unread} records? behind it (is|are) not read; ` +
          "the memory is read-only until 'zpm doctor --repair'",
      );
      await withProjectSession(project, async ({ call }) => {
        for (const [tool, args] of READS) {
          const { texts, structure, isError } = await call(tool, args);
          ok(!isError, `${name}: ${tool}: ${texts}`);
          match(texts.join("\n"), sentence, `${name}: ${tool}`);
          const said = structure.warnings ?? structure.problems;
          match(String(said), sentence, `${name}: ${tool}`);
        }
        const refused = await call("remember_fact", { fact: "a(6)" });
        match(refused.texts.join("\n"), sentence, name);
        strictEqual(refused.isError, true, name);
      });
      strictEqual(await Deno.readTextFile(join(project, JOURNAL)), text, name);
    }
  });
});

const READS: [string, Record<string, unknown>][] = [
  ["query_logic", { goal: "a(X)" }],
  ["explain_why", { fact: "a(1)" }],
  ["get_knowledge_schema", {}],
  ["get_kb_overview", {}],
  ["list_assumptions", {}],
  ["history", {}],
  ["get_persistence_status", {}],
];

/** Compound operations: what makes them possible, what they are, and a question whose answer they change. */
const GROUPS: {
  name: string;
  before: [string, Record<string, unknown>][];
  call: [string, Record<string, unknown>];
  ask: [string, Record<string, unknown>];
}[] = [
  {
    name: "assume_fact",
    before: [],
    call: ["assume_fact", { fact: "up(db)", assumption: "h1" }],
    ask: ["list_assumptions", {}],
  },
  {
    name: "update_fact",
    before: [["remember_fact", { fact: "role(jo, dev)" }]],
    call: ["update_fact", { old_fact: "role(jo, dev)", new_fact: "role(jo, lead)" }],
    ask: ["query_logic", { goal: "role(jo, R)" }],
  },
  {
    name: "upsert_fact",
    before: [["remember_facts", { facts: ["port(web, 1)", "port(web, 2)", "port(web, 3)"] }]],
    call: ["upsert_fact", { fact: "port(web, 4)" }],
    ask: ["query_logic", { goal: "port(web, P)" }],
  },
  {
    name: "retract_assumption",
    before: [1, 2, 3].map((n) => ["assume_fact", { fact: `on(${n})`, assumption: "h3" }]),
    call: ["retract_assumption", { assumption: "h3" }],
    ask: ["query_logic", { goal: "on(X)" }],
  },
  {
    name: "rename_predicate",
    before: [[
      "remember_facts",
      { facts: Array.from({ length: 10 }, (_, i) => `old_name(${i})`) },
    ]],
    call: ["rename_predicate", { old_functor: "old_name", arity: 1, new_functor: "new_name" }],
    ask: ["query_logic", { goal: "new_name(X)" }],
  },
  {
    name: "clear_context",
    before: [["remember_facts", { facts: ["note(1)", "note(2)", "note(3)"] }]],
    call: ["clear_context", { category: "note(_)" }],
    ask: ["query_logic", { goal: "note(X)" }],
  },
  {
    name: "mount_memory",
    before: [["create_memory", { name: "team" }]],
    call: ["mount_memory", { name: "team" }],
    ask: ["list_memories", {}],
  },
];

for (const { name, before, call, ask } of GROUPS) {
  Deno.test(`${name} cut after any byte is wholly there or wholly absent`, async () => {
    await inProject(async (project) => {
      const path = join(project, JOURNAL);
      const asked = ({ told }: ProjectSession) => told(...ask);
      const { start, old, now } = await withProjectSession(project, async (session) => {
        for (const each of before) await session.told(...each);
        const start = before.length > 0 ? (await Deno.stat(path)).size : 0;
        const old = await asked(session);
        await session.told(...call);
        return { start, old, now: await asked(session) };
      });
      ok(old !== now, "the question tells the operation's effect");
      const whole = await Deno.readFile(path);
      const full = (await opened(project)).commits;
      const outcomes = new Set<number>();
      for (let end = start; end <= whole.length; end++) {
        await Deno.writeFile(path, whole.subarray(0, end));
        const { commits, health } = await opened(project);
        deepStrictEqual(commits, full.slice(0, commits.length));
        strictEqual(health.status, "active");
        outcomes.add(commits.length);
      }
      deepStrictEqual([...outcomes], [full.length - 1, full.length]);
      for (
        const [end, said] of [[(start + whole.length) >> 1, old], [whole.length, now]] as const
      ) {
        await Deno.writeFile(path, whole.subarray(0, end));
        strictEqual(await withProjectSession(project, asked), said, `cut at ${end}`);
      }
    });
  });
}

/** A journal of five facts, as text. */
async function fiveFacts(project: string): Promise<string> {
  await withProjectSession(project, async ({ told }) => {
    for (let n = 1; n <= 5; n++) await told("remember_fact", { fact: `a(${n})` });
  });
  return await Deno.readTextFile(join(project, JOURNAL));
}

async function opened(project: string): Promise<Opened> {
  const journal = new Journal(join(project, ".zpm"));
  try {
    return await journal.open();
  } finally {
    journal.close();
  }
}

function rows(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, i) => ({ X: i + 1 })));
}

function sumOf(line: string): string {
  return JSON.parse(line).sum;
}

function flipped(sum: string): string {
  return (sum[0] === "0" ? "1" : "0") + sum.slice(1);
}
