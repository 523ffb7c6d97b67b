/** A small linear congruential generator: the same choices in every run. */
export function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor(state / 2 ** 31 * below);
  };
}
