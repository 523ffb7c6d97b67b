/**
 * The ids of the requests that are not answered yet.
 *
 * Inside, a request has a number of ours; outside, the text its sender wrote. So the SDK never sees an id it
 * would round or refuse, and two requests with the same id are still two requests.
 */
export class OpenRequests {
  #next = 1;
  readonly #texts = new Map<number, string>();
  readonly #numbers = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  /** Requests that stay open by design (`subscriptions/listen`); nobody waits for their answer. */
  readonly #lasting = new Set<number>();

  /** The number of requests whose answer is awaited. */
  get size(): number {
    return this.#texts.size - this.#lasting.size;
  }

  open(text: string, options: { lasting: boolean }): number {
    const number = this.#next++;
    this.#texts.set(number, text);
    this.#numbers.set(text, number);
    if (options.lasting) this.#lasting.add(number);
    return number;
  }

  /** The latest open request that was sent with this id. */
  numberOf(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  textOf(number: number): string | undefined {
    return this.#texts.get(number);
  }

  close(number: number): void {
    const text = this.#texts.get(number);
    if (text === undefined) return;
    this.#texts.delete(number);
    this.#lasting.delete(number);
    if (this.#numbers.get(text) === number) this.#numbers.delete(text);
    for (const wake of this.#waiting) wake();
  }

  /** Settles when no more than so many answers are awaited. */
  async atMost(count: number): Promise<void> {
    while (this.size > count) {
      const changed = Promise.withResolvers<void>();
      this.#waiting.add(changed.resolve);
      await changed.promise;
      this.#waiting.delete(changed.resolve);
    }
  }
}
