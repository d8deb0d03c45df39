import { rememberChange, rememberedChange } from '../lists/changed-places.ts';

const nowhere = -1;
/** Rows that came or went in one place together; more of them count as changed. */
const lookAhead = 16;

/** How many steps after `from` the row stands, within sight; 0 = nowhere there. */
const stepsTo = (rows: readonly unknown[], from: number, row: unknown): number => {
  for (let steps = 1; steps <= lookAhead; steps += 1) if (rows[from + steps] === row) return steps;
  return 0;
};

/**
 * For each row of `after` its place in `before`, −1 where it was not there; the places ascend. Made for lists of which a few rows changed,
 * came or went while the others kept their order: after a greater change most rows count as new.
 */
export const placesBefore = (before: readonly unknown[], after: readonly unknown[]): Int32Array => {
  const places = new Int32Array(after.length).fill(nowhere);
  let place = 0;
  for (let index = 0; index < after.length; index += 1) {
    const row = after[index];
    if (row !== before[place]) {
      const gone = stepsTo(before, place, row);
      if (gone > 0) place += gone;
      else if (place < before.length && stepsTo(after, index, before[place]) > 0) continue;
    }
    if (row === before[place]) places[index] = place;
    place += 1;
  }
  return places;
};

/** More rows than these are looked at together with all others rather than one by one. */
const fewRows = 500;
/** So many that come together are still put in among the others, where these are many more: to sort all would compare more of them. */
const manyRows = 5000;

/**
 * Where two lists of one length differ, ascending; null = in too many places, or they are not of one length. All of them are compared only where
 * nobody remembered what changed. Loops are plain: lists are long.
 */
export const differences = (before: readonly unknown[], after: readonly unknown[]): readonly number[] | null => {
  if (before.length !== after.length) return null;
  const remembered = rememberedChange(before, after);
  if (remembered !== null) {
    const changed = remembered.filter((place) => before[place] !== after[place]);
    return changed.length > fewRows ? null : changed.sort((a, b) => a - b);
  }
  const places: number[] = [];
  for (let place = 0; place < after.length; place += 1) {
    if (before[place] === after[place]) continue;
    if (places.length === fewRows) return null;
    places.push(place);
  }
  return places;
};

/** How many of the rows fit: of a list that changed in a few places only these are asked. `fits` is always the same function. */
export const countKeeper = <Row>(fits: (row: Row) => boolean) => {
  let known: readonly Row[] = [];
  let count = 0;
  return (rows: readonly Row[]): number => {
    const places = differences(known, rows);
    if (places === null) {
      count = 0;
      for (const row of rows) if (fits(row)) count += 1;
    } else for (const place of places) count += Number(fits(rows[place] as Row)) - Number(fits(known[place] as Row));
    known = rows;
    return count;
  };
};

/**
 * Which values the rows have: the same set while no value came or went. Of a list that changed in a few places only these are looked at.
 * `valueOf` is always the same function.
 */
export const valueCounter = <Row, Value>(valueOf: (row: Row) => Value) => {
  let known: readonly Row[] = [];
  const counts = new Map<Value, number>();
  let values: ReadonlySet<Value> = new Set();
  const shift = (row: Row, by: 1 | -1): void => {
    const value = valueOf(row);
    const count = (counts.get(value) ?? 0) + by;
    if (count === 0) counts.delete(value);
    else counts.set(value, count);
  };
  return (rows: readonly Row[]): ReadonlySet<Value> => {
    const places = differences(known, rows);
    if (places === null) {
      counts.clear();
      for (const row of rows) shift(row, 1);
    } else
      for (const place of places) {
        shift(rows[place] as Row, 1);
        shift(known[place] as Row, -1);
      }
    known = rows;
    if (counts.size !== values.size || [...counts.keys()].some((value) => !values.has(value)))
      values = new Set(counts.keys());
    return values;
  };
};

type Fits<Row> = (row: Row) => boolean;

/** What was answered of rows. */
interface Answered<Row> {
  readonly rows: readonly Row[];
  readonly fits: Fits<Row>;
  /** By place: 1 = it fits. */
  readonly answers: Uint8Array;
  /** Of those that fit, ascending: where they are in `rows`. */
  readonly places: Int32Array;
  /** Those that fit: `rows` itself where all do. */
  readonly shown: readonly Row[];
}

/** Where a number stands in an ascending list of which it is one. */
const indexIn = (places: Int32Array, place: number): number => {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) < place) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The rows in sight after a change of these, where each fits or not as it did; null where one came in sight or went. */
const inSightAfter = <Row>(
  { answers, places, fits, shown }: Answered<Row>,
  rows: readonly Row[],
  changed: readonly number[],
): readonly Row[] | null => {
  if (changed.some((place) => Number(fits(rows[place] as Row)) !== answers[place])) return null;
  if (places.length === answers.length) return rows;
  const seen = changed.filter((place) => answers[place] === 1);
  if (seen.length === 0) return shown;
  const next = shown.slice();
  const moved = seen.map((place) => indexIn(places, place));
  for (const [index, place] of seen.entries()) next[moved[index] as number] = rows[place] as Row;
  rememberChange(shown, next, moved);
  return next;
};

