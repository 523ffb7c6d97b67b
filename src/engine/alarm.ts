/** One timer for many points in time: it rings at the earliest of them, and is set anew only for one that is earlier. */
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
    const wait_ms = Math.max(1, Math.ceil(at - performance.now()));
    this.#timer = setTimeout(() => {
      this.#at = Infinity;
      this.#ring();
    }, wait_ms);
  }

  off(): void {
    clearTimeout(this.#timer);
    this.#at = Infinity;
  }
}
