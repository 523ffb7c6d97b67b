/**
 * The memory of a small team of agents, told in six steps and run for real: the command line, MCP servers, a
 * kill -9. `deno task demo`. Ends with 1 when a step goes another way than it is told.
 */
import { type Agent, expect, say, Stage, StoryFailed } from "./stage.ts";

type Node = { id: number; parent: number | null; goal: string; source: string };

if (import.meta.main) {
  const directory = await Deno.makeTempDir({ prefix: "zpm-demo-" });
  let failed = false;
  try {
    await tell(new Stage(await Deno.realPath(directory)));
  } catch (error) {
    failed = true;
    const why = error instanceof StoryFailed ? error.message : String(error);
    console.error(`\nThe demo failed. Expected: ${why}`);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
  Deno.exit(failed ? 1 : 0);
}

async function tell(stage: Stage): Promise<void> {
  await people(stage);
  const reviewer = await stage.agent("reviewer");
  await reasoning(reviewer);
  await mistakes(reviewer);
  const next = await killed(stage, reviewer);
  await together(stage, next);
  await journal(stage);
}

async function people(stage: Stage): Promise<void> {
  say.title("1. People write down what they know; an agent adds what it did");
  const { code } = await stage.zpm("init");
  expect(code === 0, "'zpm init' succeeds");
  say.prose("  A file under version control, written by the team:");
  await stage.write(
    ".zpm/kb/team.pl",
    `owner(payments, dana).
owner(web, ari).
depends_on(web, payments).
depends_on(payments, database).
`,
  );
  say.prose("  The agent that releases uses the command line:");
  await stage.zpm("remember-fact", 'deployed(v41, payments, "2026-11-27")');
  const { out } = await stage.zpm(
    "query-logic",
    "deployed(Version, Service, Day), owner(Service, Who)",
  );
  expect(out.includes('"Who":"dana"'), "the file and the stored fact are asked together");
}

async function reasoning(reviewer: Agent): Promise<void> {
  say.title("2. Another agent, over MCP, adds a risk and a rule, and asks what follows");
  const tools = await reviewer.tools();
  say.note(`${tools.length} tools: ${tools.join(", ")}`);
  await reviewer.call("remember_fact", { fact: "open_incident(database, slow_disk)" });
  await reviewer.call("define_rule", {
    head: "rests_on(Service, Other)",
    body: "depends_on(Service, Other)",
  });
  await reviewer.call("define_rule", {
    head: "rests_on(Service, Other)",
    body: "depends_on(Service, Between), rests_on(Between, Other)",
  });
  await reviewer.call("define_rule", {
    head: "risky(Service, Cause)",
    body: "rests_on(Service, Other), open_incident(Other, Cause)",
  });
  const { structure } = await reviewer.call("query_logic", {
    goal: "risky(Service, Cause), owner(Service, Who)",
  });
  expect((structure.answers as unknown[]).length === 2, "two services are at risk");

  say.title("3. Why? The proof, with the commit or the line of the file behind each step");
  const why = await reviewer.quietly("explain_why", { fact: "risky(web, slow_disk)" });
  say.call(reviewer.name, 'explain_why {"fact":"risky(web, slow_disk)"}');
  const nodes = why.structure.nodes as Node[];
  say.answer(tree(nodes));
  expect(
    nodes.some(({ source }) => source === "kb/team.pl:3"),
    "the proof names a line of the file",
  );
  expect(nodes.some(({ source }) => /^commit /.test(source)), "the proof names a commit");
}

/** The steps of a proof, indented below what they prove. */
function tree(nodes: Node[]): string {
  const depth = new Map<number | null, number>([[null, -1]]);
  for (const { id, parent } of nodes) depth.set(id, depth.get(parent)! + 1);
  const below = (parent: number | null): string[] =>
    nodes.filter((node) => node.parent === parent).flatMap(({ id, goal, source }) => {
      const step = `${"  ".repeat(depth.get(id)!)}${goal}`;
      return [`${step.padEnd(44)} ${source}`, ...below(id)];
    });
  return below(null).join("\n");
}

async function mistakes(reviewer: Agent): Promise<void> {
  say.title("4. Mistakes are refused, and are never shown as 'no'");
  const broken = await reviewer.call("remember_fact", { fact: "deployed(v42, web" });
  expect(broken.isError, "half a fact is refused");
  const typo = await reviewer.call("query_logic", { goal: "riskey(web, Cause)" });
  expect(typo.text.includes("risky/2"), "a misspelt name is told, with the right one");
  const harm = await reviewer.call("query_logic", { goal: "member(G, [halt, shell(reboot)]), G" });
  expect(harm.isError, "a goal that is hidden in a variable is refused");
  const endless = await reviewer.call("query_logic", { goal: "repeat, fail", timeout_ms: 300 });
  expect(endless.isError, "an endless goal is stopped");
  const after = await reviewer.call("query_logic", { goal: "owner(web, Who)" });
  expect(after.structure.answers !== undefined && !after.isError, "the server answers as before");
}

async function killed(stage: Stage, reviewer: Agent): Promise<Agent> {
  say.title("5. The server is killed the moment a write is acknowledged");
  const { isError } = await reviewer.call("remember_fact", { fact: "decided(web, freeze)" });
  expect(!isError, "the write is acknowledged");
  await reviewer.kill();
  const next = await stage.agent("successor");
  say.prose("  A new server on the same project knows it, and the rules:");
  const { structure } = await next.call("query_logic", {
    goal: "decided(Service, Decision), risky(Service, Cause)",
  });
  expect((structure.answers as unknown[]).length === 1, "nothing acknowledged is lost");
  return next;
}

async function together(stage: Stage, first: Agent): Promise<void> {
  say.title("6. Two servers and the command line write at the same time");
  const second = await stage.agent("planner");
  const each = 25;
  say.prose(`  ${first.name} and ${second.name} store ${each} facts each, all at once:`);
  const writes = [first, second].flatMap((agent) =>
    Array.from(
      { length: each },
      (_, number) =>
        agent.quietly("remember_fact", { fact: `checked(${agent.name}, item_${number})` }),
    )
  );
  const line = stage.zpm("remember-fact", "checked(shell, item_0)");
  const done = await Promise.all(writes);
  expect(done.every(({ isError }) => !isError), "every write is acknowledged");
  expect((await line).code === 0, "the command line gets its turn");
  for (const agent of [first, second]) {
    const { structure } = await agent.call("query_logic", {
      goal: "aggregate_all(count, checked(_, _), Count)",
    });
    const [{ Count }] = structure.answers as { Count: number }[];
    expect(Count === 2 * each + 1, `${agent.name} sees all ${2 * each + 1} facts`);
  }
  await Promise.all([first.leave(), second.leave()]);
}

async function journal(stage: Stage): Promise<void> {
  say.title("On disk: one line a commit, each with the checksum of the line before");
  const lines = (await stage.read(".zpm/data/journal-000001.wal")).trimEnd().split("\n");
  say.note([lines[0], `... ${lines.length - 2} more ...`, lines.at(-1)].join("\n"));
  expect(lines.length === 57, "the journal holds every write once");
  const { code } = await stage.zpm("doctor");
  expect(code === 0, "'zpm doctor' finds nothing wrong");
  say.title("All of it went as told.");
}
