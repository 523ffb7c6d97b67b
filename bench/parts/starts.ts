/** How long it takes until something is there: the process, the handshake, the first answer. */
import { interleaved, LineProcess, timed, wholeProcess } from "../measure.ts";
import {
  BINARY,
  compileBare,
  installServerMemory,
  newProject,
  serveZpm,
  Session,
} from "../subjects.ts";
import { against, measured, type Row } from "../table.ts";

const ROUNDS = 15;
const FACTS = 10;

export async function starts(place: string): Promise<Row[]> {
  const bare = await compileBare(place);
  const peer = await installServerMemory(place);
  const project = await newProject(place);
  await fill(project, peer);
  const env = { MEMORY_FILE_PATH: `${project}/memory.jsonl` };
  const times = await interleaved(ROUNDS, {
    bare: () => wholeProcess([bare], place),
    version: () => wholeProcess([BINARY, "version"], project),
    initialize: () => untilInitialized([BINARY, "serve"], project),
    peerInitialize: () => untilInitialized(peer, project, env),
    answer: () => untilAnswered([BINARY, "serve"], project, ["query_logic", { goal: "fact(X)" }]),
    peerAnswer: () => untilAnswered(peer, project, ["search_nodes", { query: "fact" }], env),
    query: () => wholeProcess([BINARY, "query-logic", "fact(X)"], project),
    write: () => wholeProcess([BINARY, "remember-fact", "more(1)"], project),
  });
  return [
    measured("a compiled program of one line", times.bare),
    against("zpm version", times.version, times.bare),
    against("start to 'initialize' answered", times.initialize, times.bare, 2),
    against("the same, against server-memory", times.initialize, times.peerInitialize, 0.6),
    against(
      `start to the first answer, ${FACTS} facts, against server-memory`,
      times.answer,
      times.peerAnswer,
      1.3,
    ),
    against(`zpm query-logic, ${FACTS} facts`, times.query, times.bare, 4.5),
    against("zpm remember-fact", times.write, times.bare),
  ];
}

async function fill(project: string, peer: string[]): Promise<void> {
  const zpm = await serveZpm(project);
  const env = { MEMORY_FILE_PATH: `${project}/memory.jsonl` };
  const other = await Session.start(peer, project, env);
  for (let n = 0; n < FACTS; n++) {
    await zpm.call("remember_fact", { fact: `fact(${n})` });
    const entity = { name: `fact ${n}`, entityType: "fact", observations: [`is ${n}`] };
    await other.call("create_entities", { entities: [entity] });
  }
  await zpm.end();
  await other.end();
}

async function untilInitialized(
  words: string[],
  cwd: string,
  env?: Record<string, string>,
): Promise<number> {
  let server: LineProcess | undefined;
  const took = await timed(async () => {
    server = new LineProcess(words, cwd, env);
    const clientInfo = { name: "bench", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    await server.send({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    await server.line();
  });
  await server!.end();
  return took;
}

async function untilAnswered(
  words: string[],
  cwd: string,
  [tool, input]: [string, unknown],
  env?: Record<string, string>,
): Promise<number> {
  let session: Session | undefined;
  const took = await timed(async () => {
    session = await Session.start(words, cwd, env);
    await session.call(tool, input);
  });
  await session!.end();
  return took;
}
