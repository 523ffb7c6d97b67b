/**
 * One engine: a worker with SWI-Prolog inside and no permissions. It answers one request after the other and may
 * be killed at any moment; whoever holds it decides what is asked again (DESIGN section 3).
 *
 * Requests may be sent while it is busy. It says in shared memory which one it has begun with; the others can be taken
 * back, also when it never comes to an end with that one.
 */
import { limits } from "../base/limits.ts";
import type { Assets, Image } from "./assets.ts";

/**
 * The worker's text is posted to it. A `data:` address is the only one from which a worker starts both from
 * source and in a compiled program after the main thread gave its permissions away.
 */
const BOOTSTRAP = "data:text/javascript," +
  encodeURIComponent("onmessage = (event) => (0, eval)(event.data);");

/** Places in the memory that engine and supervisor share, `Start.progress` of the worker. */
const [ANSWERS, LAST_MS, ENDED, BEGUN] = [0, 1, 2, 3];

/** Why an engine did not answer; the caller words it. */
export class EngineLost extends Error {
  override readonly name = "EngineLost";
  /** `unasked`: the request was taken back, or its engine ended, before the engine had begun with it. */
  readonly why: "died" | "stopped" | "boot" | "unasked";
  /** What the loader announced last: the clause that killed the engine. */
  readonly announced: string;

  constructor(why: EngineLost["why"], message: string, announced = "") {
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
  readonly #progress = new Int32Array(new SharedArrayBuffer(16));
  readonly #greeted = Promise.withResolvers<void>();
  /** What was sent and is not answered, oldest first. */
  readonly #pending: Pending[] = [];
  #ready = false;
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
    this.#booted = this.#greeted.promise.then(() => {
      this.#booted_bytes = this.#bytes;
      this.#ready = true;
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
    const [answers, last_ms] = [ANSWERS, LAST_MS].map((at) => Atomics.load(this.#progress, at));
    return { answers, last_ms };
  }

  /**
   * Whether it has grown so much over its image that it should be replaced (ENGINE-NOTES 5.7). A large memory may
   * grow by as much again: its indexes are not in the image, and each replacement would make them anew. The numbers of
   * its requests end, too.
   */
  get grown(): boolean {
    const most = Math.max(limits.engine_growth_bytes, this.#booted_bytes);
    return this.#bytes > this.#booted_bytes + most || this.#n >= limits.engine_requests;
  }

  /** Asks one request; rejects with `EngineLost` when the engine dies or is stopped meanwhile. */
  async ask(request: Record<string, unknown>, files?: RequestFile[]): Promise<EngineReply> {
    if (!this.#ready) await this.#booted;
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

  /** Takes back what it has not begun with, which rejects; says how many requests it keeps. */
  takeBack(): number {
    const begun = Atomics.exchange(this.#progress, BEGUN, this.#n);
    const place = this.#pending.findIndex(({ n }) => n > begun);
    if (place >= 0) this.#unask(this.#pending.splice(place));
    return this.#pending.length;
  }

  /** The latest first: whoever puts them back in front of others has them in their order. */
  #unask(pending: Pending[]): void {
    for (const { reject } of pending.toReversed()) {
      reject(new EngineLost("unasked", "the engine had not begun with it"));
    }
  }

  #send(message: Record<string, unknown>): Promise<Message> {
    if (!this.#alive) return Promise.reject(new EngineLost("died", "the engine is gone"));
    const n = ++this.#n;
    if (this.#pending.length === 0) this.#progress.fill(0, 0, BEGUN);
    this.#port.postMessage({ ...message, n });
    return new Promise((resolve, reject) => {
      this.#pending.push({ n, resolve, reject });
    });
  }

  #receive(message: Message): void {
    if (message.dead !== undefined) {
      const why = message.dead.startsWith("boot:") ? "boot" : "died";
      this.#lose(new EngineLost(why, message.dead, message.announced));
      return;
    }
    this.#bytes = message.bytes ?? this.#bytes;
    if (message.ready) return this.#greeted.resolve();
    const pending = this.#pending.shift();
    if (!pending || message.n !== pending.n) {
      if (pending) this.#pending.unshift(pending);
      return this.#lose(new EngineLost("died", "an unexpected message"));
    }
    pending.resolve(message);
  }

  #lose(error: EngineLost): void {
    if (!this.#alive) return;
    this.#alive = false;
    Atomics.store(this.#progress, ENDED, 1);
    this.#worker.terminate();
    this.#port.close();
    this.#greeted.reject(error);
    const begun = Atomics.load(this.#progress, BEGUN);
    const place = this.#pending.findLastIndex(({ n }) => n <= begun);
    // The one that it was at; of others that it may have answered nobody has heard.
    const [current] = this.#pending.splice(Math.max(0, place), 1);
    this.#unask(this.#pending.splice(0));
    current?.reject(error);
    this.#ended.resolve(error);
  }
}
