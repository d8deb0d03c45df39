import { breather } from '@zakup/turns/breather';

/** Like `map`, but others have their turn in between. */
export const mappedInTurns = async <Item, Result>(
  items: Iterable<Item>,
  of: (item: Item) => Result,
): Promise<readonly Result[]> => {
  const breathe = breather();
  const results: Result[] = [];
  for (const item of items) {
    results.push(of(item));
    await breathe();
  }
  return results;
};
