import type { PlacementRow } from '@zakup/contracts/read-models';
import * as fc from 'fast-check';
import { quotient } from '../faults/plain-report.ts';

/** What a table is narrowed by, as it is sent: a list is a member given several times. */
export type AskedTable = Readonly<Record<string, string | readonly string[]>>;

const lists = ['buyerId', 'creativeId', 'category', 'format', 'paymentStatus', 'status'] as const;

/** Any of the filters, with values of these rows, others, and bounds on and beside what they have. */
export const askedTables = (rows: readonly PlacementRow[]): fc.Arbitrary<AskedTable> => {
  const maybe = (member: fc.Arbitrary<object>): fc.Arbitrary<object> =>
    fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: member });
  const listed = lists.map((name) => {
    // Empty and overlong texts are refused, so nobody asks for them.
    const askable = rows.map((row) => row[name]).filter(({ length }) => length > 0 && length <= 100);
    const known = [...new Set(askable)].slice(0, 5);
    return maybe(fc.subarray([...known, 'nobody'], { minLength: 1 }).map((given) => ({ [name]: given })));
  });
  const bounded = (name: string, values: readonly (number | string)[]) =>
    ['From', 'To'].map((end) =>
      values.length === 0
        ? fc.constant({})
        : maybe(fc.constantFrom(...values).map((value) => ({ [`${name}${end}`]: String(value) }))),
    );
  const some = rows.slice(0, 20);
  const shownCpl = some.filter(({ leads }) => leads > 0).map(({ price, leads }) => quotient(price, leads) / 100);
  return fc
    .tuple(
      ...listed,
      ...bounded(
        'date',
        some.map(({ date }) => date),
      ),
      ...bounded('price', [1, ...some.map(({ price }) => price / 100)]),
      ...bounded('leads', [1, ...some.map(({ leads }) => leads)]),
      ...bounded('cpl', [1, ...shownCpl]),
      fc.constantFrom({}, { sortBy: 'price' }, { sortBy: 'costPerLead', sortOrder: 'desc' }),
    )
    .map((members): AskedTable => Object.assign({}, ...members));
};

/** The rows that a table is narrowed to, by plain loops over all of a campaign's, and their sums as they are told. */
export const plainTable = (rows: readonly PlacementRow[], asked: AskedTable) => {
  const within = (value: number | string, name: string, unit = 1): boolean => {
    const [from, to] = [asked[`${name}From`], asked[`${name}To`]];
    const bound = (end: string): number | string => (typeof value === 'string' ? end : Math.round(Number(end) * unit));
    return (typeof from !== 'string' || value >= bound(from)) && (typeof to !== 'string' || value <= bound(to));
  };
  const fitting = rows.filter((row) => {
    if (!lists.every((name) => asked[name] === undefined || asked[name].includes(row[name]))) return false;
    if (!within(row.date, 'date') || !within(row.price, 'price', 100) || !within(row.leads, 'leads')) return false;
    const isCplAsked = asked['cplFrom'] !== undefined || asked['cplTo'] !== undefined;
    return !isCplAsked || (row.leads > 0 && within(quotient(row.price, row.leads), 'cpl', 100));
  });
  let [price, leads, paid] = [0, 0, 0];
  for (const row of fitting) {
    price += row.price;
    leads += row.leads;
    if (row.paymentStatus === 'paid') paid += row.price;
  }
  return {
    ids: fitting.map(({ id }) => id).toSorted(),
    totals: {
      price: price / 100,
      leads,
      count: fitting.length,
      costPerLead: quotient(price, leads) / 100,
      paid: paid / 100,
      unpaid: (price - paid) / 100,
    },
  };
};
