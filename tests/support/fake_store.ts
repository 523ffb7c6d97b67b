/**
 * A store without files: a log in an array, whose every step a test can hold up or make fail. It stands for the
 * disk, so that the memory layer is tested with real engines and a disk that does as it is told.
 */
import type {
  Caught,
  Commit,
  Health,
  KbFile,
  Opened,
  Place,
  Repair,
  StoreCalls,
} from "../../src/store/protocol.ts";

export class FakeStore implements StoreCalls {
  log: Commit[] = [];
  /** Sizes of the groups that were appended. */
  groups: number[] = [];
  locked = false;
  /** Called before an append is durable: may wait, or throw as a failing disk does. */
  beforeAppend: (commits: Commit[]) => Promise<void> = () => Promise.resolve();
  /** Called before the lock is there: may wait. */
  beforeBegin: () => Promise<void> = () => Promise.resolve();
  /** The next catch-up says that the log is another one. */
  replaced = false;

  open(): Promise<Opened> {
    return Promise.resolve({ files: [], commits: [...this.log], health: this.#health() });
  }

  since(_memory: string, seq: number): Promise<Caught> {
    const replaced = this.replaced;
    this.replaced = false;
    return Promise.resolve({ commits: replaced ? [] : this.log.slice(seq), replaced });
  }

  past() {
    return Promise.resolve({ base: [], base_seq: 0, commits: [...this.log] });
  }

  async begin(memory: string, seq: number): Promise<Caught> {
    await this.beforeBegin();
    if (this.locked) throw new Error("the lock is taken twice");
    this.locked = true;
    return await this.since(memory, seq);
  }

  async append(_memory: string, commits: Commit[]): Promise<{ saved: boolean }> {
    try {
      await this.beforeAppend(commits);
      commits.forEach(({ seq }, index) => {
        if (seq !== this.log.length + index + 1) throw new Error(`commit ${seq} is out of order`);
      });
      this.log.push(...commits);
      this.groups.push(commits.length);
      return { saved: true };
    } finally {
      this.locked = false;
    }
  }

  rotate(): Promise<void> {
    return Promise.resolve();
  }

  abandon(): Promise<void> {
    this.locked = false;
    return Promise.resolve();
  }

  mark(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  holds(): Promise<boolean> {
    return Promise.resolve(false);
  }

  readImage(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async writeImage(): Promise<void> {}

  async clearImages(): Promise<void> {}

  health(): Promise<Health> {
    return Promise.resolve(this.#health());
  }

  repairs(): Promise<Repair[]> {
    return Promise.resolve([]);
  }

  repair(): Promise<Repair[]> {
    return Promise.resolve([]);
  }

  places(): Promise<Place[]> {
    return Promise.resolve([]);
  }

  create(): Promise<void> {
    return Promise.resolve();
  }

  delete(): Promise<void> {
    return Promise.resolve();
  }

  attach(): Promise<void> {
    return Promise.resolve();
  }

  detach(): Promise<void> {
    return Promise.resolve();
  }

  files(): Promise<KbFile[]> {
    return Promise.resolve([]);
  }

  writeFile(): Promise<void> {
    return Promise.resolve();
  }

  removeFile(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #health(): Health {
    return {
      status: "active",
      dir: "/fake",
      journal_bytes: 0,
      commits: this.log.length,
      unread: 0,
      problems: [],
    };
  }
}
