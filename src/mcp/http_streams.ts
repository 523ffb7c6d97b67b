/**
 * Answers that take long become streams, so that a client which waits sees life, and one which goes away is
 * noticed: the runtime tells of a closed connection only to a stream. Quick answers keep their HTTP status.
 */
import { limits } from "../base/limits.ts";
import { within } from "../base/waiting.ts";

export interface LateAnswer {
  answer: Promise<Response>;
  /** Called when the client has gone away before the answer came. */
  gone(): void;
  keepAlive_ms: number;
}

const headers = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

/** The answer itself when it comes soon, else a stream that ends with it. */
export async function soonOrStreamed(late: LateAnswer): Promise<Response> {
  const soon = await within(limits.stream_after_ms, late.answer);
  return soon ?? new Response(stream(late), { headers });
}

function stream({ answer, gone, keepAlive_ms }: LateAnswer): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setInterval>;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let open = true;
  return new ReadableStream({
    start(controller) {
      const write = (text: string) => controller.enqueue(new TextEncoder().encode(text));
      timer = setInterval(() => write(": keepalive\n\n"), keepAlive_ms);
      answer.then(async (response) => {
        clearInterval(timer);
        if (!open) return await response.body?.cancel();
        if (isStream(response)) {
          reader = response.body!.getReader();
          for (let part = await reader.read(); !part.done; part = await reader.read()) {
            controller.enqueue(part.value);
          }
        } else write(`event: message\ndata: ${await response.text()}\n\n`);
        if (open) controller.close();
      }).catch((error) => open && controller.error(error));
    },
    async cancel(reason) {
      open = false;
      clearInterval(timer);
      gone();
      await reader?.cancel(reason);
    },
  });
}

/** The same response; the callback is called once, when its stream has ended or its client is gone. */
export function whenClosed(response: Response, closed: () => void): Response {
  const reader = response.body!.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      closed();
      controller.close();
    },
    async cancel(reason) {
      closed();
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}

export function isStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}
