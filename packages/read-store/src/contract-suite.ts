/**
 * What every ReadStore adapter must do, by rule. Each test works on a store of its own, in a licence of its own.
 */
import * as fc from 'fast-check';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { pagesSuite } from './pages-suite.ts';
import type { Changes, DeclaredFields, JsonObject, Query, ReadDocument, ReadStore } from './read-store.ts';

/** Fields the suite queries; a store under test is opened with them. */
export const suiteDeclared: DeclaredFields = {
  placement: [
    { lookup: 'campaignId' },
    { sort: 'price', within: 'campaignId' },
    { sort: 'createdAt', within: 'campaignId' },
    'status',
    'paid',
    { lookup: 'terms.rate' },
  ],
  note: [],
  trail: [{ walk: 'of' }, { walk: 'by' }, 'text'],
};

/** An empty store and how to end it. */
export interface StoreUnderTest {
  readonly store: ReadStore;
  readonly end: () => Promise<void>;
}

const licenceId = '3flicence';
const partition = '3f';

export const aDocument = (id: string, position: number, more: Partial<ReadDocument> = {}): ReadDocument => ({
  kind: 'placement',
  id,
  licenceId,
  scopes: ['campaign:1'],
  left: [],
  position,
  deleted: false,
  data: { createdAt: '2025-01-01T00:00:00.000Z', price: position },
  ...more,
});

const deletedDocument = (id: string, position: number, more: Partial<ReadDocument> = {}): ReadDocument =>
  aDocument(id, position, { deleted: true, data: null, ...more });

