import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { Query, ReadDocument } from '@zakup/read-store/read-store';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentVersions } from './document-versions.ts';
import { pastDocuments } from './past-documents.ts';

const declared = { row: [{ lookup: 'group' }, 'size', 'name'] };
const licenceId = '00';

const doc = (n: number, position: number, more: object = {}): ReadDocument => ({
  kind: 'row',
  id: `row ${n % 997}-${n}`,
  licenceId,
  scopes: [],
  left: [],
  position,
  deleted: false,
  data: { group: `g${n % 3}`, size: (n * 7919) % 101, name: `name ${n % 13}`, createdAt: `${n % 17}`, ...more },
});

/** 3,000 rows; every third is then changed, every fifth of those deleted. */
const first = Array.from({ length: 3_000 }, (_, n) => doc(n, n + 1));
const later = first.flatMap((_, n): readonly ReadDocument[] => {
  if (n % 3 !== 0) return [];
  const position = 4_000 + n;
  return n % 5 === 0 ? [{ ...doc(n, position), deleted: true, data: null }] : [doc(n, position, { group: 'g1' })];
});

const query = fc.record({
  where: fc.constantFrom<Query['where'][]>(
    undefined,
    { group: 'g1' },
    { group: 'g0', name: 'name 3' },
    { group: null },
  ),
  range: fc.constantFrom<Query['range'][]>(undefined, { size: { min: 20, max: 60 } }),
  sort: fc.constantFrom<Query['sort'][]>(
    undefined,
    [{ field: 'size', direction: 'asc' }],
    [
      { field: 'name', direction: 'desc' },
      { field: 'size', direction: 'asc' },
    ],
  ),
  offset: fc.nat(60),
  limit: fc.constantFrom(undefined, 1, 50, 2_500),
});

const plain = ({ where, range, sort, offset, limit }: { [Name in keyof Query]: Query[Name] | undefined }): Query => ({
  licenceId,
  ...(where !== undefined && { where }),
  ...(range !== undefined && { range }),
  ...(sort !== undefined && { sort }),
  ...(offset !== undefined && { offset }),
  ...(limit !== undefined && { limit }),
});

describe('documents of a moment', () => {
  it.each([
    ['in two snapshots', true],
    ['in a snapshot and what changed since', false],
  ])('TT-20 they are found and sorted as a store of that moment would (%s)', async (_, both) => {
    const kept = documentVersions(declared);
    kept.add(first);
    if (both) kept.add(later);
    const then = pastDocuments(declared, kept, 3_000);
    const now = pastDocuments(declared, kept, both ? 9_000 : 3_000, both ? [] : later);
    for (const [documents, commits] of [
      [then, [first]],
      [now, [first, later]],
    ] as const) {
      const store = inMemoryReadStore({ declared });
      for (const [index, docs] of commits.entries())
        await store.commit({ docs, checkpoint: { partition: 'all', position: 8_000 + index, fence: 0 } });
      await fc.assert(
        fc.asyncProperty(query, async (parts) => {
          const asked = plain(parts);
          expect(await documents.query('row', asked)).toEqual(await store.query('row', asked));
        }),
        { numRuns: 60 },
      );
      const ids = [doc(3, 0).id, 'none', doc(15, 0).id, doc(1, 0).id];
      expect(await documents.getMany('row', ids)).toEqual(await store.getMany('row', ids));
      for (const id of ids) expect(await documents.get('row', id)).toEqual(await store.get('row', id));
      const each: ReadDocument[] = [];
      const where = { group: 'g1' };
      await documents.readEach('row', { licenceId, where }, (docs) => {
        each.push(...docs);
      });
      const all = (await store.query('row', { licenceId, where })).docs;
      expect(each.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort());
    }
  });

  it('TT-53 others have their turn while each is looked at, however few fit', async () => {
    const kept = documentVersions(declared);
    kept.add(Array.from({ length: 60_000 }, (_, n) => doc(n, n + 1)));
    let turns = 0;
    let isOver = false;
    const look = (): void => {
      turns += 1;
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    const found: ReadDocument[] = [];
    await pastDocuments(declared, kept, 60_000).readEach('row', { licenceId, where: { size: 500 } }, (docs) => {
      found.push(...docs);
    });
    isOver = true;
    expect(found).toEqual([]);
    expect(turns).toBeGreaterThan(0);
  });

  it('TT-21 a field that was not declared is refused', async () => {
    const documents = pastDocuments(declared, documentVersions(declared), 1);
    await expect(documents.query('row', { where: { other: 1 } })).rejects.toThrow('not declared');
    expect(await documents.query('none', {})).toEqual({ docs: [], total: 0 });
  });
});
