/**
 * The one thread that touches the state and the audit of a server with principals. Its permissions are these two
 * folders and reading the config file (DESIGN section 5); it is started before the main thread gives its own away.
 */
import { type Answer, type Call, type Channel, READY, toPlain } from "../base/link.ts";
import { denoFileSystem } from "../store/file_system.ts";
import { makeCustodian } from "./custodian.ts";
import type { AuthorityCalls, Start } from "./protocol.ts";

serve(self as unknown as Channel);

function serve(channel: Channel): void {
  channel.onmessage = (first: MessageEvent<Start>) => {
    const custodian = makeCustodian(denoFileSystem, first.data, Deno.readTextFile);
    channel.onmessage = (event: MessageEvent<Call<keyof AuthorityCalls>>) =>
      void answer(channel, custodian, event.data);
  };
  const loaded: Answer = { id: READY, value: undefined };
  channel.postMessage(loaded);
}

async function answer(
  channel: Channel,
  custodian: AuthorityCalls,
  { id, name, args }: Call<keyof AuthorityCalls>,
): Promise<void> {
  let answer: Answer;
  try {
    const call = custodian[name] as (...args: unknown[]) => Promise<unknown>;
    answer = { id, value: await call(...args) };
  } catch (error) {
    answer = { id, error: toPlain(error) };
  }
  channel.postMessage(answer);
}
