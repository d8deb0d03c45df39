import type { GridColumn } from './grid-column.ts';
import type { RowOrder } from './incremental-list.ts';
import { finished } from './run-in-slices.ts';

/** As the server sorts names, so that a file has the order of the screen. */
const dictionary = new Intl.Collator('ru', { numeric: true, sensitivity: 'base' });

type Key = string | number;

type Compare = (a: Key, b: Key) => number;

/** So many rows, or keys, in one step. */
const step = 2000;

const byDictionary = (a: Key, b: Key): number => dictionary.compare(String(a), String(b));
const byValue = (a: Key, b: Key): number => (a < b ? -1 : a > b ? 1 : 0);

/** The rank of a key among those that differ. */
interface Ranks {
  /** Of each key, from 0; keys that compare as equal share one. */
  readonly ranks: Int32Array;
  /** How many there are. */
  readonly count: number;
}

/** Two sorted lists as one. */
function* merged(one: readonly Key[], other: readonly Key[], compare: Compare): Generator<undefined, Key[]> {
  const all: Key[] = [];
  let [left, right] = [0, 0];
  while (left < one.length && right < other.length) {
    if (all.length % step === 0) yield;
    if (compare(one[left] as Key, other[right] as Key) <= 0) {
      all.push(one[left] as Key);
      left += 1;
    } else {
      all.push(other[right] as Key);
      right += 1;
    }
  }
  return all.concat(one.slice(left), other.slice(right));
}

/** Numbers are many as a rule, and sort as such; texts are compared. */
function* sortedKeys(keys: readonly Key[], compare: Compare): Generator<undefined, Iterable<Key>> {
  if (compare === byValue && keys.every((key) => typeof key === 'number')) return Float64Array.from(keys).sort();
  let runs: (readonly Key[])[] = [];
  for (let from = 0; from < keys.length; from += step) {
    runs.push(keys.slice(from, from + step).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: (readonly Key[])[] = [];
    for (let run = 0; run < runs.length; run += 2)
      longer.push(yield* merged(runs[run] as readonly Key[], runs[run + 1] ?? [], compare));
    runs = longer;
  }
  return runs[0] ?? [];
}

/** Each key is looked up once, and only those that differ are compared: keys are many. Loops are plain for the same reason. */
function* ranksOf<Row>(rows: readonly Row[], keyOf: (row: Row) => Key, compare: Compare): Generator<undefined, Ranks> {
  const numbers = new Map<Key, number>();
  const ranks = new Int32Array(rows.length);
  for (let place = 0; place < rows.length; place += 1) {
    if (place % step === 0) yield;
    const key = keyOf(rows[place] as Row);
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
  for (const key of yield* sortedKeys([...numbers.keys()], compare)) {
    if (before === null || compare(before, key) !== 0) rank += 1;
    rankOf[numbers.get(key) as number] = rank;
    before = key;
  }
  yield;
  for (let place = 0; place < ranks.length; place += 1) ranks[place] = rankOf[ranks[place] as number] as number;
  return { ranks, count: rank + 1 };
}

/** Rows by their ranks; those of one rank as they come. Nothing is compared: how many have a rank tells where the next one begins. */
function* byRank<Row>(rows: readonly Row[], { ranks, count }: Ranks): Generator<undefined, Row[]> {
  const next = new Int32Array(count + 1);
  for (let place = 0; place < ranks.length; place += 1) {
    const after = (ranks[place] as number) + 1;
    next[after] = (next[after] as number) + 1;
  }
  for (let rank = 0; rank < count; rank += 1) next[rank + 1] = (next[rank + 1] as number) + (next[rank] as number);
  const ordered = rows.slice();
  for (let place = 0; place < ranks.length; place += 1) {
    if (place % step === 0) yield;
    const rank = ranks[place] as number;
    const to = next[rank] as number;
    next[rank] = to + 1;
    ordered[to] = rows[place] as Row;
  }
  return ordered;
}

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
  function* steps(rows: readonly Row[]): Generator<undefined, readonly Row[]> {
    const ordered = yield* byRank(rows, yield* ranksOf(rows, keyOf, compare));
    return direction === 'asc' ? ordered : ordered.toReversed();
  }
  return {
    compare: (a, b) => sign * (compare(keyOf(a), keyOf(b)) || tie(a, b)),
    sort: (rows) => finished(steps(rows)),
    steps,
  };
};
