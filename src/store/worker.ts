/**
 * The one thread that touches the files of memories. Its permissions are the memories' folders and nothing else
 * (DESIGN section 5); it is started before the main thread gives its own away.
 */
import { bug, memoryNotMounted } from "../base/errors.ts";
import { Journal } from "./journal.ts";
import { type Answer, type Call, type Channel, READY, type Start, toPlain } from "./messages.ts";
import type { Commit, Opened } from "./protocol.ts";

serve(self as unknown as Channel);

function serve(channel: Channel): void {
  channel.onmessage = (first: MessageEvent<Start>) => {
    const { directories, wait_ms } = first.data;
    const journals = new Map(
      Object.entries(directories).map(([name, folder]) => [name, new Journal(folder, { wait_ms })]),
    );
    channel.onmessage = (event: MessageEvent<Call>) => void answer(channel, journals, event.data);
  };
  const loaded: Answer = { id: READY, value: undefined };
  channel.postMessage(loaded);
}

async function answer(
  channel: Channel,
  journals: Map<string, Journal>,
  call: Call,
): Promise<void> {
  try {
    const value = await run(journals, call);
    const answer: Answer = { id: call.id, value };
    channel.postMessage(answer, call.name === "open" ? fileBuffers(value as Opened) : []);
  } catch (fault) {
    const answer: Answer = { id: call.id, error: toPlain(fault) };
    channel.postMessage(answer);
  }
}

function run(journals: Map<string, Journal>, call: Call): unknown {
  if (call.name === "close") return journals.forEach((journal) => journal.close());
  const [name, ...args] = call.args as [string, ...unknown[]];
  const journal = journals.get(name);
  if (!journal) throw memoryNotMounted(name);
  switch (call.name) {
    case "open":
      return journal.open();
    case "since":
      return journal.since(args[0] as number);
    case "begin":
      return journal.begin(args[0] as number, args[1] as number);
    case "append":
      return journal.append(args[0] as Commit[]);
    case "abandon":
      return journal.abandon();
    case "health":
      return journal.health();
    case "repair":
      return journal.repair();
    default:
      throw bug(`the store has no call "${call.name}"`);
  }
}

/** The bytes of files are handed over, not copied. */
function fileBuffers(opened: Opened): Transferable[] {
  return opened.files.map((file) => file.bytes.buffer as ArrayBuffer);
}
