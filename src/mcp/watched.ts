/**
 * The resources that somebody wants to hear about, and the news of them. What is told is that a memory has changed:
 * what in it has changed is found by reading it again.
 */
import { limits } from "../base/limits.ts";
import type { Change, Memories } from "../memory/memory.ts";
import { memoryOf } from "./resource_names.ts";

export interface News {
  /** A resource has changed. */
  updated(uri: string): unknown;
  /** There are other resources than before. */
  listed(): unknown;
}

export class Watched {
  readonly #news: News;
  /** How many subscriptions there are to each. */
  readonly #uris = new Map<string, number>();
  readonly #changed = new Set<string>();
  #mounts = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #unwatch: (() => void) | undefined;

  constructor(memories: Memories, news: News) {
    this.#news = news;
    this.#unwatch = memories.watch?.((change) => this.#note(change));
  }

  add(uri: string): void {
    this.#uris.set(uri, (this.#uris.get(uri) ?? 0) + 1);
  }

  remove(uri: string): void {
    const count = this.#uris.get(uri) ?? 0;
    if (count > 1) this.#uris.set(uri, count - 1);
    else this.#uris.delete(uri);
  }

  close(): void {
    this.#unwatch?.();
    clearTimeout(this.#timer);
  }

  /** A thousand commits in a row are one piece of news. */
  #note(change: Change): void {
    if (change === "mounts") this.#mounts = true;
    else if (this.#uris.size > 0) this.#changed.add(change.memory);
    else return;
    this.#timer ??= setTimeout(() => this.#tell(), limits.notify_ms);
  }

  #tell(): void {
    this.#timer = undefined;
    if (this.#mounts) this.#news.listed();
    for (const uri of this.#uris.keys()) {
      if (this.#changed.has(memoryOf(uri) ?? "")) this.#news.updated(uri);
    }
    this.#mounts = false;
    this.#changed.clear();
  }
}

/** News for a client that is just going away. */
export function nobodyListens(): void {}
