/**
 * The resources that somebody wants to hear about, and the news of them. What is told is that what they are about
 * has changed: what in it has changed is found by reading it again.
 */
import { limits } from "../base/limits.ts";
import type { Change, ListName, Offer } from "./offer.ts";

export interface News {
  /** A resource has changed. */
  updated(uri: string): unknown;
  /** A list is no longer what it was. */
  listed(name: ListName): unknown;
}

export class Watched {
  readonly #offer: Pick<Offer, "watch" | "subjectOf">;
  readonly #news: News;
  /** How many subscriptions there are to each. */
  readonly #uris = new Map<string, number>();
  readonly #changed = new Set<string>();
  readonly #lists = new Set<ListName>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #unwatch: () => void;

  constructor(offer: Pick<Offer, "watch" | "subjectOf">, news: News) {
    this.#offer = offer;
    this.#news = news;
    this.#unwatch = offer.watch((change) => this.#note(change));
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
    this.#unwatch();
    clearTimeout(this.#timer);
  }

  /** A thousand commits in a row are one piece of news. */
  #note(change: Change): void {
    if ("list" in change) this.#lists.add(change.list);
    else if (this.#uris.size > 0) this.#changed.add(change.subject);
    else return;
    this.#timer ??= setTimeout(() => this.#tell(), limits.notify_ms);
  }

  #tell(): void {
    this.#timer = undefined;
    for (const list of this.#lists) this.#news.listed(list);
    for (const uri of this.#uris.keys()) {
      const subject = this.#offer.subjectOf(uri);
      if (subject !== undefined && this.#changed.has(subject)) this.#news.updated(uri);
    }
    this.#lists.clear();
    this.#changed.clear();
  }
}
