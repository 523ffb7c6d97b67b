/**
 * Everything that goes to the client: one queue, written in order, in the background.
 *
 * A client that does not read blocks nothing but its own input: whoever reads its lines waits for `room`
 * first, so that the queue is bounded without dropping an answer.
 */
import { limits } from "../base/limits.ts";
import { within } from "../base/waiting.ts";

/** Where bytes go: standard output, or a pipe of a test. */
export interface Sink {
  write(bytes: Uint8Array): Promise<number>;
}

export class Output {
  readonly #sink: Sink;
  #lines: string[] = [];
  #queued = 0;
  #writing: Promise<void> | undefined;
  #drained = Promise.withResolvers<void>();
  #lastProgress = performance.now();
  #broken = Promise.withResolvers<void>();
  #isBroken = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Settles when the other side is gone. */
  get broken(): Promise<void> {
    return this.#broken.promise;
  }

  /** Queues one line; the text holds no line break. */
  push(line: string): void {
    if (this.#isBroken) return;
    this.#lines.push(line);
    this.#queued += line.length;
    this.#writing ??= this.#writeAll();
  }

  /** Settles when another answer may be made. */
  async room(): Promise<void> {
    while (this.#queued > limits.output_queue_bytes && !this.#isBroken) await this.#drained.promise;
  }

  /** Settles when all is written, or when the reader has taken nothing for `limits.flush_ms`. */
  async flush(): Promise<void> {
    this.#lastProgress = performance.now();
    while (this.#writing) {
      const rest = this.#lastProgress + limits.flush_ms - performance.now();
      if (rest <= 0) return;
      await within(Math.min(rest, 1_000), this.#writing);
    }
  }

  async #writeAll(): Promise<void> {
    const encoder = new TextEncoder();
    try {
      while (this.#lines.length > 0) {
        const batch = this.#lines.join("\n") + "\n";
        this.#lines = [];
        const queued = this.#queued;
        await this.#write(encoder.encode(batch));
        this.#queued -= queued;
        this.#drained.resolve();
        this.#drained = Promise.withResolvers<void>();
      }
    } catch {
      this.#isBroken = true;
      this.#lines = [];
      this.#drained.resolve();
      this.#broken.resolve();
    }
    this.#writing = undefined;
  }

  /** In pieces, so that a slow reader's progress shows. */
  async #write(bytes: Uint8Array): Promise<void> {
    let offset = 0;
    while (offset < bytes.length) {
      offset += await this.#sink.write(bytes.subarray(offset, offset + limits.output_piece_bytes));
      this.#lastProgress = performance.now();
    }
  }
}
