/**
 * One engine that has the base and belongs to no fork yet, so that whoever calls first on a cold fork does not wait for
 * a worker and its memory. It counts when a fork has it.
 */
import { limits } from "../base/limits.ts";
import type { Assets, Image } from "../engine/assets.ts";
import { boot } from "../engine/boot.ts";
import type { Engine } from "../engine/engine.ts";

export class SpareEngine {
  readonly #assets: Assets;
  readonly #base: Image;
  #next: Promise<Engine> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(assets: Assets, base: Image) {
    this.#assets = assets;
    this.#base = base;
    this.#prepare();
  }

  /** An engine with nothing but the base. The next one is made when this one has had time for its first call. */
  async take(): Promise<Engine> {
    const next = this.#next;
    this.#next = undefined;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#prepare(), limits.settle_ms);
    Deno.unrefTimer(this.#timer);
    const engine = await next?.catch(() => undefined);
    return engine?.alive ? engine : await boot(this.#assets, this.#base);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const engine = await this.#next?.catch(() => undefined);
    engine?.stop();
  }

  #prepare(): void {
    if (this.#closed) return;
    this.#next ??= boot(this.#assets, this.#base);
    // Whoever takes it starts another one and learns why.
    this.#next.catch(() => {});
  }
}
