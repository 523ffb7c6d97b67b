/** What a soak left behind, held against what was acknowledged: nothing is lost, and nothing is anybody else's. */
import { join } from "node:path";
import type { Soaked } from "./soak.ts";

export interface Checked {
  /** Records of the audit that were looked at, and commits in journals. */
  records: number;
  commits: number;
  /** A sentence for each thing that is not as it should be. */
  problems: string[];
}

interface Attempted {
  principal: string;
  fork: string;
  outcome?: string;
  commit?: number;
}

export async function checked(place: string, soaked: Soaked): Promise<Checked> {
  const problems: string[] = [];
  const calls = await readAudit(place, problems);
  let commits = 0;
  for (const fork of soaked.owns.keys()) {
    const lines = await readJournal(place, fork);
    commits += lines.size;
    for (const [operation, { who, seq }] of lines) {
      const call = calls.get(operation);
      if (call?.principal !== who || call?.fork !== fork || call?.commit !== seq) {
        problems.push(`commit ${seq} of ${fork} by ${who} is not in the audit as that`);
      }
    }
    for (const { operation, commit } of soaked.writes.filter(({ who }) => who === fork)) {
      if (lines.get(operation)?.seq !== commit) problems.push(`${operation} of ${fork} is lost`);
    }
    compare(fork, soaked, problems);
  }
  for (const failure of soaked.failures) problems.push(failure);
  return { records: calls.size * 2, commits, problems };
}

function compare(name: string, { owns }: Soaked, problems: string[]): void {
  const { stored, found, unclear } = owns.get(name)!;
  const missing = stored.difference(found).difference(unclear);
  const extra = found.difference(stored).difference(unclear);
  for (const sentence of missing) problems.push(`${name} lost ${sentence}`);
  for (const sentence of extra) problems.push(`${name} has ${sentence}, which it has not asserted`);
}

/** Each call by its operation; every attempt must have come to its end, once, in a completion or a resolution. */
async function readAudit(place: string, problems: string[]): Promise<Map<string, Attempted>> {
  const calls = new Map<string, Attempted>();
  for (const record of await jsonLines(join(place, "audit", "audit.jsonl"))) {
    const { kind, operation } = record;
    if (kind === "attempt") calls.set(operation, record as unknown as Attempted);
    if (kind !== "completion" && kind !== "resolution") continue;
    const call = calls.get(operation);
    if (!call || call.outcome) problems.push(`the ${kind} of ${operation} has no attempt`);
    else Object.assign(call, { outcome: record.outcome, commit: record.commit });
  }
  for (const [operation, { outcome }] of calls) {
    if (!outcome) problems.push(`the attempt ${operation} came to no end`);
  }
  return calls;
}

async function readJournal(
  place: string,
  fork: string,
): Promise<Map<string, { who: string; seq: number }>> {
  const data = join(place, "forks", fork, "data");
  const commits = new Map<string, { who: string; seq: number }>();
  for await (const { name } of Deno.readDir(data)) {
    if (!name.endsWith(".wal")) continue;
    for (const { call, who, seq } of await jsonLines(join(data, name))) {
      if (call !== undefined) commits.set(call, { who, seq: Number(seq) });
    }
  }
  return commits;
}

async function jsonLines(path: string): Promise<Record<string, string>[]> {
  const text = await Deno.readTextFile(path);
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}
