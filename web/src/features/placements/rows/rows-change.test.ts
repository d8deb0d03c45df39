import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { expect, it } from 'vitest';
import { placementDocument } from '../../../shared/testing/placement-document.ts';
import type { Names, PlacementRow } from './placement-row.ts';
import { withSum } from './row-commands.ts';
import { leftText, withField, withoutRows } from './rows-change.ts';

const names: Names = { contractors: new Map(), users: new Map(), creatives: new Map() };
const rights = { editable: ({ id }: PlacementRow) => id !== 'locked', mayAddFor: (id: string) => id !== 'foreign' };
const rowOf = (of: Partial<PlacementWire>): PlacementRow => {
  const placement = placementDocument(of);
  return { id: placement.id, nick: '@nick', placement, stored: placement } as unknown as PlacementRow;
};
const rows = [
  rowOf({ id: 'p1', price: 500, paymentStatus: 'paid', buyerId: 'anna' }),
  rowOf({ id: 'p2', price: 700.5, paymentStatus: 'unpaid', buyerId: 'anna' }),
  rowOf({ id: 'locked', price: 1, paymentStatus: 'unpaid', buyerId: 'anna' }),
];

it('GRD-2293 a value goes to every row that may have it, and what stays is counted with its reason', () => {
  const price = withField(rows, 'price', 500, names, rights);
  expect(price.drafts).toMatchObject([{ path: '/api/placements/p2', body: { price: 500 }, baseRevision: 1 }]);
  expect(leftText(price)).toBe('1 – уже так, 1 – эту строку нельзя править');
  const paid = withField(rows, 'paymentStatus', 'paid', names, rights);
  expect(paid.drafts).toMatchObject([{ path: '/api/placements/p2/payment', body: { paymentStatus: 'paid' } }]);
  const foreign = withField(rows, 'buyerId', 'foreign', names, rights);
  expect([foreign.drafts, leftText(foreign)]).toEqual([
    [],
    '2 – этого байера вам не поставить, 1 – эту строку нельзя править',
  ]);
});

it('GRD-2294 rows go but those that may not be changed, and their sum is exact', () => {
  const removal = withoutRows(rows, rights);
  expect(removal.drafts.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'DELETE /api/placements/p1',
    'DELETE /api/placements/p2',
  ]);
  expect(withSum(removal.rows, ' на').replaceAll('\u00a0', ' ')).toBe('2 размещения на 1 200,50 ₽');
});
