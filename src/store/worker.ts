/**
 * The one thread that touches the files of memories. Its permissions are the memories' folders and nothing else
 * (DESIGN section 5); it is started before the main thread gives its own away.
 */
import { bug, memoryNotMounted, notSaved, ZpmError } from "../base/errors.ts";
import { type Answer, type Call as AnyCall, type Channel, READY, toPlain } from "../base/link.ts";
import { reason } from "./file_system.ts";
import { Journal } from "./journal.ts";
import type { CallName, Start } from "./messages.ts";
import {
  createMemory,
  deleteMemory,
  findMemories,
  makeProject,
  memoryFolder,
  removeFolder,
  type Roots,
} from "./places.ts";
import type { Commit, KbFile, Mark, Opened, Place } from "./protocol.ts";

type Call = AnyCall<CallName>;

serve(self as unknown as Channel);

/** The memories of one project that the calls know, and where further ones are. */
interface State {
  journals: Map<string, Journal>;
  roots?: Roots;
  wait_ms?: number;
}

type Projects = Map<number, State>;

function serve(channel: Channel): void {
  const projects: Projects = new Map();
  channel.onmessage = (event: MessageEvent<Call>) => void answer(channel, projects, event.data);
  const loaded: Answer = { id: READY, value: undefined };
  channel.postMessage(loaded);
}

async function answer(channel: Channel, projects: Projects, call: Call): Promise<void> {
  try {
    const own = runOnFolders(projects, call) ?? run(projects, call);
    const value = own ? own.done : await runOn(stateOf(projects, call), call);
    const answer: Answer = { id: call.id, value };
    channel.postMessage(answer, buffersOf(call, value));
  } catch (fault) {
    const answer: Answer = { id: call.id, error: toPlain(fault) };
    channel.postMessage(answer);
  }
}

function closeAll({ journals }: State): void {
  journals.forEach((journal) => journal.close());
}

function stateOf(projects: Projects, { about }: Call): State {
  const state = projects.get(about);
  if (!state) throw bug("the store was asked about a project that is closed");
  return state;
}

/** The calls that are about no project's memories, but about projects; undefined for the others. */
function runOnFolders(projects: Projects, call: Call): { done: unknown } | undefined {
  switch (call.name) {
    case "start": {
      const { directories, roots, wait_ms } = call.args[0] as Start;
      const open = ([name, folder]: [string, string]) =>
        [name, new Journal(folder, { wait_ms })] as const;
      const journals = new Map(Object.entries(directories).map(open));
      projects.set(call.about, { journals, roots, wait_ms });
      return { done: undefined };
    }
    case "makeFolder":
      return { done: changing(() => makeProject(call.args[0] as string)) };
    case "removeFolder":
      return { done: changing(() => removeFolder(call.args[0] as string)) };
    case "stop":
      closeAll(stateOf(projects, call));
      return { done: projects.delete(call.about) };
    case "close":
      return { done: projects.forEach(closeAll) };
  }
}

/** The calls that concern no journal that is open; undefined for the others. */
function run(projects: Projects, call: Call): { done: unknown } | undefined {
  const { journals, roots, wait_ms } = stateOf(projects, call);
  const [name, scope] = call.args as [string, Place["scope"]];
  switch (call.name) {
    case "places":
      return { done: roots ? findMemories(roots) : [] };
    case "create":
      return { done: changing(() => roots && createMemory(roots, name, scope)) };
    case "delete":
      return { done: changing(() => roots && deleteMemory(roots, name, scope)) };
    case "attach":
      if (!roots || journals.has(name)) return { done: undefined };
      journals.set(name, new Journal(memoryFolder(roots, name, scope), { wait_ms }));
      return { done: undefined };
    case "detach":
      journals.get(name)?.close();
      return { done: journals.delete(name) };
  }
}

function runOn({ journals }: State, call: Call): unknown {
  const [name, ...args] = call.args as [string, ...unknown[]];
  const journal = journals.get(name);
  if (!journal) throw memoryNotMounted(name);
  switch (call.name) {
    case "open":
      return journal.open();
    case "since":
      return journal.since(args[0] as number);
    case "past":
      return journal.past(args[0] as number);
    case "begin":
      return journal.begin(args[0] as number, args[1] as number);
    case "append":
      return journal.append(args[0] as Commit[]);
    case "rotate":
      return journal.rotate(args[0] as Commit[]);
    case "abandon":
      return journal.abandon();
    case "mark":
      return journal.mark();
    case "holds":
      return journal.holds(args[0] as Mark);
    case "readImage":
      return journal.images.read(args[0] as string);
    case "writeImage":
      return journal.images.write(args[0] as string, args[1] as Uint8Array);
    case "clearImages":
      return journal.images.clear();
    case "health":
      return journal.health();
    case "files":
      return journal.kb.read();
    case "writeFile": {
      const { name: file, bytes } = args[0] as KbFile;
      return changing(() => journal.kb.write(file, bytes));
    }
    case "removeFile":
      return changing(() => journal.kb.remove(args[0] as string));
    case "repairs":
      return journal.repairs(args[0] as number | undefined);
    case "repair":
      return journal.repair(args[0] as number | undefined);
    default:
      throw bug(`the store has no call "${call.name}"`);
  }
}

/** A disk that refuses is no fault of ours. */
function changing<Done>(work: () => Done): Done {
  try {
    return work();
  } catch (fault) {
    throw fault instanceof ZpmError ? fault : notSaved(reason(fault));
  }
}

/** The bytes of files are handed over, not copied. */
function buffersOf({ name }: Call, value: unknown): Transferable[] {
  if (name !== "open") return [];
  return (value as Opened).files.map((file) => file.bytes.buffer as ArrayBuffer);
}
