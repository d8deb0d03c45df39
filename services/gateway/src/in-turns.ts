import { type Breathe, breather } from '@zakup/turns/breather';

/** Like `map`, but others have their turn in between. `breathe`: that of a longer work that it is a part of. */
export const mappedInTurns = async <Item, Result>(
  items: Iterable<Item>,
  of: (item: Item) => Result,
  breathe: Breathe = breather(),
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const item of items) {
    results.push(of(item));
    await breathe();
  }
  return results;
};