/** Asks of these places, ascending; of the others it is known that they do not fit, and of those that `isKnown` answers, what they do. */
const askedOf = <Row>(
  rows: readonly Row[],
  fits: Fits<Row>,
  asked: Iterable<number>,
  isKnown: (place: number) => boolean | null = () => null,
): Answered<Row> => {
  const answers = new Uint8Array(rows.length);
  const places = new Int32Array(rows.length);
  const shown: Row[] = [];
  for (const place of asked) {
    const row = rows[place] as Row;
    if (!(isKnown(place) ?? fits(row))) continue;
    answers[place] = 1;
    places[shown.length] = place;
    shown.push(row);
  }
  const isWhole = shown.length === rows.length;
  return { rows, fits, answers, places: places.slice(0, shown.length), shown: isWhole ? rows : shown };
};

/** The same question of these rows: only what changed is asked again. */
const answeredAnew = <Row>(before: Answered<Row>, rows: readonly Row[]): Answered<Row> => {
  if (before.rows === rows) return before;
  const changed = differences(before.rows, rows);
  const stayed = changed && inSightAfter(before, rows, changed);
  if (stayed) return { ...before, rows, shown: stayed };
  const was = placesBefore(before.rows, rows);
  const next = askedOf(rows, before.fits, rows.keys(), (place) => {
    const known = was[place] ?? nowhere;
    return known === nowhere ? null : before.answers[known] === 1;
  });
  return next.shown !== rows && differences(before.shown, next.shown)?.length === 0
    ? { ...next, shown: before.shown }
    : next;
};

/** So many questions that narrow one another are remembered, as many as letters of a search. */
const manyQuestions = 12;

/**
 * Asks of each row once whether it fits. Where `fits` is another function it is asked of all anew, but of those alone that fit a former one which
 * it `narrows`: whatever fits `fits` fits `wider`, for certain. Where the two narrow each other they are one question.
 */
export const filterKeeper = <Row>(narrows: (fits: Fits<Row>, wider: Fits<Row>) => boolean = () => false) => {
  /** Each narrows the one before; the last is what was asked last. */
  const levels: Answered<Row>[] = [];

  /**
   * The rows that fit: `rows` itself where all do, the array before where they are the same. While a narrower question is prepared the
   * wider one is still asked, of rows that change: both are kept.
   */
  return (rows: readonly Row[], fits: Fits<Row>): readonly Row[] => {
    const before = levels.at(-1);
    const wide = levels.slice(0, -1).findIndex((level) => level.fits === fits);
    if (wide >= 0) {
      const again = answeredAnew(levels[wide] as Answered<Row>, rows);
      levels[wide] = again;
      return again.shown;
    }
    while (levels.length > 0 && levels.at(-1)?.fits !== fits && !narrows(fits, (levels.at(-1) as Answered<Row>).fits))
      levels.pop();
    const last = levels.pop();
    const wider = last && answeredAnew(last, rows);
    if (wider && (wider.fits === fits || narrows(wider.fits, fits))) levels.push({ ...wider, fits });
    else {
      const next = askedOf(rows, fits, wider ? wider.places : rows.keys());
      const isSame = next.shown !== rows && before && differences(before.shown, next.shown)?.length === 0;
      if (wider) levels.push(wider);
      levels.push(isSame ? { ...next, shown: before.shown } : next);
    }
    if (levels.length > manyQuestions) levels.shift();
    return (levels.at(-1) as Answered<Row>).shown;
  };
};

export interface RowOrder<Row> {
  /** Never 0 for two rows that may stand in one list. */
  readonly compare: (a: Row, b: Row) => number;
  /** All of them, in the order of `compare`. */
  readonly sort: (rows: readonly Row[]) => readonly Row[];
}

