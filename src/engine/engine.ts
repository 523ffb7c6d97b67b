/**
 * One engine: a worker with SWI-Prolog inside and no permissions. It answers one request at a time and may
 * be killed at any moment; whoever holds it decides what is asked again (DESIGN section 3).
 */
import { limits } from "../base/limits.ts";
import type { Assets, Image } from "./assets.ts";

/**
 * The worker's text is posted to it. A `data:` address is the only one from which a worker starts both from
 * source and in a compiled program after the main thread gave its permissions away.
 */
const BOOTSTRAP = "data:text/javascript," +
  encodeURIComponent("onmessage = (event) => (0, eval)(event.data);");

/** Why an engine did not answer; the caller words it. */
export class EngineLost extends Error {
  override readonly name = "EngineLost";
  readonly why: "died" | "stopped" | "boot";
  /** What the loader announced last: the clause that killed the engine. */
  readonly announced: string;

  constructor(why: "died" | "stopped" | "boot", message: string, announced = "") {
    super(message);
    this.why = why;
    this.announced = announced;
  }
}

/** A file that Prolog reads during one request, in the engine's own file system. */
export interface RequestFile {
  path: string;
  bytes: Uint8Array;
}

/** What an engine says: the reply's JSON text, and what goals printed meanwhile. */
export interface EngineReply {
  text: string;
  output: { text: string; cut: boolean };
}

interface Pending {
  n: number;
  resolve(message: Message): void;
  reject(error: EngineLost): void;
}

interface Message {
  n?: number;
  ready?: boolean;
  dead?: string;
  announced?: string;
  text?: string;
  output?: { text: string; cut: boolean };
  image?: Image;
  bytes?: number;
}

export class Engine {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #booted: Promise<void>;
  readonly #ended = Promise.withResolvers<EngineLost>();
  readonly #progress = new Int32Array(new SharedArrayBuffer(12));
  #pending: Pending | undefined;
  #n = 0;
  #bytes = 0;
  #booted_bytes = 0;
  #alive = true;

  constructor(assets: Assets, image: Image | undefined) {
    const channel = new MessageChannel();
    this.#port = channel.port1;
    this.#worker = new Worker(BOOTSTRAP, {
      type: "module",
      deno: { permissions: "none" },
    });
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#lose(new EngineLost("died", event.message));
    };
    const ready = this.#expect();
    this.#port.onmessage = (event) => this.#receive(event.data);
    this.#worker.postMessage(assets.worker);
    this.#worker.postMessage({
      port: channel.port2,
      image,
      data: image ? undefined : assets.data,
      files: image ? undefined : assets.files,
      progress: this.#progress,
      memory_bytes: limits.memory_bytes,
      output_bytes: limits.output_bytes,
    }, [channel.port2]);
    // Compiled only now, when it is the first: the worker has begun meanwhile.
    assets.module().then(
      (module) => this.#port.postMessage(module),
      (error) => this.#lose(new EngineLost("boot", String(error))),
    );
    this.#booted = ready.then(() => {
      this.#booted_bytes = this.#bytes;
    });
    this.#booted.catch(() => {});
  }

  /** Resolves when the engine has booted and greeted. */
  async ready(): Promise<void> {
    await this.#booted;
  }

  /** Settles when it has ended, with the reason. */
  get ended(): Promise<EngineLost> {
    return this.#ended.promise;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Answers that the last request had found, and when the last of them came; also after the engine's end. */
  get progress(): { answers: number; last_ms: number } {
    return { answers: Atomics.load(this.#progress, 0), last_ms: Atomics.load(this.#progress, 1) };
  }

  /**
   * Whether it has grown so much over its image that it should be replaced (ENGINE-NOTES 5.7). A large memory may
   * grow by as much again: its indexes are not in the image, and each replacement would make them anew.
   */
  get grown(): boolean {
    const most = Math.max(limits.engine_growth_bytes, this.#booted_bytes);
    return this.#bytes > this.#booted_bytes + most;
  }

  /** Asks one request; rejects with `EngineLost` when the engine dies or is stopped meanwhile. */
  async ask(request: Record<string, unknown>, files?: RequestFile[]): Promise<EngineReply> {
    await this.#booted;
    const message = await this.#send({ request, files });
    return {
      text: message.text ?? "",
      output: message.output ?? { text: "", cut: false },
    };
  }

  /** A copy of its memory, from which further engines boot. */
  async image(): Promise<Image> {
    await this.#booted;
    const message = await this.#send({ image: true });
    if (!message.image) throw new EngineLost("died", "no image came");
    return message.image;
  }

  /**
   * Ends the worker; what is under way rejects at once. Some versions of Deno do not end a worker that is busy
   * (denoland/deno 35657), so Prolog is asked as well to give way at its next heartbeat.
   */
  stop(why = "stopped"): void {
    this.#lose(new EngineLost("stopped", why));
  }

  #send(message: Record<string, unknown>): Promise<Message> {
    if (!this.#alive) return Promise.reject(new EngineLost("died", "the engine is gone"));
    const answer = this.#expect();
    this.#progress.fill(0);
    this.#port.postMessage({ ...message, n: this.#n });
    return answer;
  }

  #expect(): Promise<Message> {
    const n = ++this.#n;
    return new Promise((resolve, reject) => {
      this.#pending = { n, resolve, reject };
    });
  }

  #receive(message: Message): void {
    if (message.dead !== undefined) {
      const why = message.dead.startsWith("boot:") ? "boot" : "died";
      this.#lose(new EngineLost(why, message.dead, message.announced));
      return;
    }
    const pending = this.#pending;
    if (!pending || (message.n !== undefined && message.n !== pending.n)) {
      this.#lose(new EngineLost("died", "an unexpected message"));
      return;
    }
    this.#bytes = message.bytes ?? this.#bytes;
    this.#pending = undefined;
    pending.resolve(message);
  }

  #lose(error: EngineLost): void {
    if (!this.#alive) return;
    this.#alive = false;
    Atomics.store(this.#progress, 2, 1);
    this.#worker.terminate();
    this.#port.close();
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.reject(error);
    this.#ended.resolve(error);
  }
}
