/**
 * Fifty principals on fifty forks of one server: what was acknowledged is held against the audit, how long small
 * questions and the first call of a fork take, and how much memory it needs. And what custody costs a single write.
 */
import { join } from "node:path";
import { median, quantile, repeated, type Times } from "../measure.ts";
import { soak } from "../soak.ts";
import { checked } from "../soak_checks.ts";
import { elsewhere, tokenOf, writeConfig } from "../soak_server.ts";
import { BINARY, newProject, serveZpm, Session } from "../subjects.ts";
import { against, measured, type Row } from "../table.ts";

const PRINCIPALS = 50;
const MINUTES = 2;
/** So that two cores are busy and not overrun. */
const THINK_MS = 2_000;
const WRITES = 300;
const BLOCK = 30;

export async function soaking(place: string): Promise<Row[]> {
  return [...await manyPrincipals(join(place, "soak")), ...await costOfCustody(place)];
}

export async function manyPrincipals(place: string): Promise<Row[]> {
  const soaked = await soak({
    words: [BINARY],
    place,
    principals: PRINCIPALS,
    engines: PRINCIPALS,
    duration_ms: MINUTES * 60_000,
    think_ms: THINK_MS,
    kills: 0,
    seed: 1,
  });
  const { problems, commits, records } = await checked(place, soaked);
  for (const problem of problems.slice(0, 10)) console.error(problem);
  const calls = soaked.calls.values().reduce((sum, count) => sum + count, 0);
  const lost = problems.length;
  const megabytes = Math.round(soaked.rss_bytes / 1e6);
  return [
    {
      what: `${PRINCIPALS} principals for ${MINUTES} minutes, ${calls} calls, ${commits} commits`,
      took: `${records} records of the audit looked at`,
      result: `${lost} lost or misattributed`,
      target: "0",
      met: lost === 0,
      values: [calls, commits, lost],
    },
    tail("a small question on a warm fork, p50 and p99", soaked.queries, 5),
    measured("assert beside the others", soaked.asserts),
    slowest("the first call on a cold fork", soaked.cold, 300),
    {
      what: "memory of the server's process",
      took: `${megabytes} MB with ${soaked.engines_most} engines`,
      values: [megabytes, soaked.engines_most],
    },
  ];
}

/** In turns, so that noise of the machine meets both alike. */
export async function costOfCustody(place: string): Promise<Row[]> {
  const project = await newProject(place);
  const plain = await serveZpm(project);
  const home = join(place, "custody");
  const config = await writeConfig({ place: home, engines: 2 }, ["ann"]);
  const audited = await Session.start([BINARY, "serve", "--config", config, "--stdio"], home, {
    ...elsewhere(home),
    ZPM_TOKEN: tokenOf("ann"),
  });
  const [bare, custody]: Times[] = [[], []];
  for (let done = -BLOCK; done < WRITES; done += BLOCK) {
    const facts = await repeated(
      BLOCK,
      (n) => plain.call("remember_fact", { fact: `note(ann, ${done + n})` }),
    );
    const sentences = await repeated(BLOCK, (n) =>
      audited.call("assert", {
        sentence: `(note ann ${done + n})`,
        context: "CxUniverse",
      }));
    if (done < 0) continue; // engines and runtimes compile what is called often
    bare.push(...facts);
    custody.push(...sentences);
  }
  await plain.end();
  await audited.end();
  return [
    measured("remember_fact of one user", bare),
    against("assert of a principal, audited", custody, bare, 3),
  ];
}

function tail(what: string, times: Times, most: number): Row {
  const [middle, late] = [median(times), quantile(times, 0.99)];
  const ratio = late / middle;
  return {
    what,
    took: `${middle.toFixed(1)} ms, ${late.toFixed(1)} ms`,
    result: `${ratio.toFixed(1)} x`,
    target: `at most ${most} x`,
    met: ratio <= most,
    values: [middle, late],
  };
}

function slowest(what: string, times: Times, most_ms: number): Row {
  const worst = Math.max(...times);
  return {
    ...measured(what, times),
    result: `the slowest ${worst.toFixed(0)} ms`,
    target: `at most ${most_ms} ms`,
    met: worst <= most_ms,
  };
}
