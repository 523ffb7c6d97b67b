/** Writes that come while one is under way go together in the next: they share its sync. */
import { limits } from "../base/limits.ts";

interface Waiting<Item, Done> {
  item: Item;
  resolve: (done: Done) => void;
  reject: (fault: unknown) => void;
}

/** `Done` is what became of one item. */
export class Groups<Item, Done> {
  readonly #write: (items: Item[]) => Promise<Done[]>;
  readonly #waiting: Waiting<Item, Done>[] = [];
  #writing = false;

  /** `write` gives an answer for each item, in their order; when it rejects, it does for all. */
  constructor(write: (items: Item[]) => Promise<Done[]>) {
    this.#write = write;
  }

  /** Items that are not written yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  add(item: Item): Promise<Done> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#writing) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, limits.group_commits);
      try {
        const done = await this.#write(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => resolve(done[index]));
      } catch (fault) {
        for (const { reject } of group) reject(fault);
      }
    }
    this.#writing = false;
  }
}
