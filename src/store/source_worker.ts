/**
 * The one thread that touches a documented file which is changed, and the folder that it is in; it is started before
 * the main thread gives its permissions away.
 */
import { bug } from "../base/errors.ts";
import { type Answer, type Call, type Channel, READY, toPlain } from "../base/link.ts";
import { denoFileSystem } from "./file_system.ts";
import type { SourceCalls } from "./source_client.ts";
import { SourceFile } from "./source_file.ts";

const channel = self as unknown as Channel;
let open: SourceFile | undefined;

channel.onmessage = async ({ data: call }: MessageEvent<Call<keyof SourceCalls>>) => {
  try {
    const answer: Answer = { id: call.id, value: await run(call) };
    channel.postMessage(answer);
  } catch (fault) {
    const answer: Answer = { id: call.id, error: toPlain(fault) };
    channel.postMessage(answer);
  }
};
const loaded: Answer = { id: READY, value: undefined };
channel.postMessage(loaded);

async function run({ name, args }: Call<keyof SourceCalls>): Promise<unknown> {
  if (name === "close") return open?.close();
  if (name === "open") {
    const file = new SourceFile(denoFileSystem, args[0] as string);
    await file.open();
    open = file;
    return;
  }
  if (!open) throw bug(`the file's keeper was asked to ${name} before it had a file`);
  return name === "read" ? open.read() : open.replace(args[0] as Uint8Array, args[1] as string);
}
