import { expect, it } from 'vitest';
import { fits, inOrder } from './documents.ts';
import type { JsonObject, Query, ReadDocument, ReadStore } from './read-store.ts';

const licenceId = '3flicence';
const count = 2_400;

const at = (number: number, more: JsonObject = {}, position = 1): ReadDocument => ({
  kind: 'placement',
  // Neither the order of creation nor that of writing.
  id: `p${(number * 1_597) % count}`,
  licenceId: number % 40 === 3 ? '3fother' : licenceId,
  scopes: [],
  left: [],
  position,
  deleted: false,
  data: {
    createdAt: `2025-01-01T00:00:${String((number * 7) % 60).padStart(2, '0')}.000Z`,
    campaignId: number % 50 === 7 ? 'small' : 'large',
    // Few values and many, some of them absent.
    ...(number % 31 === 0 ? {} : { price: number % 5 === 0 ? 10 : number % 700 }),
    status: ['DONE', 'PLANNED', null][number % 3] ?? null,
    ...more,
  },
});

/** What the documents are in the end: some are changed by the field, by another one, moved, deleted, or brought back. */
const changedOnes: readonly ReadDocument[] = Array.from({ length: count / 8 }, (_, index) => {
  const number = index * 8;
  const changes = [{ price: 5_000 - index }, { status: 'LATE' }, { campaignId: 'small' }, { createdAt: '2024-12-31' }];
  const doc = at(number, changes[index % 5] ?? {}, 2);
  return index % 5 === 4 ? { ...doc, deleted: true, data: null } : doc;
});

/** Pages of many documents, as every adapter gives them. */
export const pagesSuite = (emptyStore: () => Promise<ReadStore>): void => {
  const filled = async (): Promise<{ readonly store: ReadStore; readonly docs: readonly ReadDocument[] }> => {
    const store = await emptyStore();
    const [first, last] = [Array.from({ length: count }, (_, index) => at(index)), changedOnes];
    await store.commit({ docs: first, checkpoint: { partition: '3f', position: 1, fence: 1 } });
    await store.commit({ docs: last, checkpoint: { partition: '3f', position: 2, fence: 1 } });
    const brought = changedOnes.filter(({ deleted }) => deleted).slice(0, 20);
    const back = brought.map(({ id }): ReadDocument => {
      const doc = first.find((one) => one.id === id);
      if (doc === undefined) throw new Error(`No document ${id}`);
      return { ...doc, position: 3 };
    });
    await store.commit({ docs: back, checkpoint: { partition: '3f', position: 3, fence: 1 } });
    const docs = new Map([...first, ...last, ...back].map((doc) => [doc.id, doc]));
    return { store, docs: [...docs.values()] };
  };

  it('RS-94 every page is the part of the whole order, whichever the field, the direction and the filter', async () => {
    const { store, docs } = await filled();
    const filters: readonly Query[] = [
      { where: { campaignId: 'large' } },
      { where: { campaignId: 'small' } },
      { where: { campaignId: 'large', status: 'DONE' } },
      { where: { campaignId: 'large' }, range: { price: { min: 10, max: 300 } } },
      { where: { campaignId: 'large' }, includeDeleted: true },
    ];
    const sorts: readonly NonNullable<Query['sort']>[] = [
      ...(['price', 'status', 'createdAt'] as const).flatMap((field) => [
        [{ field, direction: 'asc' } as const],
        [{ field, direction: 'desc' } as const],
      ]),
      [
        { field: 'price', direction: 'desc' },
        { field: 'status', direction: 'asc' },
      ],
    ];
    const limit = 60;
    for (const filter of filters)
      for (const sort of sorts) {
        const query = { licenceId, ...filter, sort };
        const all = docs.filter((doc) => fits(doc, query)).toSorted(inOrder(sort));
        const offsets = [0, Math.floor(all.length / 2) + 1, all.length - 5];
        for (const offset of offsets.filter((one) => one >= 0)) {
          const page = await store.query('placement', { ...query, offset, limit });
          const asked = { ...query, offset };
          const ids = all.slice(offset, offset + limit).map(({ id }) => id);
          expect({ asked, ids: page.docs.map(({ id }) => id), total: page.total }).toEqual({
            asked,
            ids,
            total: all.length,
          });
        }
      }
  });
};
