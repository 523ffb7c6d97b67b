/** What waits for an engine: urgent work first, then one of each client in turn, each client's in its order. */

export interface Queued {
  client: string;
  urgent: boolean;
}

export class Queues<Item extends Queued> {
  readonly #urgent: Item[] = [];
  /** By client; the map's order is whose turn it is, and no queue in it is empty. */
  readonly #clients = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  *[Symbol.iterator](): Iterator<Item> {
    yield* this.#urgent;
    for (const queue of this.#clients.values()) yield* queue;
  }

  /** Behind what its client waits for already. */
  add(item: Item): void {
    this.#queue(item).push(item);
    this.#size++;
  }

  /** In front of what its client waits for. */
  putBack(item: Item): void {
    this.#queue(item).unshift(item);
    this.#size++;
  }

  /** False when it did not wait. */
  remove(item: Item): boolean {
    const queue = item.urgent ? this.#urgent : this.#clients.get(item.client) ?? [];
    const place = queue.indexOf(item);
    if (place < 0) return false;
    this.#take(queue, place);
    if (!item.urgent && queue.length === 0) this.#clients.delete(item.client);
    return true;
  }

  /** The next one in turn that fits; what is urgent goes before all others, and fits always. */
  next(fits: (item: Item) => boolean): Item | undefined {
    const found = this.#find(fits);
    if (!found) return undefined;
    const { client, queue, place } = found;
    const item = this.#take(queue, place);
    if (client === undefined) return item;
    this.#clients.delete(client);
    if (queue.length > 0) this.#clients.set(client, queue);
    return item;
  }

  /** The same, which goes on waiting. */
  peek(fits: (item: Item) => boolean): Item | undefined {
    const found = this.#find(fits);
    return found?.queue[found.place];
  }

  #find(fits: (item: Item) => boolean) {
    if (this.#urgent.length > 0) return { queue: this.#urgent, place: 0 };
    for (const [client, queue] of this.#clients) {
      const place = queue.findIndex(fits);
      if (place >= 0) return { client, queue, place };
    }
  }

  /** Everything, which waits no more. */
  clear(): Item[] {
    const all = [...this];
    this.#urgent.length = 0;
    this.#clients.clear();
    this.#size = 0;
    return all;
  }

  #queue({ urgent, client }: Item): Item[] {
    if (urgent) return this.#urgent;
    const queue = this.#clients.get(client) ?? [];
    this.#clients.set(client, queue);
    return queue;
  }

  #take(queue: Item[], place: number): Item {
    this.#size--;
    return queue.splice(place, 1)[0];
  }
}
