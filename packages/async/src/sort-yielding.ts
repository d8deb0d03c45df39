/** The items in order, like `sort`, which would hold the loop. Equals keep their places. */
export const sortYielding = async <Item>(
  items: readonly Item[],
  order: (a: Item, b: Item) => number,
  yieldIfDue: () => Promise<void>,
): Promise<readonly Item[]> => {
  let runs: Item[][] = [];
  for (let from = 0; from < items.length; from += 1_000) {
    runs.push(items.slice(from, from + 1_000).sort(order));
    await yieldIfDue();
  }
  while (runs.length > 1) {
    const joined: Item[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      joined.push(await merged(runs[index] ?? [], runs[index + 1] ?? [], order, yieldIfDue));
    runs = joined;
  }
  return runs[0] ?? [];
};

/** The first `count` of what `sortYielding` would answer. */
export const topN = async <Item>(
  items: readonly Item[],
  count: number,
  order: (a: Item, b: Item) => number,
  yieldIfDue: () => Promise<void>,
): Promise<readonly Item[]> => {
  if (count * 4 > items.length) return (await sortYielding(items, order, yieldIfDue)).slice(0, count);
  let first: Item[] = [];
  for (let from = 0; from < items.length; from += 1_000) {
    const worst = first[count - 1];
    const some = items.slice(from, from + 1_000);
    const better = worst === undefined ? some : some.filter((item) => order(item, worst) < 0);
    first = [...first, ...better].sort(order).slice(0, count);
    await yieldIfDue();
  }
  return first;
};

const merged = async <Item>(
  left: Item[],
  right: Item[],
  order: (a: Item, b: Item) => number,
  yieldIfDue: () => Promise<void>,
): Promise<Item[]> => {
  if (right.length === 0) return left;
  const all: Item[] = [];
  let [l, r] = [0, 0];
  for (;;) {
    if (all.length % 1_000 === 0) await yieldIfDue();
    const [a, b] = [left[l], right[r]];
    if (b === undefined || (a !== undefined && order(a, b) <= 0)) {
      if (a === undefined) return all;
      all.push(a);
      l += 1;
    } else {
      all.push(b);
      r += 1;
    }
  }
};
