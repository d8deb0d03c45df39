import type { GridColumn } from './grid-column.ts';
import type { RowOrder } from './incremental-list.ts';

/** As the server sorts names, so that a file has the order of the screen. */
const dictionary = new Intl.Collator('ru', { numeric: true, sensitivity: 'base' });

type Key = string | number;

const byDictionary = (a: Key, b: Key): number => dictionary.compare(String(a), String(b));
const byValue = (a: Key, b: Key): number => (a < b ? -1 : a > b ? 1 : 0);

/** For each key its place among those that differ, from 0; keys that compare as equal share one. Each is looked up once: keys are many. */
const ranksOf = (keys: readonly Key[], compare: (a: Key, b: Key) => number): Int32Array => {
  const numbers = new Map<Key, number>();
  const numberOf = new Int32Array(keys.length);
  for (let place = 0; place < keys.length; place += 1) {
    const key = keys[place] as Key;
    let number = numbers.get(key);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(key, number);
    }
    numberOf[place] = number;
  }
  const ranks = new Int32Array(numbers.size);
  let rank = -1;
  let before: Key | null = null;
  for (const [key, number] of [...numbers].sort(([a], [b]) => compare(a, b))) {
    if (before === null || compare(before, key) !== 0) rank += 1;
    ranks[number] = rank;
    before = key;
  }
  return numberOf.map((number) => ranks[number] as number);
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
      const ranks = ranksOf(rows.map(keyOf), compare);
      // Rank and place in one number: numbers sort without a comparison of ours, and ties keep their order.
      // Loops are plain: rows are many.
      const marks = new Float64Array(rows.length);
      for (let place = 0; place < marks.length; place += 1)
        marks[place] = sign * ((ranks[place] as number) * rows.length + place);
      marks.sort();
      const ordered = rows.slice();
      for (let place = 0; place < marks.length; place += 1) {
        ordered[place] = rows[Math.abs(marks[place] as number) % rows.length] as Row;
      }
      return ordered;
    },
  };
};
