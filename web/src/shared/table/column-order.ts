import type { GridColumn } from './grid-column.ts';
import type { RowOrder } from './incremental-list.ts';

/** As the server sorts names, so that a file has the order of the screen. */
const dictionary = new Intl.Collator('ru', { numeric: true, sensitivity: 'base' });

type Key = string | number;

const byDictionary = (a: Key, b: Key): number => dictionary.compare(String(a), String(b));
const byValue = (a: Key, b: Key): number => (a < b ? -1 : a > b ? 1 : 0);

/** The place of each key among those that differ, from 0; keys that compare as equal share one. */
const ranksOf = (keys: readonly Key[], compare: (a: Key, b: Key) => number): ReadonlyMap<Key, number> => {
  const ranks = new Map<Key, number>();
  let rank = -1;
  let before: Key | null = null;
  for (const key of [...new Set(keys)].sort(compare)) {
    if (before === null || compare(before, key) !== 0) rank += 1;
    ranks.set(key, rank);
    before = key;
  }
  return ranks;
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
      const keys = rows.map(keyOf);
      const ranks = ranksOf(keys, compare);
      // Rank and place in one number: numbers sort without a comparison of ours, and ties keep their order.
      // Loops are plain: rows are many.
      const marks = new Float64Array(rows.length);
      for (let place = 0; place < marks.length; place += 1)
        marks[place] = sign * ((ranks.get(keys[place] as Key) ?? 0) * rows.length + place);
      marks.sort();
      const ordered = rows.slice();
      for (let place = 0; place < marks.length; place += 1) {
        ordered[place] = rows[Math.abs(marks[place] as number) % rows.length] as Row;
      }
      return ordered;
    },
  };
};
