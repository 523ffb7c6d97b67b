/**
 * Opens a project as every command does, and then tries from the main thread what must not be possible any more
 * (DESIGN section 5). PROJECT OUTSIDE names a project and a folder beside it. Prints one JSON object.
 *
 * It lives among the tests, so that nothing that ships can be asked to do this. For the compiled half the tests
 * compile this file just as the program is compiled.
 */
import { join } from "node:path";
import { makeSession } from "../../src/cli/session.ts";

const [directory, outside] = Deno.args;
const folder = join(directory, ".zpm");

const attempts: Record<string, () => unknown> = {
  "read a host file": () => Deno.readTextFileSync("/etc/hostname"),
  "read the project": () => Deno.readDirSync(folder).next(),
  "read the journal": () => Deno.readFileSync(join(folder, "data/journal-000001.wal")),
  "write outside": () => Deno.writeTextFileSync(join(outside, "main"), "x"),
  "write the journal": () => Deno.writeTextFileSync(join(folder, "data/journal-000001.wal"), "x"),
  "remove the journal": () => Deno.removeSync(join(folder, "data/journal-000001.wal")),
  "follow a link": () => Deno.readLinkSync("/proc/self/exe"),
  "see the environment": () => Deno.env.toObject(),
  "see one variable": () => Deno.env.get("HOME"),
  "name the machine": () => Deno.hostname(),
  "run a program": () => new Deno.Command("/bin/true").outputSync(),
  "load a library": () => Deno.dlopen("/lib/x86_64-linux-gnu/libc.so.6", {}),
  "connect": () => Deno.connect({ hostname: "127.0.0.1", port: 8899 }),
  "listen": () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
  "fetch": () => fetch("http://127.0.0.1:8899/"),
  "ask for more": () => granted(Deno.permissions.requestSync({ name: "write" })),
};

function granted({ state }: Deno.PermissionStatus): void {
  if (state !== "granted") throw new Deno.errors.NotCapable(state);
}

async function outcome(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
    return "done";
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

/** What each attempt comes to, before and after the memories are open. */
async function tryAll(names: string[]): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (const name of names) outcomes[name] = await outcome(attempts[name]);
  return outcomes;
}

const before = await tryAll(["read a host file", "see one variable", "name the machine"]);
const session = makeSession({
  project: { root: directory, folder },
  engines: 1,
  longLived: false,
  log: () => {},
});
const context = { by: "remember_fact", client: "probe", deadline_ms: 10_000 };
const memory = await session.memories.memory("default", context);
const first = await memory.commit({ op: "remember", fact: "inside(1)" });
const after = await tryAll(Object.keys(attempts));
const second = await memory.commit({ op: "remember", fact: "inside(2)" });
await session.close();
console.log(JSON.stringify({ before, after, commits: [first.commit, second.commit] }));
Deno.exit(0);
