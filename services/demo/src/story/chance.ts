/** Chance that comes out the same for the same seed and name, on every machine. */
export interface Chance {
  /** From 0 up to but without 1. */
  readonly next: () => number;
  /** A whole number from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number;
  readonly happens: (share: number) => boolean;
  readonly oneOf: <Item>(items: readonly Item[]) => Item;
  /** One of several by weights that are not negative; the last one where all are 0. */
  readonly weighted: <Item>(items: readonly Item[], weightOf: (item: Item, index: number) => number) => Item;
  readonly shuffled: <Item>(items: readonly Item[]) => readonly Item[];
  /** Around 0 with deviation 1. */
  readonly bell: () => number;
}

const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
};

/** `name` keeps the parts of a story apart: what one of them draws changes nothing in another. */
export const chance = (seed: number, name: string): Chance => {
  let state = hashOf(`${seed}/${name}`);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const at = <Item>(items: readonly Item[], index: number): Item => {
    const item = items[index];
    if (item === undefined) throw new RangeError('Nothing to choose from');
    return item;
  };
  return {
    next,
    between,
    happens: (share) => next() < share,
    oneOf: (items) => at(items, between(0, items.length - 1)),
    weighted: (items, weightOf) => {
      const weights = items.map(weightOf);
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0);
      const index = weights.findIndex((weight) => (left -= weight) < 0);
      return at(items, index === -1 ? items.length - 1 : index);
    },
    shuffled: (items) =>
      items
        .map((item) => ({ item, key: next() }))
        .sort((one, other) => one.key - other.key)
        .map(({ item }) => item),
    // The sum of twelve even draws: no logarithm, whose last digit machines may differ in.
    bell: () => {
      let sum = -6;
      for (let draw = 0; draw < 12; draw += 1) sum += next();
      return sum;
    },
  };
};
