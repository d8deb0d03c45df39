import { plainLines } from '@zakup/projections/earnings-lines';
import { declaredFields } from '@zakup/contracts/read-models';
import { resolveTerms } from '@zakup/domain/analytics/earnings';
import { kopecks } from '@zakup/domain/money';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { ReadStore } from '@zakup/read-store/read-store';
import { describe, expect, it } from 'vitest';
import { docOf, earningsRow, placementRow } from '../testing/rows.ts';
import { earningsByLine } from './earnings-by-line.ts';

const licenceId = '1a00';
const campaignId = 'k';
const doc = docOf(licenceId);
const earned = (userId: string) => doc.earnings(earningsRow({ campaignId, userId, terms: resolveTerms(null, null) }));
const bought = (buyerId: string) =>
  doc.placement(placementRow({ id: 'p', campaignId, buyerId, price: kopecks(100), leads: 1 }));

/** Ann has the placement; it passes to Bob, who had nothing, right after the first read of rows. */
const passedOn = async (): Promise<ReadStore> => {
  const store = inMemoryReadStore({ declared: declaredFields });
  const commit = (position: number, docs: readonly ReturnType<typeof earned>[]) =>
    store.commit({
      docs: docs.map((draft) => draft(position)),
      checkpoint: { partition: 'all', position, fence: 1 },
    });
  await commit(1, [earned('ann'), bought('ann')]);
  let reads = 0;
  return {
    ...store,
    async query(kind, query) {
      const found = await store.query(kind, query);
      reads += 1;
      if (reads === 1) await commit(2, [doc.gone('earnings', 'k:ann', []), earned('bob'), bought('bob')]);
      return found;
    },
  };
};

const linesOf = async (asked: { readonly userId?: string }) => {
  const told = await earningsByLine(await passedOn(), { licenceId, campaignId, ...asked }, plainLines);
  return told.map(({ userId, counted, leftOut }) => [userId, [...counted, ...leftOut].length]);
};

describe('earnings with lines over two reads', () => {
  it('EBL-1 a placement that changes hands between them is in the answer of who has it', async () => {
    expect(await linesOf({})).toEqual([['bob', 1]]);
  });

  it('EBL-2 who is asked for alone is told their own, before it or after it', async () => {
    expect(await linesOf({ userId: 'bob' })).toEqual([['bob', 1]]);
    expect(await linesOf({ userId: 'ann' })).toEqual([['ann', 0]]);
  });
});
