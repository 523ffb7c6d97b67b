/** `zpm http` under load: interpreters that answer beside one another, and a file that is read again meanwhile. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { linesOf } from "../support/lines.ts";
import { ROOT, sourceProgram } from "../support/transcript_program.ts";

/** `slow` looks at the answer only when it has worked for a while. */
const text = (answer: number) => `
%! answer(-X:int) is det.
answer(${answer}).
%! slow(-X:int) is det.
slow(X) :- between(1, 2000000, N), N >= 2000000, !, answer(X).
%! endless is semidet.
endless :- repeat, fail.
`;

interface Served {
  /** The status and the text of an answer. */
  ask(path: string, signal?: AbortSignal): Promise<[number, string]>;
  /** Writes another version and waits until it was read, or was not. */
  reload(text: string): Promise<string>;
}

async function serving(
  interpreters: number,
  work: (served: Served) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "zpm-http-" });
  const file = join(folder, "kb.pl");
  await Deno.writeTextFile(file, text(1));
  const [command, ...args] = sourceProgram(join(ROOT, "main.ts"));
  const words = ["http", "kb.pl", "--port", "0", "--interpreters", String(interpreters)];
  const child = new Deno.Command(command, {
    args: [...args, ...words, "--log", "info", "--deadline-ms", "50000"],
    cwd: folder,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const err = linesOf(child.stderr);
  try {
    const [, address] = /^zpm: kb\.pl is served at (http:\S+)$/.exec(await err()) ?? [];
    await work({
      async ask(path, signal) {
        const response = await fetch(`${address}${path}`, { signal });
        return [response.status, await response.text()];
      },
      async reload(text) {
        await Deno.writeTextFile(file, text);
        child.kill("SIGHUP");
        return await err();
      },
    });
  } finally {
    child.kill("SIGTERM");
    await child.status;
    await Deno.remove(folder, { recursive: true });
    await err.end();
  }
}

Deno.test("interpreters answer beside goals that never end", () =>
  serving(3, async ({ ask }) => {
    const stop = new AbortController();
    let ended = 0;
    const endless = [1, 2].map(() =>
      ask("endless", stop.signal).finally(() => ended++).catch(({ name }) => name)
    );
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask("answer")));
      assert.deepEqual(new Set(answers.map(String)), new Set(["200,1"]));
    }
    assert.equal(ended, 0);
    stop.abort();
    assert.deepEqual(await Promise.all(endless), ["AbortError", "AbortError"]);
    assert.deepEqual(await ask("answer"), [200, "1"]);
  }));

Deno.test("a file that is read again under load costs no request", () =>
  serving(2, async ({ ask, reload }) => {
    let latest = 1;
    let over = false;
    /** Asks until it is over, and has to see the last version; no version is seen after a later one. */
    const client = async () => {
      let seen = 0;
      while (!over || seen < latest) {
        const [status, answer] = await ask("answer");
        assert.equal(status, 200, answer);
        assert.ok(Number(answer) >= seen && Number(answer) <= latest, `${answer} after ${seen}`);
        seen = Number(answer);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    for (const version of [2, 3, 4]) {
      const slow = ask("slow");
      latest = version;
      assert.equal(await reload(text(version)), "zpm: info: kb.pl was read again");
      // It ends with the version that it began with, or was asked of the next one.
      const [status, answer] = await slow;
      assert.equal(status, 200, answer);
      assert.ok([version - 1, version].includes(Number(answer)));
    }
    const broken = await reload("answer(5.\n");
    assert.match(broken, /^zpm: warn: kb\.pl was not read again, the version before is served/);
    over = true;
    await Promise.all(clients);
    assert.deepEqual(await ask("answer"), [200, "4"]);
  }));