/** How many of the ordered rows stand before this one. */
const placeIn = <Row>(ordered: readonly Row[], row: Row, { compare }: RowOrder<Row>): number => {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(ordered[middle] as Row, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

const without = <Row>(ordered: readonly Row[], places: readonly number[]): readonly Row[] => {
  const rest: Row[] = [];
  let from = 0;
  for (const place of places.toSorted((a, b) => a - b)) {
    for (; from < place; from += 1) rest.push(ordered[from] as Row);
    from = place + 1;
  }
  for (; from < ordered.length; from += 1) rest.push(ordered[from] as Row);
  return rest;
};

const withRows = <Row>(ordered: readonly Row[], rows: readonly Row[], order: RowOrder<Row>): readonly Row[] => {
  const all: Row[] = [];
  let from = 0;
  for (const row of rows.toSorted(order.compare)) {
    for (const place = placeIn(ordered, row, order); from < place; from += 1) all.push(ordered[from] as Row);
    all.push(row);
  }
  for (; from < ordered.length; from += 1) all.push(ordered[from] as Row);
  return all;
};

/** Those of `ordered` that are among the rows. */
const picked = <Row>(ordered: readonly Row[], rows: readonly Row[]): readonly Row[] => {
  const wanted = new Set(rows);
  return ordered.filter((row) => wanted.has(row));
};

/** At least so many times as few rows are sorted by themselves rather than picked from all in order. */
const timesFewer = 8;

/** All rows, of which some are in sight. */
const wholeOrder = <Row>() => {
  let keeper: ReturnType<typeof orderKeeper<Row>> | null = null;
  return (among: readonly Row[], order: RowOrder<Row>): readonly Row[] => {
    keeper ??= orderKeeper<Row>();
    return keeper(among, order);
  };
};

/** Rows as they came and in their order. */
interface Kept<Row> {
  readonly rows: readonly Row[];
  readonly ordered: readonly Row[];
}

/** So many lists, and so many orders: while another one is prepared, rows change that are shown in the one before. */
const keptAtOnce = 2;

/**
 * Keeps rows in order while some of them change; in another order all are sorted anew. Where many others come in sight of those that are
 * there, the rows are picked from all of these, which are kept in order too.
 */
export const orderKeeper = <Row>() => {
  const whole = wholeOrder<Row>();
  let known: RowOrder<Row> | null = null;
  /** In this order; the last one first. */
  let kept: readonly Kept<Row>[] = [];
  /** In this order, what was in sight before and may come back. */
  let earlier = new WeakMap<readonly Row[], readonly Row[]>();

  /** Where each changed row may stay in its place; null otherwise. */
  const inPlace = (
    before: Kept<Row>,
    rows: readonly Row[],
    changed: readonly number[],
    order: RowOrder<Row>,
  ): readonly Row[] | null => {
    const next = before.ordered.slice();
    const places: number[] = [];
    for (const index of changed) {
      const place = placeIn(before.ordered, before.rows[index] as Row, order);
      if (before.ordered[place] !== before.rows[index]) return null;
      next[place] = rows[index] as Row;
      places.push(place);
    }
    const stays = (place: number): boolean =>
      place < 1 || place >= next.length || order.compare(next[place - 1] as Row, next[place] as Row) < 0;
    if (!places.every((place) => stays(place) && stays(place + 1))) return null;
    rememberChange(before.ordered, next, places);
    return next;
  };

  const afterChange = (
    before: Kept<Row>,
    rows: readonly Row[],
    order: RowOrder<Row>,
    among: readonly Row[],
  ): readonly Row[] => {
    const { ordered } = before;
    const most = Math.max(fewRows, Math.min(manyRows, rows.length / 2));
    const anew = (): readonly Row[] =>
      rows === among || rows.length * timesFewer < among.length ? order.sort(rows) : picked(whole(among, order), rows);
    if (before.rows.length - rows.length > fewRows || rows.length - before.rows.length > most) return anew();
    const changed = differences(before.rows, rows);
    if (changed?.length === 0) return ordered;
    const stayed = changed && inPlace(before, rows, changed, order);
    if (stayed) return stayed;
    const places = placesBefore(before.rows, rows);
    const isKept = new Uint8Array(before.rows.length);
    const come: Row[] = [];
    for (let index = 0; index < rows.length; index += 1) {
      const place = places[index] ?? nowhere;
      if (place === nowhere) come.push(rows[index] as Row);
      else isKept[place] = 1;
    }
    const gone = before.rows.filter((_, place) => isKept[place] === 0);
    if (come.length + gone.length === 0) return ordered;
    if (gone.length > fewRows || come.length > most) return anew();
    const left = gone.map((row) => placeIn(ordered, row, order));
    if (left.some((place, index) => ordered[place] !== gone[index])) return anew();
    return withRows(without(ordered, left), come, order);
  };

  /** The rows in order; the array before while they are the same. `among`: all rows, of which these are those in sight, in the same order. */
  return (rows: readonly Row[], order: RowOrder<Row>, among: readonly Row[] = rows): readonly Row[] => {
    if (known !== order) {
      kept = [];
      earlier = new WeakMap();
      known = order;
    }
    const asMany = ({ rows: { length } }: Kept<Row>): boolean => length === rows.length;
    // Of two lists the one that these rows changed from is most often as long as they are.
    const before = kept.find(asMany) ?? kept[0];
    const ordered = earlier.get(rows) ?? (before ? afterChange(before, rows, order, among) : order.sort(rows));
    earlier.set(rows, ordered);
    kept = [{ rows, ordered }, ...kept.filter((one) => !asMany(one))].slice(0, keptAtOnce);
    return ordered;
  };
};

/** Keeps rows in each of the orders that were asked for last. */
export const ordersKeeper = <Row>() => {
  let keepers: readonly { readonly order: RowOrder<Row>; readonly inOrder: ReturnType<typeof orderKeeper<Row>> }[] = [];
  return (rows: readonly Row[], order: RowOrder<Row>, among: readonly Row[] = rows): readonly Row[] => {
    const asked = keepers.find((one) => one.order === order) ?? { order, inOrder: orderKeeper<Row>() };
    keepers = [asked, ...keepers.filter((one) => one !== asked)].slice(0, keptAtOnce);
    return asked.inOrder(rows, order, among);
  };
};
