import { finished } from './run-in-slices.ts';
import { rememberChange, rememberedChange } from '../lists/changed-places.ts';

const nowhere = -1;
/** Rows that came or went in one place together; more of them count as changed. */
const lookAhead = 16;
/** After so many in a row of which none was found nobody looks ahead any more: all have moved. */
const lostAfter = 500;

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
  let lost = 0;
  for (let index = 0; index < after.length; index += 1) {
    const row = after[index];
    lost += 1;
    if (row !== before[place] && lost < lostAfter) {
      const gone = stepsTo(before, place, row);
      if (gone > 0) place += gone;
      else if (place < before.length && stepsTo(after, index, before[place]) > 0) continue;
    }
    if (row === before[place]) {
      places[index] = place;
      lost = 0;
    }
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

/** Rows that are no longer there as they were, and those that are there now; of a list with the same rows both are empty. */
interface ChangedRows<Row> {
  readonly gone: readonly Row[];
  readonly come: readonly Row[];
}

/** What differs between two lists whose other rows kept their order; null = more than a few went, or more than `most` came. */
export const changedRows = <Row>(
  before: readonly Row[],
  after: readonly Row[],
  most = fewRows,
): ChangedRows<Row> | null => {
  if (before.length - after.length > fewRows || after.length - before.length > most) return null;
  const changed = differences(before, after);
  if (changed !== null)
    return { gone: changed.map((place) => before[place] as Row), come: changed.map((place) => after[place] as Row) };
  const places = placesBefore(before, after);
  const isKept = new Uint8Array(before.length);
  const come: Row[] = [];
  for (let index = 0; index < after.length; index += 1) {
    const place = places[index] ?? nowhere;
    if (place === nowhere) come.push(after[index] as Row);
    else isKept[place] = 1;
    if (come.length > most) return null;
  }
  const gone = before.filter((_, place) => isKept[place] === 0);
  return gone.length > fewRows ? null : { gone, come };
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

/** So many rows are asked in one step. */
const step = 2000;

/** Asks of these places, ascending; of the others it is known that they do not fit, and of those that `isKnown` answers, what they do. */
function* askedInSteps<Row>(
  rows: readonly Row[],
  fits: Fits<Row>,
  asked: Iterable<number>,
  isKnown: (place: number) => boolean | null = () => null,
): Generator<undefined, Answered<Row>> {
  const answers = new Uint8Array(rows.length);
  const places = new Int32Array(rows.length);
  const shown: Row[] = [];
  let count = 0;
  for (const place of asked) {
    if (count % step === 0) yield;
    count += 1;
    const row = rows[place] as Row;
    if (!(isKnown(place) ?? fits(row))) continue;
    answers[place] = 1;
    places[shown.length] = place;
    shown.push(row);
  }
  const isWhole = shown.length === rows.length;
  return { rows, fits, answers, places: places.slice(0, shown.length), shown: isWhole ? rows : shown };
}

/** The same at once. */
const askedOf = <Row>(...given: Parameters<typeof askedInSteps<Row>>): Answered<Row> =>
  finished(askedInSteps(...given));

/** Which of the rows are among these, where all of them or some are. */
const isAmong = <Row>(rows: readonly Row[], some: readonly Row[]): ((place: number) => boolean) => {
  if (some.length === rows.length) return () => true;
  const all = new Set(some);
  return (place) => all.has(rows[place] as Row);
};

/** The same question of these rows: only what changed is asked again. */
const answeredAnew = <Row>(before: Answered<Row>, rows: readonly Row[]): Answered<Row> => {
  if (before.rows === rows) return before;
  const changed = differences(before.rows, rows);
  const stayed = changed && inSightAfter(before, rows, changed);
  if (stayed) return { ...before, rows, shown: stayed };
  const was = placesBefore(before.rows, rows);
  const isAll = before.shown === before.rows && before.rows.length === rows.length;
  if (isAll && rows.every((row, place) => was[place] !== nowhere || before.fits(row)))
    return { ...before, rows, shown: rows };
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
  /** What was prepared of a question that nobody has asked yet. */
  let ahead: Answered<Row> | null = null;

  const isSameQuestion = (one: Fits<Row>, other: Fits<Row>): boolean =>
    one === other || (narrows(one, other) && narrows(other, one));

  /** Whether only what changed would be asked. */
  const knows = (fits: Fits<Row>): boolean => {
    const last = levels.at(-1);
    return (
      ahead?.fits === fits ||
      levels.some((level) => level.fits === fits) ||
      (last !== undefined && isSameQuestion(fits, last.fits))
    );
  };

  /**
   * The rows that fit: `rows` itself where all do, the array before where they are the same. While a narrower question is prepared the
   * wider one is still asked, of rows that change: both are kept. `known`: those that fit, where nothing was asked here and somebody knows.
   */
  const keep = (rows: readonly Row[], fits: Fits<Row>, known: readonly Row[] | null = null): readonly Row[] => {
    const prepared = ahead?.fits === fits ? ahead : null;
    if (prepared) ahead = null;
    if (levels.length === 0 && prepared) levels.push(prepared);
    if (levels.length === 0 && known) levels.push(askedOf(rows, fits, rows.keys(), isAmong(rows, known)));
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
      const next = prepared ? answeredAnew(prepared, rows) : askedOf(rows, fits, wider ? wider.places : rows.keys());
      const isSame = next.shown !== rows && before && differences(before.shown, next.shown)?.length === 0;
      if (wider) levels.push(wider);
      levels.push(isSame ? { ...next, shown: before.shown } : next);
    }
    if (levels.length > manyQuestions) levels.shift();
    return (levels.at(-1) as Answered<Row>).shown;
  };

  /** What `keep` would ask of all rows, in steps: it takes over what comes of them, and asks meanwhile what it is asked. */
  function* prepare(
    rows: readonly Row[],
    fits: Fits<Row>,
    known: readonly Row[] | null = null,
  ): Generator<undefined, void> {
    if (knows(fits)) return;
    const level = levels.findLast((one) => narrows(fits, one.fits));
    const wider = level && answeredAnew(level, rows);
    yield;
    ahead = yield* askedInSteps(
      rows,
      fits,
      wider ? wider.places : rows.keys(),
      known ? isAmong(rows, known) : undefined,
    );
  }

  return Object.assign(keep, { knows, prepare });
};

export interface RowOrder<Row> {
  /** Never 0 for two rows that may stand in one list. */
  readonly compare: (a: Row, b: Row) => number;
  /** All of them, in the order of `compare`. */
  readonly sort: (rows: readonly Row[]) => readonly Row[];
  /** The same in steps, where rows may be many. */
  readonly steps?: (rows: readonly Row[]) => Generator<undefined, readonly Row[]>;
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

/** Rows as they came and in their order. */
interface Kept<Row> {
  readonly rows: readonly Row[];
  readonly ordered: readonly Row[];
}

/** With each row that came in the place of one that went, where the order lets them; null otherwise. */
const inPlace = <Row>(
  ordered: readonly Row[],
  { gone, come }: ChangedRows<Row>,
  order: RowOrder<Row>,
): readonly Row[] | null => {
  if (gone.length !== come.length) return null;
  const next = ordered.slice();
  const places = gone.map((row) => placeIn(ordered, row, order));
  for (const [index, place] of places.entries()) {
    if (ordered[place] !== gone[index]) return null;
    next[place] = come[index] as Row;
  }
  const stays = (place: number): boolean =>
    place < 1 || place >= next.length || order.compare(next[place - 1] as Row, next[place] as Row) < 0;
  if (!places.every((place) => stays(place) && stays(place + 1))) return null;
  rememberChange(ordered, next, places);
  return next;
};

const afterChange = <Row>({ rows, ordered }: Kept<Row>, next: readonly Row[], order: RowOrder<Row>): readonly Row[] => {
  const change = changedRows(rows, next, Math.max(fewRows, Math.min(manyRows, next.length / 2)));
  if (change === null) return order.sort(next);
  const { gone, come } = change;
  if (come.length + gone.length === 0) return ordered;
  const stayed = inPlace(ordered, change, order);
  if (stayed) return stayed;
  const left = gone.map((row) => placeIn(ordered, row, order));
  if (left.some((place, index) => ordered[place] !== gone[index])) return order.sort(next);
  return withRows(without(ordered, left), come, order);
};

/** Keeps rows in order while some of them change: the array before while they are the same. */
export const orderKeeper = <Row>(order: RowOrder<Row>) => {
  let kept: Kept<Row> | null = null;
  const keep = (rows: readonly Row[]): readonly Row[] => {
    const ordered = kept === null ? order.sort(rows) : afterChange(kept, rows, order);
    kept = { rows, ordered };
    return ordered;
  };
  /** The same in steps while nothing was asked yet. */
  function* prepare(rows: readonly Row[]): Generator<undefined, readonly Row[]> {
    if (kept !== null || order.steps === undefined) return keep(rows);
    const ordered = yield* order.steps(rows);
    kept = { rows, ordered };
    return ordered;
  }
  return Object.assign(keep, { prepare });
};

/** So many orders: while another one is prepared, rows change that are shown in the one before. */
const keptAtOnce = 2;

/** Rows as a table shows them. */
interface Sight<Row> {
  /** All of them. */
  readonly ordered: readonly Row[];
  /** Those that fit, in the same order; `ordered` itself where all do. */
  readonly shown: readonly Row[];
}

/**
 * Keeps rows in each of the orders that were asked for last, and of them those that fit. They are put in order before they are narrowed:
 * whatever is looked for then, nothing is sorted; and in another order none is asked again. `order`: null = as they come.
 */
export const sightKeeper = <Row>(narrows?: (fits: Fits<Row>, wider: Fits<Row>) => boolean) => {
  interface Ordered {
    readonly order: RowOrder<Row> | null;
    /** Null = as they come. */
    readonly inOrder: ReturnType<typeof orderKeeper<Row>> | null;
    readonly filter: ReturnType<typeof filterKeeper<Row>>;
  }
  let keepers: readonly Ordered[] = [];
  let last: { readonly rows: readonly Row[]; readonly fits: Fits<Row>; readonly shown: readonly Row[] } | null = null;
  const keeperOf = (order: RowOrder<Row> | null): Ordered => ({
    order,
    inOrder: order === null ? null : orderKeeper(order),
    filter: filterKeeper<Row>(narrows),
  });
  const knownOf = (rows: readonly Row[], fits: Fits<Row>): readonly Row[] | null =>
    last?.rows === rows && last.fits === fits ? last.shown : null;

  const keep = (rows: readonly Row[], order: RowOrder<Row> | null, fits: Fits<Row>): Sight<Row> => {
    const asked = keepers.find((one) => one.order === order) ?? keeperOf(order);
    keepers = [asked, ...keepers.filter((one) => one !== asked)].slice(0, keptAtOnce);
    const ordered = asked.inOrder === null ? rows : asked.inOrder(rows);
    const shown = asked.filter(ordered, fits, knownOf(rows, fits));
    last = { rows, fits, shown };
    return { ordered, shown };
  };

  /** Whether rows that stayed would be neither compared nor asked. */
  const knows = (order: RowOrder<Row> | null, fits: Fits<Row>): boolean =>
    keepers.some((one) => one.order === order && one.filter.knows(fits));

  /** What `keep` would do with all rows, in steps: it takes over what comes of them, and keeps meanwhile what it is asked for. */
  function* prepare(rows: readonly Row[], order: RowOrder<Row> | null, fits: Fits<Row>): Generator<undefined, void> {
    const asked = keepers.find((one) => one.order === order) ?? keeperOf(order);
    const known = knownOf(rows, fits);
    const ordered = asked.inOrder === null ? rows : yield* asked.inOrder.prepare(rows);
    yield* asked.filter.prepare(ordered, fits, known);
    if (!keepers.includes(asked)) keepers = [...keepers.slice(0, keptAtOnce - 1), asked];
  }

  return Object.assign(keep, { knows, prepare });
};