/** A client's copy of one scope: the higher position wins, gone documents keep their position. */
const replica = () => {
  let copy = new Map<string, { readonly position: number; readonly data: JsonObject | null }>();
  let since: number | undefined;
  return {
    since: () => since,
    apply: (changes: Changes): void => {
      if (changes.reset || since === undefined) copy = new Map();
      for (const { doc, gone, position } of changes.docs) {
        const key = `${doc.kind}/${doc.id}`;
        if ((copy.get(key)?.position ?? -1) > position) continue;
        copy.set(key, { position, data: gone ? null : doc.data });
      }
      since = changes.position;
    },
    present: (): Record<string, unknown> =>
      Object.fromEntries([...copy].filter(([, { data }]) => data !== null).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};

export const readStoreContractSuite = (
  name: string,
  makeStore: (declared: DeclaredFields) => Promise<StoreUnderTest>,
): void => {
  describe(`ReadStore: ${name}`, () => {
    const opened: StoreUnderTest[] = [];

    const emptyStore = async (): Promise<ReadStore> => {
      const made = await makeStore(suiteDeclared);
      opened.push(made);
      return made.store;
    };

    afterEach(async () => {
      for (const { end } of opened.splice(0)) await end();
    });

    const commit = (store: ReadStore, position: number, docs: readonly ReadDocument[], fence = 1) =>
      store.commit({ docs, checkpoint: { partition, position, fence } });

    const changes = (store: ReadStore, since?: number, scope = 'campaign:1', licence = licenceId) =>
      store.changesSince({ licenceId: licence, scope, partition, ...(since === undefined ? {} : { since }) });

    const brief = ({ docs }: Changes) => docs.map(({ doc, gone, position }) => [doc.id, gone, position] as const);

    describe('documents', () => {
      it('RS-1 get answers what was committed, deleted ones too, and null for an unknown id', async () => {
        const store = await emptyStore();
        const doc = aDocument('a', 1, {
          scopes: ['workspace', 'campaign:1'],
          left: [{ scope: 'campaign:2', position: 1 }],
          data: { name: 'Реклама', list: [1, 'два', null, { deep: true }], empty: null },
        });
        await commit(store, 2, [doc, deletedDocument('b', 2)]);
        expect(await store.get('placement', 'a')).toEqual(doc);
        expect(await store.get('placement', 'b')).toEqual(deletedDocument('b', 2));
        expect(await store.get('placement', 'c')).toBeNull();
        expect(await store.get('note', 'a')).toBeNull();
      });

      it('RS-2 getMany keeps the order of the ids and leaves out absent ones', async () => {
        const store = await emptyStore();
        await commit(store, 3, [aDocument('a', 1), aDocument('b', 2), deletedDocument('c', 3)]);
        const found = await store.getMany('placement', ['c', 'x', 'a', 'b']);
        expect(found.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
        expect(await store.getMany('placement', [])).toEqual([]);
      });

      it('RS-3 a later commit replaces the whole document', async () => {
        const store = await emptyStore();
        await commit(store, 1, [aDocument('a', 1, { data: { price: 1, note: 'x' } })]);
        await commit(store, 2, [aDocument('a', 2, { data: { price: 2 } })]);
        expect(await store.get('placement', 'a')).toEqual(aDocument('a', 2, { data: { price: 2 } }));
      });

      it('RS-4 what a caller does to its objects after the commit changes nothing stored', async () => {
        const store = await emptyStore();
        const data = { price: 1 };
        await commit(store, 1, [aDocument('a', 1, { data })]);
        data.price = 2;
        expect((await store.get('placement', 'a'))?.data).toEqual({ price: 1 });
      });
    });

    describe('query', () => {
      const filled = async (): Promise<ReadStore> => {
        const store = await emptyStore();
        const row = (id: string, data: JsonObject, more: Partial<ReadDocument> = {}) =>
          aDocument(id, 1, { data, ...more });
        await commit(store, 10, [
          row('a', {
            createdAt: '2025-01-03',
            campaignId: 'c1',
            price: 300,
            status: 'DONE',
            paid: true,
            terms: { rate: 5 },
          }),
          row('b', { createdAt: '2025-01-02', campaignId: 'c1', price: 100, status: 'PENDING', paid: false }),
          row('c', { createdAt: '2025-01-01', campaignId: 'c2', price: 300, status: 'DONE', paid: false }),
          row('d', { createdAt: '2025-01-01', campaignId: 'c1', price: 300, status: 'DONE', paid: true }),
          row('e', { createdAt: '2025-01-01', campaignId: 'c1', price: 50.5, status: null }),
          row('f', { campaignId: 'c1', price: 1 }, { licenceId: '3fother' }),
          deletedDocument('g', 2),
          aDocument('h', 2, { kind: 'note', data: { text: 'x' } }),
        ]);
        return store;
      };
      const ids = async (store: ReadStore, query: Parameters<ReadStore['query']>[1]) =>
        (await store.query('placement', { licenceId, ...query })).docs.map(({ id }) => id);

      it('RS-5 equality on texts, numbers, truth values, null and dotted members', async () => {
        const store = await filled();
        expect((await ids(store, { where: { campaignId: 'c1', status: 'DONE' } })).toSorted()).toEqual(['a', 'd']);
        expect(await ids(store, { where: { price: 50.5 } })).toEqual(['e']);
        expect((await ids(store, { where: { paid: true } })).toSorted()).toEqual(['a', 'd']);
        expect((await ids(store, { where: { paid: false } })).toSorted()).toEqual(['b', 'c']);
        expect(await ids(store, { where: { status: null } })).toEqual(['e']);
        expect(await ids(store, { where: { 'terms.rate': 5 } })).toEqual(['a']);
        expect(await ids(store, { where: { campaignId: "c1' OR 1=1" } })).toEqual([]);
      });

      it('RS-6 ranges include both ends and never match an absent member', async () => {
        const store = await filled();
        expect((await ids(store, { range: { price: { min: 100, max: 300 } } })).toSorted()).toEqual([
          'a',
          'b',
          'c',
          'd',
        ]);
        expect(
          await ids(store, { range: { price: { max: 100 } }, sort: [{ field: 'price', direction: 'asc' }] }),
        ).toEqual(['e', 'b']);
        expect((await ids(store, { range: { status: { max: 'E' } } })).toSorted()).toEqual(['a', 'c', 'd']);
        expect(await ids(store, { range: { 'terms.rate': { min: 0 } } })).toEqual(['a']);
      });

      it('RS-7 sorts both ways and breaks ties by createdAt, then id, the way of the last field', async () => {
        const store = await filled();
        expect(await ids(store, { sort: [{ field: 'price', direction: 'desc' }] })).toEqual(['a', 'd', 'c', 'b', 'e']);
        expect(await ids(store, { sort: [{ field: 'price', direction: 'asc' }] })).toEqual(['e', 'b', 'c', 'd', 'a']);
        expect(
          await ids(store, {
            sort: [
              { field: 'campaignId', direction: 'desc' },
              { field: 'price', direction: 'asc' },
            ],
          }),
        ).toEqual(['c', 'e', 'b', 'd', 'a']);
        expect(await ids(store, {})).toEqual(['c', 'd', 'e', 'b', 'a']);
      });

      it('RS-8 texts sort by code point', async () => {
        const store = await emptyStore();
        const texts = ['Ё', 'а', 'я', 'ё', 'Z', 'a', '\u{1F600}', '\uFF5E', ''];
        await commit(
          store,
          1,
          texts.map((status, index) => aDocument(`t${index}`, 1, { data: { status } })),
        );
        const { docs } = await store.query('placement', { sort: [{ field: 'status', direction: 'asc' }] });
        expect(docs.map(({ data }) => data?.['status'])).toEqual([
          '',
          'Z',
          'a',
          'Ё',
          'а',
          'я',
          'ё',
          '\uFF5E',
          '\u{1F600}',
        ]);
      });

      it('RS-130 finds a member that is one of several texts, with its order, page and total, and with none of them nothing', async () => {
        const store = await emptyStore();
        const of = (id: string, campaignId: string, status: string | null, price: number): ReadDocument =>
          aDocument(id, 1, { data: { campaignId, price, ...(status !== null && { status }) } });
        await commit(store, 1, [
          of('a', '1', 'x', 3),
          of('b', '1', 'y', 2),
          of('c', '1', 'z', 1),
          of('d', '1', null, 4),
          of('e', '2', 'x', 5),
          of('f', '1', 'null', 6),
        ]);
        const found = (query: Query) =>
          store.query('placement', { licenceId, sort: [{ field: 'price', direction: 'asc' }], ...query });
        const idsOf = async (query: Query) => (await found(query)).docs.map(({ id }) => id);
        const where = { campaignId: '1' };
        expect(await idsOf({ where, among: { status: ['x', 'y', 'x'] } })).toEqual(['b', 'a']);
        expect(await idsOf({ among: { status: ['x', 'y'] } })).toEqual(['b', 'a', 'e']);
        expect(await idsOf({ where, among: { status: ['null', "o'clock"] } })).toEqual(['f']);
        expect(await found({ where, among: { status: [] } })).toEqual({ docs: [], total: 0 });
        const page = await found({ where, among: { status: ['x', 'y', 'z'] }, offset: 1, limit: 1 });
        expect([page.docs.map(({ id }) => id), page.total]).toEqual([['b'], 3]);
        const many = {
          where,
          among: { status: ['z', 'x'], campaignId: ['1'] },
          range: { price: { min: 2 } },
          limit: 2_000,
        };
        expect(await idsOf(many)).toEqual(['a']);
        await expect(store.query('placement', { among: { secret: ['1'] } })).rejects.toThrow(/secret/);
      });

      it('RS-9 pages with offset and limit; total counts all that match', async () => {
        const store = await filled();
        const page = await store.query('placement', {
          licenceId,
          sort: [{ field: 'price', direction: 'asc' }],
          offset: 1,
          limit: 2,
        });
        expect(page.docs.map(({ id }) => id)).toEqual(['b', 'c']);
        expect(page.total).toBe(5);
        expect(await ids(store, { offset: 5 })).toEqual([]);
        expect(await store.query('placement', { licenceId, limit: 0 })).toEqual({ docs: [], total: 5 });
      });

      it('RS-10 leaves out deleted documents unless asked, and other licences and kinds always', async () => {
        const store = await filled();
        expect(await ids(store, {})).not.toContain('g');
        expect(await ids(store, { includeDeleted: true })).toContain('g');
        expect(await ids(store, { includeDeleted: true })).not.toContain('f');
        expect((await store.query('placement', { licenceId: '3fother' })).docs.map(({ id }) => id)).toEqual(['f']);
        expect((await store.query('placement', {})).total).toBe(6);
        expect((await store.query('note', { licenceId })).total).toBe(1);
      });

      it('RS-11 a field that was not declared for the kind, or a page that is no number, is an error', async () => {
        const store = await filled();
        await expect(store.query('placement', { where: { secret: 1 } })).rejects.toThrow(/secret/);
        await expect(store.query('note', { sort: [{ field: 'price', direction: 'asc' }] })).rejects.toThrow(/price/);
        await expect(store.query('placement', { limit: -1 })).rejects.toThrow(RangeError);
        await expect(store.query('placement', { offset: 0.5, limit: 1 })).rejects.toThrow(RangeError);
      });

      pagesSuite(emptyStore);
    });

    describe('readEach', () => {
      const readAll = async (store: ReadStore, query: Parameters<ReadStore['readEach']>[1]) => {
        const found: string[] = [];
        await store.readEach('placement', query, (docs) => void found.push(...docs.map(({ id }) => id)));
        return found.toSorted();
      };

      it('RS-56 gives everything that fits, each once, and nothing else', async () => {
        const store = await emptyStore();
        const many = Array.from({ length: 1203 }, (_, index) =>
          aDocument(`m${index}`, 1, { data: { campaignId: `c${index % 3}`, paid: index % 2 === 0 } }),
        );
        await commit(store, 2, [
          ...many,
          aDocument('other', 1, { licenceId: '3fother', data: { campaignId: 'c1' } }),
          deletedDocument('gone', 2),
          aDocument('note', 2, { kind: 'note' }),
        ]);
        const fitting = (fits: (index: number) => boolean) =>
          many.flatMap(({ id }, index) => (fits(index) ? [id] : [])).toSorted();
        expect(await readAll(store, { licenceId })).toEqual(fitting(() => true));
        expect(await readAll(store, { licenceId, where: { campaignId: 'c1' } })).toEqual(fitting((n) => n % 3 === 1));
        expect(await readAll(store, { licenceId, where: { campaignId: 'c1', paid: true } })).toEqual(
          fitting((n) => n % 6 === 4),
        );
        expect(await readAll(store, { licenceId, where: { campaignId: 'none' } })).toEqual([]);
        expect(await readAll(store, { licenceId, includeDeleted: true })).toContain('gone');
        expect(await readAll(store, {})).toContain('other');
      });

      it('RS-57 is of one snapshot, whatever is committed before the next documents are taken', async () => {
        const store = await emptyStore();
        const prices = (price: number, position: number) =>
          Array.from({ length: 1100 }, (_, index) => aDocument(`m${index}`, position, { data: { price } }));
        await commit(store, 1, prices(1, 1));
        const found: unknown[] = [];
        let takes = 0;
        await store.readEach('placement', { licenceId }, async (docs) => {
          takes += 1;
          if (takes === 1) await commit(store, 2, [...prices(2, 2).slice(0, 900), deletedDocument('m1099', 2)]);
          found.push(...docs.map(({ data }) => data?.['price']));
        });
        expect(takes).toBeGreaterThan(1);
        expect([found.length, new Set(found)]).toEqual([1100, new Set([1])]);
      });

      it('RS-58 ends with what taking throws, and refuses fields that were not declared', async () => {
        const store = await emptyStore();
        await commit(store, 1, [aDocument('a', 1)]);
        const stopped = store.readEach('placement', {}, () => {
          throw new Error('enough');
        });
        await expect(stopped).rejects.toThrow(/enough/);
        const ignore = (): void => undefined;
        await expect(store.readEach('placement', { where: { secret: 1 } }, ignore)).rejects.toThrow(/secret/);
        expect((await store.get('placement', 'a'))?.id).toBe('a');
      });
    });

    describe('walk', () => {
      const step = (n: number, more: Partial<ReadDocument> = {}): ReadDocument =>
        aDocument(String(n).padStart(4, '0'), 1, {
          kind: 'trail',
          scopes: [],
          data: { of: `o${n % 3}`, by: n % 2 === 0 ? 'even' : null, text: 'x' },
          ...more,
        });
      const filled = async (): Promise<ReadStore> => {
        const store = await emptyStore();
        const steps = Array.from({ length: 40 }, (_, n) => step(n)).toReversed();
        await commit(store, 2, [...steps, step(40, { licenceId: '3fother' }), step(41, { deleted: true, data: null })]);
        return store;
      };
      const walkedAll = async (store: ReadStore, walk: Omit<Parameters<ReadStore['scanIndex']>[1], 'licenceId'>) => {
        const ids: number[] = [];
        for (let after = walk.after; ; ) {
          const docs = await store.scanIndex('trail', {
            licenceId,
            ...walk,
            ...(after === undefined ? {} : { after }),
          });
          ids.push(...docs.map(({ id }) => Number(id)));
          after = docs.at(-1)?.id;
          if (docs.length < walk.limit) return ids;
        }
      };
      const numbers = Array.from({ length: 40 }, (_, n) => n);

      it('RS-90 page after page gives everything of a licence that is there, each once, in the order of the ids', async () => {
        const store = await filled();
        for (const limit of [1, 7, 40, 100]) {
          expect(await walkedAll(store, { direction: 'asc', limit })).toEqual(numbers);
          expect(await walkedAll(store, { direction: 'desc', limit })).toEqual(numbers.toReversed());
        }
        expect(await walkedAll(store, { direction: 'desc', after: '0005', limit: 3 })).toEqual([4, 3, 2, 1, 0]);
        expect(await store.scanIndex('trail', { licenceId, direction: 'asc', limit: 0 })).toEqual([]);
        expect(await store.scanIndex('trail', { licenceId: '3fnobody', direction: 'asc', limit: 9 })).toEqual([]);
        expect(await store.scanIndex('trail', { licenceId, direction: 'asc', limit: 1 })).toEqual([step(0)]);
      });

      it('RS-91 by one value gives what has it, in either direction', async () => {
        const store = await filled();
        const where = { field: 'of', value: 'o1' };
        const wanted = numbers.filter((n) => n % 3 === 1);
        expect(await walkedAll(store, { where, direction: 'asc', limit: 4 })).toEqual(wanted);
        expect(await walkedAll(store, { where, direction: 'desc', limit: 4 })).toEqual(wanted.toReversed());
        const even = { field: 'by', value: 'even' };
        expect(await walkedAll(store, { where: even, direction: 'desc', limit: 4 })).toHaveLength(20);
        expect(await walkedAll(store, { where: { field: 'of', value: 'o9' }, direction: 'asc', limit: 4 })).toEqual([]);
      });

      it('RS-92 what comes in behind its back is not in it, what comes in before it is', async () => {
        const store = await filled();
        const first = await store.scanIndex('trail', { licenceId, direction: 'desc', limit: 10 });
        await commit(store, 3, [step(50), step(-1, { id: '0000a' })]);
        const after = first.at(-1)?.id ?? '';
        const rest = await store.scanIndex('trail', { licenceId, direction: 'desc', after, limit: 100 });
        expect(rest.map(({ id }) => id)).not.toContain('0050');
        expect(rest.map(({ id }) => id)).toContain('0000a');
        expect(rest).toHaveLength(31);
      });

      it('RS-93 goes by declared fields alone, and what is walked is in no scope', async () => {
        const store = await filled();
        const walk = { licenceId, direction: 'asc', limit: 1 } as const;
        for (const field of ['text', 'secret'])
          await expect(store.scanIndex('trail', { ...walk, where: { field, value: 'x' } })).rejects.toThrow(field);
        await expect(store.scanIndex('trail', { ...walk, limit: 0.5 })).rejects.toThrow(RangeError);
        await expect(commit(store, 9, [step(60, { scopes: ['workspace'] })])).rejects.toThrow(/private/);
        expect((await store.query('trail', { licenceId, where: { of: 'o1', text: 'x' }, limit: 3 })).total).toBe(13);
      });
    });

    describe('commit', () => {
      it('RS-12 keeps documents and checkpoint together', async () => {
        const store = await emptyStore();
        expect(await store.checkpoint(partition)).toBeNull();
        expect(await commit(store, 5, [aDocument('a', 4)], 7)).toEqual({ kind: 'committed' });
        expect(await store.checkpoint(partition)).toEqual({ partition, position: 5, fence: 7 });
        expect(await store.checkpoint('40')).toBeNull();
      });

      it('RS-13 refuses an older checkpoint and writes nothing', async () => {
        const store = await emptyStore();
        await commit(store, 5, [aDocument('a', 5)]);
        expect(await commit(store, 4, [aDocument('a', 4), aDocument('b', 4)])).toEqual({
          kind: 'older_checkpoint',
          stored: 5,
        });
        expect(await commit(store, 4, [])).toEqual({ kind: 'older_checkpoint', stored: 5 });
        expect(await store.get('placement', 'a')).toEqual(aDocument('a', 5));
        expect(await store.get('placement', 'b')).toBeNull();
        expect((await store.checkpoint(partition))?.position).toBe(5);
      });

      it('RS-14 refuses an equal checkpoint with documents and takes one without', async () => {
        const store = await emptyStore();
        await commit(store, 5, [aDocument('a', 5)]);
        expect(await commit(store, 5, [aDocument('b', 5)])).toEqual({ kind: 'older_checkpoint', stored: 5 });
        expect(await commit(store, 5, [], 2)).toEqual({ kind: 'committed' });
        expect(await store.checkpoint(partition)).toEqual({ partition, position: 5, fence: 2 });
        expect(await store.get('placement', 'b')).toBeNull();
      });

      it('RS-15 refuses a writer whose lease was lost, whatever its position', async () => {
        const store = await emptyStore();
        await commit(store, 5, [aDocument('a', 5)], 3);
        expect(await commit(store, 9, [aDocument('a', 9)], 2)).toEqual({ kind: 'lost_lease', fence: 3 });
        expect(await commit(store, 4, [], 2)).toEqual({ kind: 'lost_lease', fence: 3 });
        expect(await store.get('placement', 'a')).toEqual(aDocument('a', 5));
        expect(await store.checkpoint(partition)).toEqual({ partition, position: 5, fence: 3 });
      });

      it('RS-16 partitions advance apart', async () => {
        const store = await emptyStore();
        await commit(store, 5, [aDocument('a', 5)], 3);
        const other = await store.commit({ docs: [], checkpoint: { partition: '40', position: 2, fence: 1 } });
        expect(other).toEqual({ kind: 'committed' });
        expect((await store.checkpoint(partition))?.position).toBe(5);
        expect((await store.checkpoint('40'))?.position).toBe(2);
      });

      it('RS-17 one wrong document refuses the whole commit', async () => {
        const store = await emptyStore();
        const wrong = [
          aDocument('b', 6),
          aDocument('b', 1.5),
          aDocument('b', 5, { deleted: true }),
          aDocument('b', 5, { data: null }),
          aDocument('b', 5, { left: [{ scope: 'workspace', position: 6 }] }),
        ];
        for (const doc of wrong) await expect(commit(store, 5, [aDocument('a', 5), doc])).rejects.toThrow(/./);
        expect(await store.get('placement', 'a')).toBeNull();
        expect(await store.checkpoint(partition)).toBeNull();
      });

      it('RS-18 parallel commits of the same step are taken once', async () => {
        const store = await emptyStore();
        const results = await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            commit(store, 5, [aDocument('a', 5, { data: { price: index } }), aDocument(`only-${index}`, 5)]),
          ),
        );
        expect(results.filter(({ kind }) => kind === 'committed')).toHaveLength(1);
        const { docs } = await store.query('placement', { licenceId });
        expect(docs).toHaveLength(2);
      });
    });

    describe('changesSince', () => {
      it('RS-19 without since answers what is present, by position, then kind and id', async () => {
        const store = await emptyStore();
        await commit(store, 9, [
          aDocument('b', 3),
          aDocument('a', 3),
          aDocument('z', 3, { kind: 'note' }),
          aDocument('c', 1),
          deletedDocument('d', 4),
          aDocument('e', 5, { scopes: ['workspace'], left: [{ scope: 'campaign:1', position: 5 }] }),
          aDocument('f', 6, { scopes: [] }),
        ]);
        const first = await changes(store);
        expect(brief(first)).toEqual([
          ['c', false, 1],
          ['z', false, 3],
          ['a', false, 3],
          ['b', false, 3],
        ]);
        expect(first.docs[0]?.doc).toEqual(aDocument('c', 1));
        expect(first).toMatchObject({ position: 9, reset: false });
      });

      it('RS-20 since answers only what changed after it', async () => {
        const store = await emptyStore();
        await commit(store, 5, [aDocument('a', 4), aDocument('b', 5)]);
        await commit(store, 9, [aDocument('a', 7), aDocument('c', 8)]);
        expect(brief(await changes(store, 5))).toEqual([
          ['a', false, 7],
          ['c', false, 8],
        ]);
        expect(brief(await changes(store, 7))).toEqual([['c', false, 8]]);
        expect(await changes(store, 9)).toEqual({ docs: [], position: 9, reset: false });
      });

      it('RS-21 what left the scope or was deleted comes as gone at the position of that', async () => {
        const store = await emptyStore();
        await commit(store, 2, [aDocument('a', 1), aDocument('b', 2)]);
        const moved = aDocument('a', 3, { scopes: ['campaign:2'], left: [{ scope: 'campaign:1', position: 3 }] });
        await commit(store, 4, [moved, deletedDocument('b', 4)]);
        expect(brief(await changes(store, 2))).toEqual([
          ['a', true, 3],
          ['b', true, 4],
        ]);
        expect(brief(await changes(store, 2, 'campaign:2'))).toEqual([['a', false, 3]]);
        await commit(store, 6, [aDocument('a', 6, { scopes: ['campaign:2'], left: moved.left })]);
        expect(brief(await changes(store, 4))).toEqual([]);
        expect(brief(await changes(store, 2))).toEqual([
          ['a', true, 3],
          ['b', true, 4],
        ]);
        expect(brief(await changes(store, 4, 'campaign:2'))).toEqual([['a', false, 6]]);
      });

      it('RS-22 a document that left and came back is present', async () => {
        const store = await emptyStore();
        await commit(store, 1, [aDocument('a', 1)]);
        await commit(store, 2, [aDocument('a', 2, { scopes: [], left: [{ scope: 'campaign:1', position: 2 }] })]);
        await commit(store, 3, [aDocument('a', 3)]);
        for (const since of [1, 2]) expect(brief(await changes(store, since))).toEqual([['a', false, 3]]);
        expect(brief(await changes(store))).toEqual([['a', false, 3]]);
        await commit(store, 4, [aDocument('a', 4, { left: [{ scope: 'campaign:1', position: 2 }] })]);
        expect(brief(await changes(store, 1))).toEqual([['a', false, 4]]);
      });

      it('RS-23 a deleted document that was restored is present', async () => {
        const store = await emptyStore();
        await commit(store, 1, [aDocument('a', 1)]);
        await commit(store, 2, [deletedDocument('a', 2)]);
        await commit(store, 3, [aDocument('a', 3)]);
        expect(brief(await changes(store, 1))).toEqual([['a', false, 3]]);
      });

      it('RS-24 a document deleted with its scopes moved to left is gone', async () => {
        const store = await emptyStore();
        await commit(store, 1, [aDocument('a', 1)]);
        await commit(store, 2, [deletedDocument('a', 2, { scopes: [], left: [{ scope: 'campaign:1', position: 2 }] })]);
        expect(brief(await changes(store, 1))).toEqual([['a', true, 2]]);
        expect(brief(await changes(store))).toEqual([]);
      });

      it('RS-25 since at or below the floor of the scope is answered with a reset', async () => {
        const store = await emptyStore();
        await commit(store, 5, [aDocument('a', 1), deletedDocument('b', 5)]);
        await store.commit({
          docs: [aDocument('c', 8)],
          checkpoint: { partition, position: 9, fence: 1 },
          floors: [{ licenceId, scope: 'campaign:1' }],
        });
        for (const since of [0, 5, 9]) {
          const answer = await changes(store, since);
          expect(answer).toMatchObject({ position: 9, reset: true });
          expect(brief(answer)).toEqual([
            ['a', false, 1],
            ['c', false, 8],
          ]);
        }
        expect((await changes(store)).reset).toBe(false);
        expect((await changes(store, 5, 'workspace')).reset).toBe(false);
        expect((await changes(store, 5, 'campaign:1', '3fother')).reset).toBe(false);
        await commit(store, 10, []);
        expect(await changes(store, 10)).toEqual({ docs: [], position: 10, reset: false });
        expect((await changes(store, 9)).reset).toBe(true);
      });

      it('RS-26 a floor can be raised without documents, also for a scope nobody wrote to', async () => {
        const store = await emptyStore();
        await commit(store, 5, []);
        const raised = await store.commit({
          docs: [],
          checkpoint: { partition, position: 5, fence: 1 },
          floors: [{ licenceId, scope: 'person:1' }],
        });
        expect(raised).toEqual({ kind: 'committed' });
        expect(await changes(store, 5, 'person:1')).toEqual({ docs: [], position: 5, reset: true });
      });

      it('RS-27 a refused commit raises no floor', async () => {
        const store = await emptyStore();
        await commit(store, 5, [], 2);
        await store.commit({
          docs: [],
          checkpoint: { partition, position: 6, fence: 1 },
          floors: [{ licenceId, scope: 'campaign:1' }],
        });
        expect((await changes(store, 5)).reset).toBe(false);
      });

      it('RS-28 since above the checkpoint is answered with a reset', async () => {
        const store = await emptyStore();
        expect(await changes(store, 1)).toEqual({ docs: [], position: 0, reset: true });
        expect(await changes(store, 0)).toEqual({ docs: [], position: 0, reset: false });
        await commit(store, 5, [aDocument('a', 5)]);
        const answer = await changes(store, 6);
        expect(answer.reset).toBe(true);
        expect(brief(answer)).toEqual([['a', false, 5]]);
      });

      it('RS-29 licences never see each other, also with equal scope names', async () => {
        const store = await emptyStore();
        await commit(store, 5, [
          aDocument('a', 1, { scopes: ['workspace'] }),
          aDocument('b', 2, { scopes: ['workspace'], licenceId: '3fother' }),
        ]);
        expect(brief(await changes(store, undefined, 'workspace'))).toEqual([['a', false, 1]]);
        expect(brief(await changes(store, 0, 'workspace', '3fother'))).toEqual([['b', false, 2]]);
        expect(brief(await changes(store, 0, 'workspace', '3fnobody'))).toEqual([]);
      });

      it('RS-30 a large scope is answered whole and in order', async () => {
        const store = await emptyStore();
        const docs = Array.from({ length: 2_500 }, (_, index) =>
          aDocument(`d${String(index).padStart(5, '0')}`, 1 + Math.floor(index / 3)),
        );
        await commit(store, 1_000, docs);
        const answer = await changes(store);
        expect(answer.docs.map(({ doc }) => doc.id)).toEqual(docs.map(({ id }) => id));
        expect(answer.position).toBe(1_000);
        const all = await store.query('placement', { licenceId });
        expect(all.docs.map(({ id }) => id)).toEqual(docs.map(({ id }) => id));
        expect(all.total).toBe(2_500);
      });

      it('RS-31 an answer is one snapshot while commits go on', async () => {
        const store = await emptyStore();
        const step = (position: number) =>
          Array.from({ length: 1_500 }, (_, index) => aDocument(`d${index}`, position, { data: { price: position } }));
        await commit(store, 1, step(1));
        const reading = [changes(store)];
        for (let position = 2; position <= 4; position += 1) {
          const committed = commit(store, position, step(position));
          reading.push(changes(store));
          await committed;
        }
        for (const answer of await Promise.all(reading)) {
          expect(answer.docs).toHaveLength(1_500);
          expect(new Set(answer.docs.map(({ doc }) => doc.data?.['price']))).toEqual(new Set([answer.position]));
        }
      });

      it('RS-32 a client that follows step by step equals a fresh load', async () => {
        const ids = fc.constantFrom('a', 'b', 'c', 'd');
        const scopes = fc.subarray(['workspace', 'campaign:1', 'campaign:2']);
        const change = fc.record({ id: ids, scopes, deleted: fc.boolean(), price: fc.nat(9), licence: fc.nat(4) });
        const step = fc.record({
          changes: fc.array(change, { maxLength: 4 }),
          ahead: fc.nat(2),
          floor: fc.option(fc.constantFrom('workspace', 'campaign:1'), { freq: 6 }),
          reads: fc.subarray(['workspace', 'campaign:1', 'campaign:2']),
        });
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
            const { store, end } = await makeStore(suiteDeclared);
            try {
              const clients = new Map(['workspace', 'campaign:1', 'campaign:2'].map((scope) => [scope, replica()]));
              const stored = new Map<string, ReadDocument>();
              let position = 0;
              for (const [index, { changes: made, ahead, floor, reads }] of steps.entries()) {
                const docs: ReadDocument[] = [];
                for (const { id, scopes: wanted, deleted, price, licence } of made) {
                  position += 1;
                  const owner = licence === 0 ? '3fother' : licenceId;
                  const ownId = `${owner}-${id}`;
                  const before = stored.get(ownId);
                  const now = deleted ? [] : wanted;
                  const dropped = (before?.scopes ?? []).filter((scope) => !now.includes(scope));
                  const doc = aDocument(ownId, position, {
                    licenceId: owner,
                    scopes: now,
                    left: [
                      ...(before?.left ?? []).filter(({ scope }) => !now.includes(scope) && !dropped.includes(scope)),
                      ...dropped.map((scope) => ({ scope, position })),
                    ],
                    deleted,
                    data: deleted ? null : { price },
                  });
                  stored.set(ownId, doc);
                  docs.push(doc);
                }
                position += ahead;
                const result = await store.commit({
                  docs,
                  checkpoint: { partition, position, fence: index },
                  ...(floor === null ? {} : { floors: [{ licenceId, scope: floor }] }),
                });
                expect(result.kind).toBe('committed');
                for (const scope of reads) {
                  const client = clients.get(scope);
                  client?.apply(await changes(store, client.since(), scope));
                }
              }
              for (const [scope, client] of clients) {
                client.apply(await changes(store, client.since(), scope));
                const fresh = replica();
                fresh.apply(await changes(store, undefined, scope));
                expect(client.present()).toEqual(fresh.present());
                const expected = [...stored.values()].filter(
                  (doc) => doc.licenceId === licenceId && doc.scopes.includes(scope) && !doc.deleted,
                );
                expect(Object.keys(fresh.present())).toEqual(expected.map(({ id }) => `placement/${id}`).toSorted());
              }
            } finally {
              await end();
            }
          }),
          { numRuns: inject('isDeep') ? 40 : 12 },
        );
      });
    });

    describe('readScope', () => {
      const read = async (store: ReadStore, onTake: () => Promise<void> = async () => undefined) => {
        const begun: { position: number; total: number }[] = [];
        const slices: (readonly ReadDocument[])[] = [];
        await store.readScope(
          { licenceId, scope: 'campaign:1', partition },
          {
            begun: (content) => void begun.push(content),
            async take(docs) {
              expect(begun).toHaveLength(1);
              slices.push(docs);
              await onTake();
            },
          },
        );
        return { begun, slices, docs: slices.flat() };
      };
      const byId = (docs: readonly ReadDocument[]) => docs.toSorted((a, b) => (a.id < b.id ? -1 : 1));

      it('LV-2440 gives what is present in the scope, after its position and how much it is at most', async () => {
        const store = await emptyStore();
        expect(await read(store)).toMatchObject({ begun: [{ position: 0, total: 0 }], docs: [] });
        await commit(store, 9, [
          aDocument('a', 3),
          aDocument('b', 4, { kind: 'note' }),
          deletedDocument('c', 5),
          aDocument('d', 6, { scopes: ['workspace'], left: [{ scope: 'campaign:1', position: 6 }] }),
          aDocument('e', 7, { licenceId: '3fother' }),
        ]);
        const { begun, docs } = await read(store);
        expect(byId(docs)).toEqual([aDocument('a', 3), aDocument('b', 4, { kind: 'note' })]);
        expect(begun).toEqual([{ position: 9, total: expect.any(Number) as number }]);
        expect(begun[0]?.total).toBeGreaterThanOrEqual(2);
      });

      it('LV-2441 gives much in slices of one snapshot, each waiting for the one before, while commits go on', async () => {
        const store = await emptyStore();
        const step = (position: number) =>
          Array.from({ length: 1_500 }, (_, index) => aDocument(`d${index}`, position, { data: { price: position } }));
        await commit(store, 1, step(1));
        let position = 1;
        const { begun, slices, docs } = await read(store, async () => {
          position += 1;
          if (position < 4) await commit(store, position, step(position));
        });
        expect(begun).toEqual([{ position: 1, total: 1_500 }]);
        expect(slices.length).toBeGreaterThan(1);
        expect(new Set(docs.map(({ id }) => id)).size).toBe(1_500);
        expect(docs).toHaveLength(1_500);
        expect(new Set(docs.map(({ data }) => data?.['price']))).toEqual(new Set([1]));
      });

      it('LV-2442 ends with what the taker throws', async () => {
        const store = await emptyStore();
        await commit(store, 1, [aDocument('a', 1)]);
        await expect(read(store, () => Promise.reject(new Error('enough')))).rejects.toThrow(/enough/);
      });
    });

    describe('generations', () => {
      const scope = { licenceId, scope: 'campaign:1' };
      const filled = async (): Promise<ReadStore> => {
        const store = await emptyStore();
        await commit(store, 5, [aDocument('a', 4), aDocument('gone', 5)]);
        return store;
      };

      it('GEN-1 a store begins with one content, whose version is noted once', async () => {
        const store = await emptyStore();
        expect(await store.generations()).toEqual({ active: { number: 0, version: null }, next: null });
        await store.noteVersion('1');
        await store.noteVersion('2');
        expect((await store.generations()).active).toEqual({ number: 0, version: '1' });
      });

      it('GEN-2 readers see nothing of what is built beside, and what they see goes on', async () => {
        const store = await filled();
        const next = await store.beginNext('2');
        expect(await next.checkpoint(partition)).toBeNull();
        await commit(next, 3, [aDocument('b', 3)]);
        await commit(store, 6, [aDocument('c', 6)]);
        expect((await changes(store, 4)).docs.map(({ doc }) => doc.id)).toEqual(['gone', 'c']);
        expect(await store.get('placement', 'b')).toBeNull();
        expect((await store.query('placement', {})).total).toBe(3);
        expect(await next.get('placement', 'a')).toBeNull();
        expect((await next.query('placement', { where: { price: 3 } })).docs.map(({ id }) => id)).toEqual(['b']);
        expect(await store.checkpoint(partition)).toMatchObject({ position: 6 });
        expect(await next.checkpoint(partition)).toMatchObject({ position: 3 });
      });

      it('GEN-3 taking the place replaces documents and checkpoint at once, commitSignals, and resets whoever read before', async () => {
        const store = await filled();
        const seen: unknown[] = [];
        const next = await store.beginNext('2');
        await next.commit({
          docs: [
            aDocument('a', 4, { data: { price: 9 } }),
            aDocument('b', 7),
            aDocument('p', 7, { kind: 'hidden', scopes: [] }),
          ],
          checkpoint: { partition, position: 7, fence: 1 },
          floors: [scope],
        });
        store.onCommit((commitSignal) => seen.push(commitSignal));
        expect(await next.promote(1)).toEqual({ kind: 'committed' });
        expect(await store.generations()).toEqual({ active: { number: 1, version: '2' }, next: null });
        expect(await store.get('placement', 'gone')).toBeNull();
        expect((await store.getMany('placement', ['a', 'b'])).map(({ data }) => data?.['price'])).toEqual([9, 7]);
        expect(await store.get('hidden', 'p')).not.toBeNull();
        expect(await store.checkpoint(partition)).toEqual({ partition, position: 7, fence: 1 });
        for (const since of [0, 5, 6, 7]) {
          expect((await changes(store, since)).reset).toBe(true);
          expect((await changes(store, since, 'workspace')).reset).toBe(true);
        }
        await expect.poll(() => seen).toContainEqual({ partition, position: 7 });
        await commit(store, 8, [aDocument('b', 8)]);
        expect(await changes(store, 7)).toMatchObject({ reset: true, position: 8 });
        await commit(store, 9, [aDocument('b', 9)]);
        expect(brief(await changes(store, 8))).toEqual([['b', false, 9]]);
        expect(await store.purge()).toEqual(expect.any(Boolean));
        expect(await store.get('placement', 'b')).toEqual(aDocument('b', 9));
      });

      it('GEN-4 what was begun is gone on with under the same version, and begun anew under another', async () => {
        const store = await filled();
        await commit(await store.beginNext('2'), 3, [aDocument('b', 3)]);
        const again = await store.beginNext('2');
        expect(again.generation).toEqual({ number: 1, version: '2' });
        expect(await again.get('placement', 'b')).toEqual(aDocument('b', 3));
        expect(await again.checkpoint(partition)).toMatchObject({ position: 3 });
        const other = await store.beginNext('3');
        expect(other.generation).toEqual({ number: 2, version: '3' });
        expect(await other.checkpoint(partition)).toBeNull();
        expect(await other.get('placement', 'b')).toBeNull();
        await expect(again.promote(1)).rejects.toThrow(/no longer built/u);
        await store.discard();
        expect((await store.generations()).next).toBeNull();
        await expect(other.promote(1)).rejects.toThrow(/no longer built/u);
        expect(await store.get('placement', 'a')).toEqual(aDocument('a', 4));
      });

      it('GEN-7 with its indexes to be made later a content answers as before, while it is built, gone on with, and in place', async () => {
        const store = await filled();
        const next = await store.beginNext('2', { indexesLater: true });
        const [one, two] = ['1', '2'].map((campaignId) => ({ campaignId })) as [object, object];
        const docs = [
          aDocument('a', 4, { data: { ...one, price: 9 } }),
          aDocument('b', 5, { data: { ...one, price: 7 } }),
          aDocument('c', 5, { data: { ...two, price: 8 } }),
        ];
        await commit(next, 5, docs);
        const found = async (on: ReadStore): Promise<readonly string[]> => {
          const where = { campaignId: '1' };
          const page = await on.query('placement', {
            licenceId,
            where,
            sort: [{ field: 'price', direction: 'asc' }],
            limit: 5,
          });
          const all = await on.query('placement', { licenceId, where });
          expect(all.total).toBe(page.total);
          return page.docs.map(({ id }) => id);
        };
        expect(await found(next)).toEqual(['b', 'a']);
        const again = await store.beginNext('2', { indexesLater: true });
        expect(await found(again)).toEqual(['b', 'a']);
        expect(await again.promote(1)).toEqual({ kind: 'committed' });
        expect(await found(store)).toEqual(['b', 'a']);
        await commit(store, 6, [aDocument('d', 6, { data: { ...one, price: 8 } })]);
        expect(await found(store)).toEqual(['b', 'd', 'a']);
      });

      it('GEN-5 a writer that lost its lease takes no place', async () => {
        const store = await filled();
        const next = await store.beginNext('2');
        await commit(next, 9, [aDocument('b', 9)], 2);
        await commit(store, 6, [aDocument('c', 6)], 3);
        expect(await next.promote(2)).toEqual({ kind: 'lost_lease', fence: 3 });
        expect(await store.get('placement', 'b')).toBeNull();
        expect((await store.generations()).next).toEqual({ number: 1, version: '2' });
        expect(await next.promote(3)).toEqual({ kind: 'committed' });
        expect(await commit(store, 10, [], 2)).toMatchObject({ kind: 'committed' });
      });

      it('GEN-6 also a content that is not as far as what it replaces resets whoever read that', async () => {
        const store = await filled();
        const next = await store.beginNext('2');
        await commit(next, 2, [aDocument('b', 2)]);
        await next.promote(1);
        expect(await changes(store, 5)).toMatchObject({ reset: true, position: 2 });
        await commit(store, 6, [aDocument('c', 6)]);
        expect((await changes(store, 5)).reset).toBe(true);
        expect((await changes(store, 6)).reset).toBe(false);
      });
    });

    describe('scan and repair', () => {
      it('SCK-1 scan gives what is present of one licence by kind and id, private kinds too, page by page', async () => {
        const store = await emptyStore();
        const hidden = (id: string, more: Partial<ReadDocument> = {}) =>
          aDocument(id, 1, { kind: 'hidden', scopes: [], ...more });
        const note = aDocument('n', 1, { kind: 'note' });
        const ids = ['10', '2', 'я', '\u{1F600}', '\uFF5E', 'a'];
        const docs = [...ids.map((id) => aDocument(id, 1)), deletedDocument('deleted', 1), hidden('h'), note];
        await commit(store, 1, [...docs, hidden('other', { licenceId: '3fother' })]);
        const expected = [
          'hidden/h',
          'note/n',
          ...['10', '2', 'a', 'я', '\uFF5E', '\u{1F600}'].map((id) => `placement/${id}`),
        ];
        for (const limit of [1, 3, 100]) {
          const found: string[] = [];
          let after: { readonly kind: string; readonly id: string } | undefined;
          for (;;) {
            const page = await store.scan(licenceId, { limit, ...(after === undefined ? {} : { after }) });
            expect(page.length).toBeLessThanOrEqual(limit);
            for (const { kind, id, doc } of page) {
              expect(doc).toMatchObject({ kind, id });
              found.push(`${kind}/${id}`);
            }
            after = page.at(-1);
            if (after === undefined) break;
          }
          expect(found).toEqual(expected);
        }
      });

      it('SCK-2 a repair puts documents right at the position that is reached, and only there', async () => {
        const store = await emptyStore();
        const repair = (position: number, docs: readonly ReadDocument[], fence = 1) =>
          store.commit({
            docs,
            checkpoint: { partition, position, fence },
            floors: [{ licenceId, scope: 'campaign:1' }],
            repair: true,
          });
        await commit(store, 5, [aDocument('a', 4), aDocument('surplus', 5)], 2);
        const right = aDocument('a', 4, { data: { price: 9 } });
        expect(await repair(4, [right], 2)).toEqual({ kind: 'older_checkpoint', stored: 5 });
        expect(await repair(5, [right], 1)).toEqual({ kind: 'lost_lease', fence: 2 });
        for (let time = 0; time < 2; time += 1) {
          const absent = aDocument('surplus', 5, { scopes: [], deleted: true, data: null });
          expect(await repair(5, [right, absent], 2)).toEqual({ kind: 'committed' });
        }
        expect(await store.get('placement', 'a')).toEqual(right);
        expect(await changes(store, 5)).toMatchObject({ reset: true, position: 5, docs: [{ doc: right }] });
        expect((await changes(store)).docs).toHaveLength(1);
        expect((await store.query('placement', { where: { price: 9 } })).total).toBe(1);
        expect(await commit(store, 6, [aDocument('a', 6)], 2)).toEqual({ kind: 'committed' });
        expect(await store.get('placement', 'a')).toEqual(aDocument('a', 6));
      });
    });

    describe('commitSignals and ends', () => {
      it('RS-33 commitSignals after each commit, never after a refused one or a stop', async () => {
        const store = await emptyStore();
        const seen: unknown[] = [];
        const stop = store.onCommit((commitSignal) => seen.push(commitSignal));
        await commit(store, 5, [aDocument('a', 5)]);
        await commit(store, 4, []);
        await commit(store, 6, []);
        await expect
          .poll(() => seen)
          .toEqual([
            { partition, position: 5 },
            { partition, position: 6 },
          ]);
        stop();
        await commit(store, 7, []);
        await store.checkpoint(partition);
        expect(seen).toHaveLength(2);
      });

      it('RS-34 a poked listener finds at least that position', async () => {
        const store = await emptyStore();
        const found = new Promise<readonly [number, number]>((resolve) => {
          store.onCommit(({ position }) => {
            void changes(store).then((answer) => resolve([position, answer.position]));
          });
        });
        await commit(store, 5, [aDocument('a', 5)]);
        const [poked, read] = await found;
        expect(read).toBeGreaterThanOrEqual(poked);
      });

      it('RS-35 clear removes documents, floors and checkpoints, and who read before it is reset', async () => {
        const store = await emptyStore();
        await store.commit({
          docs: [aDocument('a', 5)],
          checkpoint: { partition, position: 5, fence: 9 },
          floors: [{ licenceId, scope: 'campaign:1' }],
        });
        await store.clear();
        expect(await store.get('placement', 'a')).toBeNull();
        expect(await store.checkpoint(partition)).toBeNull();
        expect((await store.query('placement', { licenceId })).total).toBe(0);
        expect(await changes(store)).toEqual({ docs: [], position: 0, reset: false });
        await commit(store, 3, [aDocument('a', 3)]);
        await store.clear();
        await commit(store, 8, [aDocument('b', 2), aDocument('c', 7)]);
        for (const since of [0, 3, 5]) {
          const answer = await changes(store, since);
          expect(answer.reset).toBe(true);
          expect(answer.docs.map(({ doc }) => doc.id)).toEqual(['b', 'c']);
          expect((await changes(store, since, 'workspace')).reset).toBe(true);
        }
        expect(await changes(store, 6)).toMatchObject({ reset: false, docs: [{ doc: { id: 'c' } }] });
      });

      it('SCK-3 what is noted under a name is the last that was, and of no content', async () => {
        const store = await emptyStore();
        expect(await store.notice('work')).toBeNull();
        const data = { at: 1, found: [{ what: 'different' }] };
        await store.note('work', { at: 0 });
        await store.note('work', data);
        await store.clear();
        expect(await store.notice('work')).toEqual(data);
        expect(await store.notice('other')).toBeNull();
      });

      it('TT-2430 of many names what is noted under each is read at once', async () => {
        const store = await emptyStore();
        expect(await store.noticesOf(['a', 'b'])).toEqual(new Map());
        await store.note('a', { at: 1 });
        await store.note('a', { at: 2 });
        await store.note('b', { at: 3 });
        await store.note('c', { at: 4 });
        expect(await store.noticesOf(['b', 'none', 'a'])).toEqual(
          new Map([
            ['a', { at: 2 }],
            ['b', { at: 3 }],
          ]),
        );
        expect(await store.noticesOf([])).toEqual(new Map());
      });

      it('RS-36 closing twice is quiet', async () => {
        const store = await emptyStore();
        await store.close();
        await store.close();
        expect(await Promise.resolve(true)).toBe(true);
      });
    });
  });
};
