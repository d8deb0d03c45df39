import type { GridColumn } from './grid-column.ts';
import type { RowOrder } from './incremental-list.ts';

/** As the server sorts names, so that a file has the order of the screen. */
const dictionary = new Intl.Collator('ru', { numeric: true, sensitivity: 'base' });

type Key = string | number;

const byDictionary = (a: Key, b: Key): number => dictionary.compare(String(a), String(b));
const byValue = (a: Key, b: Key): number => (a < b ? -1 : a > b ? 1 : 0);

/** The rank of a key among those that differ. */
interface Ranks {
  /** Of each key, from 0; keys that compare as equal share one. */
  readonly ranks: Int32Array;
  /** How many there are. */
  readonly count: number;
}

/** Each key is looked up once, and only those that differ are compared: keys are many. Loops are plain for the same reason. */
const ranksOf = (keys: readonly Key[], compare: (a: Key, b: Key) => number): Ranks => {
  const numbers = new Map<Key, number>();
  const ranks = new Int32Array(keys.length);
  for (let place = 0; place < keys.length; place += 1) {
    const key = keys[place] as Key;
    let number = numbers.get(key);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(key, number);
    }
    ranks[place] = number;
  }
  const rankOf = new Int32Array(numbers.size);
  let rank = -1;
  let before: Key | null = null;
  for (const key of [...numbers.keys()].sort(compare)) {
    if (before === null || compare(before, key) !== 0) rank += 1;
    rankOf[numbers.get(key) as number] = rank;
    before = key;
  }
  for (let place = 0; place < ranks.length; place += 1) ranks[place] = rankOf[ranks[place] as number] as number;
  return { ranks, count: rank + 1 };
};

/** Rows by their ranks; those of one rank as they come. Nothing is compared: how many have a rank tells where the next one begins. */
const byRank = <Row>(rows: readonly Row[], { ranks, count }: Ranks): Row[] => {
  const next = new Int32Array(count + 1);
  for (let place = 0; place < ranks.length; place += 1) {
    const after = (ranks[place] as number) + 1;
    next[after] = (next[after] as number) + 1;
  }
  for (let rank = 0; rank < count; rank += 1) next[rank + 1] = (next[rank + 1] as number) + (next[rank] as number);
  const ordered = rows.slice();
  for (let place = 0; place < ranks.length; place += 1) {
    const rank = ranks[place] as number;
    const to = next[rank] as number;
    next[rank] = to + 1;
    ordered[to] = rows[place] as Row;
  }
  return ordered;
};

/**
 * The order of a column, either way; rows that tie stand as `tie` has them, the same way, and rows are sorted as they come, in that order.
 * Among many rows few values differ: these are compared as texts, the rows by the rank of theirs.
 */
export const columnOrder = <Row>(
  { sortBy, dictionary: isText }: Pick<GridColumn<Row>, 'sortBy' | 'dictionary'>,
  direction: 'asc' | 'desc',
  tie: (a: Row, b: Row) => number,
): RowOrder<Row> => {
  const keyOf = sortBy ?? (() => 0);
  const compare = isText ? byDictionary : byValue;
  const sign = direction === 'asc' ? 1 : -1;
  return {
    compare: (a, b) => sign * (compare(keyOf(a), keyOf(b)) || tie(a, b)),
    sort(rows) {
      const ordered = byRank(rows, ranksOf(rows.map(keyOf), compare));
      return direction === 'asc' ? ordered : ordered.toReversed();
    },
  };
};
