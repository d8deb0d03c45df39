import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnOrder } from './column-order.ts';
import { rememberChange } from '../lists/changed-places.ts';
import {
  changedRows,
  countKeeper,
  differences,
  filterKeeper,
  orderKeeper,
  sightKeeper,
  placesBefore,
  valueCounter,
} from './incremental-list.ts';

interface Row {
  readonly id: number;
  readonly price: number;
  readonly nick: string;
}

const byId = (a: Row, b: Row): number => a.id - b.id;
const price = { sortBy: (row: Row) => row.price };
const nick = { sortBy: (row: Row) => row.nick, dictionary: true };
const nicks = ['@ёлка', '@Ёлка', '@a2', '@a10', '@я'];
const rowOf = (id: number, at: number): Row => ({ id, price: at % 7, nick: nicks[at % nicks.length] ?? '' });
const rows = (count: number): readonly Row[] => Array.from({ length: count }, (_, id) => rowOf(id, id * 3));

/** As the platform sorts, which keeps what ties. */
const sorted = (list: readonly Row[], order: { compare: (a: Row, b: Row) => number }): readonly Row[] =>
  list.toSorted(order.compare);

type Step = { readonly kind: 'change' | 'add' | 'remove'; readonly at: number; readonly to: number };
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('change', 'add', 'remove'),
  at: fc.nat(400),
  to: fc.nat(100),
});
const taken = (list: readonly Row[], { kind, at, to }: Step, nextId: number): readonly Row[] => {
  const place = list.length === 0 ? 0 : at % list.length;
  if (kind === 'add') return [...list, rowOf(nextId, to)];
  const row = list[place];
  if (!row) return list;
  return kind === 'remove' ? list.toSpliced(place, 1) : list.with(place, rowOf(row.id, to));
};

