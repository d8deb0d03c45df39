/** Chance that can be had again: the same seed gives the same numbers. */
export interface Chance {
  readonly seed: number;
  /** A whole number from `from` up to but without `to`. */
  between(from: number, to: number): number;
  /** One of several. */
  oneOf<Item>(items: readonly [Item, ...Item[]]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
}

/** Chance from `SEED` of the environment, otherwise from a new seed; either is printed, so that a run can be had again. */
export const printedChance = (of: string): Chance => {
  const given = Number(process.env['SEED'] ?? '');
  const chance = seeded(Number.isInteger(given) && given > 0 ? given : (Date.now() % 1_000_000_000) + 1);
  console.log(`${of}: SEED=${chance.seed}`);
  return chance;
};

const seeded = (seed: number): Chance => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from));
  return {
    seed,
    between,
    oneOf: (items) => items[between(0, items.length)] ?? items[0],
    shuffled: (items) =>
      items
        .map((item) => ({ item, key: next() }))
        .sort((a, b) => a.key - b.key)
        .map(({ item }) => item),
  };
};
