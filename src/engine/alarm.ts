/** One timer for many points in time: it rings at the earliest of them, and is set anew only for one that is earlier. */
import { limits } from "../base/limits.ts";

export class Alarm {
  readonly #ring: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = Infinity;

  /** `ring` looks at what is due, and says by when it wants to look again. */
  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** Rings then, or before; a point in time as `performance.now()` counts. */
  by(at: number): void {
    if (at >= this.#at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => this.#due(), Math.max(1, Math.ceil(at - performance.now())));
  }

  /** This thread may have had no time for long: then what has come meanwhile is heard first. */
  #due(): void {
    const now = performance.now();
    if (now - this.#at <= limits.alarm_late_ms) return this.#now();
    this.#at = now + 1;
    this.#timer = setTimeout(() => this.#now(), 1);
  }

  #now(): void {
    this.#at = Infinity;
    this.#ring();
  }

  off(): void {
    clearTimeout(this.#timer);
    this.#at = Infinity;
  }
}