describe('rows that are kept in order while some change', () => {
  it('KR-1 whatever changed, came and went, the order is the one of sorting anew, and what is let through too', () => {
    const orders = [price, nick].flatMap((column) =>
      (['asc', 'desc'] as const).map((direction) => columnOrder<Row>(column, direction, byId)),
    );
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 12 }), (rounds) => {
        const fits = (row: Row): boolean => row.price > 2;
        const keepers = orders.map((order) => ({ order, keep: orderKeeper<Row>(order) }));
        const filter = filterKeeper<Row>();
        let list = rows(60);
        let nextId = 1000;
        for (const round of [[], ...rounds]) {
          for (const one of round) list = taken(list, one, (nextId += 1));
          for (const { order, keep } of keepers) expect(keep(list)).toEqual(sorted(list, order));
          expect(filter(list, fits)).toEqual(list.filter(fits));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('KR-2 of 100,000 rows a changed one alone is asked for its value and whether it fits, and nothing moves but it', () => {
    const many = Array.from({ length: 100_000 }, (_, id) => rowOf(id, id));
    const asked = { values: 0, fits: 0 };
    const column = {
      sortBy: (row: Row) => {
        asked.values += 1;
        return row.price;
      },
    };
    const order = columnOrder<Row>(column, 'asc', byId);
    const [keep, filter] = [orderKeeper<Row>(order), filterKeeper<Row>()];
    const fits = (): boolean => {
      asked.fits += 1;
      return true;
    };
    const before = filter(keep(many), fits);
    const changed = many.with(70_000, { ...rowOf(70_000, 5), price: 3.5 });
    Object.assign(asked, { values: 0, fits: 0 });
    const after = filter(keep(changed), fits);
    const wanted = sorted(changed, columnOrder<Row>(price, 'asc', byId));
    expect(after.length === wanted.length && after.every((row, index) => row === wanted[index])).toBe(true);
    expect(asked.fits).toBe(1);
    // A few searches by halves, each step comparing two rows.
    expect(asked.values).toBeLessThan(200);
    const known = new Set(before);
    expect(after.filter((row) => !known.has(row))).toHaveLength(1);
  });

  it('KR-5 the values of rows are those of counting anew, and of 100,000 rows one change alone is looked at', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const valuesOf = valueCounter((row: Row) => row.nick);
        let list = rows(4);
        steps.forEach((one, index) => {
          list = taken(list, one, 10 + index);
          expect([...valuesOf(list)].sort()).toEqual([...new Set(list.map((row) => row.nick))].sort());
        });
      }),
    );
    let asked = 0;
    const valuesOf = valueCounter((row: Row) => {
      asked += 1;
      return row.nick;
    });
    const many = rows(100_000);
    const before = valuesOf(many);
    asked = 0;
    expect(valuesOf(many.with(70_000, rowOf(70_000, 1)))).toBe(before);
    expect(asked).toBe(2);
  });

  it('KR-6 what comes by the thousand is put in among many more, which are not compared with one another again', () => {
    const all = rows(100_000);
    const come = all.filter(({ id }) => id % 20 === 7);
    const known = all.filter(({ id }) => id % 20 !== 7);
    // In an order that is not the one in which they come.
    const rank = ({ id }: Row): number => (id * 7919) % 100_003;
    let compared = 0;
    const order = {
      compare: (a: Row, b: Row) => {
        compared += 1;
        return rank(a) - rank(b);
      },
      sort: (list: readonly Row[]) => list.toSorted((a, b) => order.compare(a, b)),
    };
    const keep = orderKeeper<Row>(order);
    keep(known);
    compared = 0;
    const after = keep([...known, ...come]);
    const wanted = all.toSorted((a, b) => rank(a) - rank(b));
    expect(after.length === all.length && after.every((row, index) => row === wanted[index])).toBe(true);
    // Each of those that came by halves, and them among themselves.
    expect(compared).toBeLessThan(come.length * 33);
  });

  it('KR-3 rows that stayed are found in their places, past those that came and went', () => {
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'];
    expect([...placesBefore([a, b, c, d], [a, c, e, d])]).toEqual([0, 2, -1, 3]);
    expect([...placesBefore([a, b, c], [d, a, e, b, c])]).toEqual([-1, 0, -1, 1, 2]);
    expect([...placesBefore([], [a])]).toEqual([-1]);
  });

  it('KR-4 the same rows are the same array, so that nothing behind them is made anew', () => {
    const list = rows(10);
    const order = columnOrder<Row>(price, 'asc', byId);
    const [keep, filter] = [orderKeeper<Row>(order), filterKeeper<Row>()];
    const few = (row: Row): boolean => row.price > 3;
    const before = filter(keep(list), few);
    expect(filter(keep([...list]), few)).toBe(before);
    const hiddenOne = list.findIndex((row) => !few(row));
    expect(filter(keep(list.with(hiddenOne, { ...rowOf(hiddenOne, 0), price: 0 })), few)).toBe(before);
    expect(filter(list, () => true)).toBe(list);
  });

  it('KR-8 whatever is looked for among rows in order, those in sight are in the order of sorting anew', () => {
    const orders = [price, nick].map((column) => columnOrder<Row>(column, 'desc', byId));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(step, { maxLength: 4 }), fc.integer({ min: 1, max: 40 })), { maxLength: 8 }),
        (rounds) => {
          const sight = sightKeeper<Row>();
          let all = rows(1500);
          let nextId = 2000;
          for (const [changes, every] of rounds) {
            for (const change of changes) all = taken(all, change, (nextId += 1));
            const [most, few] = [(row: Row) => row.id % every !== 1, (row: Row) => row.id % every === 1];
            for (const fits of [most, few])
              for (const order of orders)
                expect(sight(all, order, fits).shown).toEqual(sorted(all.filter(fits), order));
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  it('KR-9 among 100,000 rows in order others are looked for without asking any of them for its value again', () => {
    const many = Array.from({ length: 100_000 }, (_, id) => rowOf(id, id));
    let asked = 0;
    const order = columnOrder<Row>({ sortBy: (row) => ((asked += 1), row.price) }, 'asc', byId);
    const [keep, filter] = [orderKeeper<Row>(order), filterKeeper<Row>()];
    keep(many);
    asked = 0;
    const dear = (row: Row): boolean => row.price > 2;
    const shown = filter(keep(many), dear);
    filter(keep(many), (row) => row.price > 4);
    expect(asked).toBe(0);
    expect(shown).toEqual(sorted(many.filter(dear), columnOrder<Row>(price, 'asc', byId)));
  });

  it('KR-7 rows of equal value stand oldest first in a rising order and newest first in a falling one, sorted anew or put in', () => {
    const list = [1, 2, 3, 4].map((id): Row => ({ id, price: id === 2 ? 9 : 5, nick: '@a' }));
    for (const [direction, wanted] of [
      ['asc', [1, 3, 4, 5, 2]],
      ['desc', [2, 5, 4, 3, 1]],
    ] as const) {
      const order = columnOrder<Row>(price, direction, byId);
      const keep = orderKeeper<Row>(order);
      keep(list);
      const more = [...list, { id: 5, price: 5, nick: '@a' }];
      for (const ordered of [order.sort(more), keep(more)]) expect(ordered.map(({ id }) => id)).toEqual(wanted);
    }
  });

  it('KR-13 with remembered changes too, order, filter and count are those of all rows anew', () => {
    const orders = [price, nick].map((column) => columnOrder<Row>(column, 'asc', byId));
    const fits = (row: Row): boolean => row.price > 2;
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 12 }), (rounds) => {
        const keepers = orders.map((order) => ({ order, keep: orderKeeper<Row>(order), filter: filterKeeper<Row>() }));
        const [filter, count] = [filterKeeper<Row>(), countKeeper(fits)];
        let list = rows(60);
        let nextId = 1000;
        for (const round of [[], ...rounds]) {
          for (const one of round) {
            const next = taken(list, one, (nextId += 1));
            if (one.kind === 'change') rememberChange(list, next, [one.at % list.length]);
            list = next;
          }
          const shown = list.filter(fits);
          expect(filter(list, fits)).toEqual(shown);
          expect(count(list)).toBe(shown.length);
          for (const { order, keep, filter: filterOrdered } of keepers) {
            expect(keep(list)).toEqual(sorted(list, order));
            expect(filterOrdered(keep(list), fits)).toEqual(sorted(shown, order));
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('KR-14 of 100,000 rows those alone are looked at of which it is remembered that they changed', () => {
    const many = rows(100_000);
    let looked = 0;
    const after = new Proxy(many.with(70_000, rowOf(70_000, 1)), {
      get(list, place, receiver): unknown {
        if (typeof place === 'string' && /^\d+$/u.test(place)) looked += 1;
        return Reflect.get(list, place, receiver);
      },
    });
    rememberChange(many, after, [70_000, 70_001]);
    expect(differences(many, after)).toEqual([70_000]);
    expect(looked).toBe(2);
  });

  it('KR-15 a row that stays in sight takes its place there, of which it is remembered that it alone changed', () => {
    const many = rows(1000);
    const few = (row: Row): boolean => row.id % 3 === 1;
    const filter = filterKeeper<Row>();
    const keep = orderKeeper<Row>(columnOrder<Row>({ sortBy: (row) => row.id }, 'desc', byId));
    const [before, ordered] = [filter(many, few), keep(filter(many, few))];
    const next = many.with(700, rowOf(700, 1));
    rememberChange(many, next, [700]);
    const [after, orderedAfter] = [filter(next, few), keep(filter(next, few))];
    expect([after[233], differences(before, after)]).toEqual([next[700], [233]]);
    expect([orderedAfter.indexOf(next[700] as Row), differences(ordered, orderedAfter)]).toEqual([99, [99]]);
  });

  it('KR-20 what differs between two lists are the rows that went and those that came, wherever a row moved to', () => {
    const all = rows(2000);
    const one = rowOf(7, 5);
    expect(changedRows(all, all)).toEqual({ gone: [], come: [] });
    expect(changedRows(all, all.with(7, one))).toEqual({ gone: [all[7]], come: [one] });
    const moved = all.toSpliced(7, 1).toSpliced(1500, 0, one);
    expect(changedRows(all, moved)).toEqual({ gone: [all[7]], come: [one] });
    expect([changedRows(all, all.slice(0, 1400)), changedRows(all.slice(0, 1400), all)]).toEqual([null, null]);
    expect(changedRows(all.slice(0, 1400), all, 600)?.come).toEqual(all.slice(1400));
  });

  it('GRD-3200 while a narrower search is prepared, a row that changes in the wider one is asked alone, in both', () => {
    let [asked, compared] = [0, 0];
    const narrows = (fits: unknown, wider: unknown): boolean => fits === few || wider === some;
    const some = (row: Row): boolean => ((asked += 1), row.id % 2 === 1);
    const few = (row: Row): boolean => ((asked += 1), row.id % 6 === 1);
    const order = columnOrder<Row>({ sortBy: (row) => ((compared += 1), row.id) }, 'desc', byId);
    const [filter, keep] = [filterKeeper<Row>(narrows), orderKeeper<Row>(order)];
    const shown = (list: readonly Row[], fits: (row: Row) => boolean) => filter(keep(list), fits);
    let list = rows(10_000);
    shown(list, some);
    shown(list, few);
    [asked, compared] = [0, 0];
    for (let turn = 1; turn <= 5; turn += 1) {
      // 6 × place + 1 fits both.
      list = list.with(600 * turn + 1, rowOf(600 * turn + 1, turn));
      const [wide, narrow] = [shown(list, some), shown(list, few)];
      expect([wide.length, narrow.length]).toEqual([5000, 1667]);
      expect([wide.includes(list[600 * turn + 1] as Row), narrow.includes(list[600 * turn + 1] as Row)]).toEqual([
        true,
        true,
      ]);
    }
    expect(asked).toBe(10);
    expect(compared).toBeLessThan(1000);
  });

  it('GRD-3201 while another order is prepared, a row that changes moves alone in both', () => {
    let asked = 0;
    const counted = (sortBy: (row: Row) => number) => ({ sortBy: (row: Row) => ((asked += 1), sortBy(row)) });
    const orders = [counted(({ price: amount }) => amount), counted(({ id }) => id)].map((column) =>
      columnOrder<Row>(column, 'asc', byId),
    );
    const sight = sightKeeper<Row>();
    const every = (): boolean => true;
    let list = rows(10_000);
    for (const order of orders) sight(list, order, every);
    asked = 0;
    for (let turn = 1; turn <= 5; turn += 1) {
      list = list.with(turn, rowOf(turn, turn));
      for (const order of orders) expect(sight(list, order, every).ordered).toEqual(sorted(list, order));
    }
    const afterwards = asked;
    asked = 0;
    for (let turn = 1; turn <= 5; turn += 1) for (const order of orders) sorted(list, order);
    // Those of the check itself are most of them.
    expect(afterwards - asked).toBeLessThan(2000);
  });

  it('GRD-3300 in another order no row is asked again whether it fits, also while the one before goes on to change', () => {
    let asked = 0;
    const orders = [price, nick].map((column) => columnOrder<Row>(column, 'asc', byId));
    const few = (row: Row): boolean => ((asked += 1), row.id % 3 === 1);
    const sight = sightKeeper<Row>();
    let list = rows(10_000);
    sight(list, orders[0] ?? null, few);
    expect(asked).toBe(list.length);
    asked = 0;
    const { ordered, shown } = sight(list, orders[1] ?? null, few);
    expect(asked).toBe(0);
    const wanted = sorted(list, columnOrder<Row>(nick, 'asc', byId));
    expect(ordered).toEqual(wanted);
    expect(shown).toEqual(wanted.filter(({ id }) => id % 3 === 1));
    for (let turn = 1; turn <= 5; turn += 1) {
      list = list.with(turn, rowOf(turn, turn + 3));
      for (const order of orders)
        expect(sight(list, order, few).shown).toEqual(
          sorted(
            list.filter(({ id }) => id % 3 === 1),
            order,
          ),
        );
    }
    expect(asked).toBe(10);
  });

  it('GRD-3530 whatever changes while another order and another question are prepared, what is drawn then is that of all rows anew', () => {
    const orders = [price, nick].flatMap((column) =>
      (['asc', 'desc'] as const).map((way) => columnOrder<Row>(column, way, byId)),
    );
    const questions = [0, 1, 2, 3].map((rest) => (row: Row) => rest === 0 || row.id % 4 >= rest);
    const narrows = (one: (row: Row) => boolean, other: (row: Row) => boolean): boolean =>
      questions.indexOf(one) >= questions.indexOf(other);
    const asks = fc.record({ order: fc.nat(3), question: fc.nat(3), changes: fc.array(step, { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(asks, { minLength: 1, maxLength: 6 }), fc.boolean(), (rounds, isNarrowing) => {
        const sight = sightKeeper<Row>(isNarrowing ? narrows : undefined);
        let all = rows(5000);
        let nextId = 6000;
        let [order, fits] = [orders[0] ?? null, questions[0] as (row: Row) => boolean];
        const look = () =>
          expect(sight(all, order, fits).shown).toEqual(sorted(all.filter(fits), order as (typeof orders)[number]));
        look();
        for (const { order: to, question, changes } of rounds) {
          const wanted = [orders[to] ?? null, questions[question] as (row: Row) => boolean] as const;
          const preparing = sight.prepare(all, ...wanted);
          const left = [...changes];
          while (preparing.next().done !== true) {
            const change = left.shift();
            if (change === undefined) continue;
            all = taken(all, change, (nextId += 1));
            look();
          }
          expect(sight.knows(...wanted)).toBe(true);
          [order, fits] = wanted;
          look();
        }
      }),
      { numRuns: 12 },
    );
  });

  it('GRD-3531 of 100,000 rows each step asks two thousand at most, and what is drawn then asks none', () => {
    let asked = 0;
    const counted = <Value>(value: Value): Value => ((asked += 1), value);
    const order = columnOrder<Row>({ sortBy: (row) => counted(row.price) }, 'desc', byId);
    const [all, few] = [() => true, (row: Row): boolean => counted(row.id % 3 === 1)];
    const sight = sightKeeper<Row>();
    const many = Array.from({ length: 100_000 }, (_, id) => rowOf(id, id));
    sight(many, null, all);
    const most: number[] = [];
    for (const steps of [sight.prepare(many, order, all), sight.prepare(many, order, few)]) {
      for (let isDone = false; !isDone; ) {
        asked = 0;
        isDone = steps.next().done === true;
        most.push(asked);
      }
    }
    expect(Math.max(...most)).toBeLessThanOrEqual(2000);
    asked = 0;
    expect(sight(many, order, few).shown.length).toBe(33_333);
    expect(asked).toBe(0);
  });

  it('KR-21 rows in quite another order all count as new, and nobody looks far for them', () => {
    const many = rows(100_000);
    let looked = 0;
    const counted = new Proxy(many, {
      get(list, place, receiver): unknown {
        looked += 1;
        return Reflect.get(list, place, receiver);
      },
    });
    expect(placesBefore(counted, many.toReversed()).filter((place) => place >= 0).length).toBeLessThan(2);
    expect(looked).toBeLessThan(3 * many.length);
  });
});
