/** Forks share a bounded number of engines, and a call that does not end holds only its own. */
import { deepStrictEqual, ok, rejects } from "node:assert/strict";
import type { Fork } from "../../src/forks/forks.ts";
import { ann, bob, withForks } from "../support/forks.ts";

const LOOP = "repeat, fail";

function forksNamed(count: number): Fork[] {
  return Array.from({ length: count }, (_, n) => ({ id: `fork${n}`, lifecycle: "durable" }));
}

Deno.test("more forks than engines: all are served, none has more than there are", () =>
  withForks({ engines: 2 }, async ({ forks, remember, ask }) => {
    const all = forksNamed(6);
    let most = 0;
    const work = async (fork: Fork) => {
      for (let n = 0; n < 3; n++) {
        await remember(fork, `own('${fork.id}', ${n})`);
        most = Math.max(most, forks.counts.engines.running);
      }
    };
    await Promise.all(all.map(work));
    ok(most <= 2, `${most} engines`);
    for (const fork of all) {
      deepStrictEqual(await ask(fork, `own('${fork.id}', X)`), ["0", "1", "2"]);
      deepStrictEqual(await ask(fork, "own(X, 0)"), [fork.id]);
    }
  }));

Deno.test("a goal that does not end holds up nobody on other forks", () =>
  withForks({ engines: 2 }, async ({ memory, ask, forks }) => {
    const stop = new AbortController();
    const patient = { deadline_ms: 50_000, signal: stop.signal };
    const endless = (await memory(ann, patient)).ask({
      op: "query",
      goal: LOOP,
      limit: 1,
      offset: 0,
    });
    const ended = rejects(endless, { code: "cancelled" });
    for (let n = 0; n < 20; n++) deepStrictEqual(await ask(bob, "p(X)"), ["1", "2"]);
    stop.abort();
    await ended;
    ok(forks.counts.engines.lost >= 1);
    deepStrictEqual(await ask(ann, "p(X)"), ["1", "2"]);
  }));

Deno.test("whoever shares a fork with a goal that does not end is served as well", () =>
  withForks({ engines: 3 }, async ({ memory, ask }) => {
    const stop = new AbortController();
    const patient = { deadline_ms: 50_000, signal: stop.signal, client: "other" };
    const endless = (await memory(ann, patient)).ask({
      op: "query",
      goal: LOOP,
      limit: 1,
      offset: 0,
    });
    const ended = rejects(endless, { code: "cancelled" });
    deepStrictEqual(await ask(ann, "p(X)"), ["1", "2"]);
    stop.abort();
    await ended;
  }));
