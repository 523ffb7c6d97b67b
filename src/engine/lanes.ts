/**
 * Which engine is busy with what: the job in front, and light ones that wait behind it.
 *
 * How many may wait follows from how long such jobs have lately taken: together no longer than `limits.lane_ms`, so
 * that nobody stands behind a slow one while another engine comes free.
 */
import { limits } from "../base/limits.ts";

interface Entry {
  light: boolean;
  /** When it came to the front. */
  since: number;
}

export class Lanes<Engine, Item extends Entry> {
  readonly #lanes = new Map<Engine, Item[]>();
  readonly #now: () => number;
  /** What a light job takes, a moving average. */
  #light_ms: number = limits.lane_ms;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Engines that are busy. */
  get size(): number {
    return this.#lanes.size;
  }

  /** Whether anything waits at an engine. */
  get queued(): boolean {
    for (const lane of this.#lanes.values()) if (lane.length > 1) return true;
    return false;
  }

  /** Each engine with what it has, which is never nothing. */
  [Symbol.iterator](): Iterator<[Engine, Item[]]> {
    return this.#lanes[Symbol.iterator]();
  }

  *fronts(): Generator<Item> {
    for (const [front] of this.#lanes.values()) yield front;
  }

  front(engine: Engine): Item | undefined {
    return this.#lanes.get(engine)?.[0];
  }

  /** The engine with the fewest among those that take another one. */
  least(takes: (engine: Engine, lane: Item[]) => boolean): Engine | undefined {
    let fewest = Math.min(limits.lane_jobs, Math.floor(limits.lane_ms / this.#light_ms));
    let least: Engine | undefined;
    for (const [engine, lane] of this.#lanes) {
      if (lane.length >= fewest || !takes(engine, lane)) continue;
      [fewest, least] = [lane.length, engine];
    }
    return least;
  }

  add(engine: Engine, item: Item): void {
    const lane = this.#lanes.get(engine);
    if (lane) lane.push(item);
    else this.#lanes.set(engine, [item]);
  }

  /** Done, or taken back; says whether the engine still has something. */
  remove(engine: Engine, item: Item): boolean {
    const lane = this.#lanes.get(engine)!;
    const place = lane.indexOf(item);
    lane.splice(place, 1);
    if (place === 0) {
      const now = this.#now();
      // One that took very long says no more of the others than that it was not short.
      const took_ms = Math.min(now - item.since, 2 * limits.lane_ms);
      if (item.light) this.#light_ms += (took_ms - this.#light_ms) / 8;
      if (lane.length > 0) lane[0].since = now;
    }
    if (lane.length === 0) this.#lanes.delete(engine);
    return lane.length > 0;
  }
}
