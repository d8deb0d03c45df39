import { type YieldIfDue, createYielder } from './yielder.ts';

/** Like `map`, but others have their turn in between. `yieldIfDue`: that of a longer work that it is a part of. */
export const mapYielding = async <Item, Result>(
  items: Iterable<Item>,
  of: (item: Item) => Result,
  yieldIfDue: YieldIfDue = createYielder(),
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const item of items) {
    results.push(of(item));
    await yieldIfDue();
  }
  return results;
};
