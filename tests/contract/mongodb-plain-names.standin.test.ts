import { aDocument, suiteDeclared } from '@zakup/read-store/contract-suite';
import {
  type MongoReadStore,
  type MongoReadStoreOptions,
  mongoReadStore,
} from '@zakup/read-store/mongodb/mongo-read-store';
import { type Collection, type Db, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Hold } from '../support/mongodb-standin/faults.ts';
import { type MongoDbStandIn, startMongoDbStandIn } from '../support/mongodb-standin/mongodb-standin.ts';

const partition = '3f';
const licenceId = '3flicence';

interface Named {
  readonly _id: string;
}

/** A real server lets nobody stop between two of its commands. */
describe('the plain names in MongoDB while contents are replaced (stand-in)', () => {
  let standIn: MongoDbStandIn;
  let client: MongoClient;
  let databases = 0;
  const ends: (() => Promise<void>)[] = [];
  const holds: Hold[] = [];

  beforeAll(async () => {
    standIn = await startMongoDbStandIn();
    client = new MongoClient(standIn.url('admin'));
  });
  afterEach(async () => {
    for (const one of holds.splice(0)) one.release();
    for (const end of ends.splice(0)) await end();
  });
  afterAll(async () => {
    await client.close();
    await standIn.stop();
  });

  const newName = (): string => {
    databases += 1;
    return `names_${databases}`;
  };
  const raw = (name: string): Db => client.db(name);
  const plain = (name: string): Collection<Named> => raw(name).collection<Named>('placements');
  const open = async (name: string, more: Partial<MongoReadStoreOptions> = {}): Promise<MongoReadStore> => {
    const store = await mongoReadStore({ url: standIn.url(name), declared: suiteDeclared, ...more });
    ends.push(() => store.close());
    return store;
  };
  /** The command waits from when it comes, as if its sender were slow or had ended. */
  const held = (command: string, nth = 1): Hold => {
    const hold = standIn.faults.hold(command, nth);
    holds.push(hold);
    return hold;
  };
  const at = (position: number, fence = 1) => ({ partition, position, fence });
  const filled = async (store: MongoReadStore, id: string, position = 3): Promise<void> => {
    await store.commit({ docs: [aDocument(id, position)], checkpoint: at(position) });
  };
  const built = async (store: MongoReadStore, id: string, { version = id, position = 4, fence = 1 } = {}) => {
    const next = await store.beginNext(version);
    await next.commit({ docs: [aDocument(id, position)], checkpoint: at(position, fence) });
    return next;
  };
  const shown = async (name: string): Promise<readonly string[]> =>
    (await plain(name).find().toArray()).map(({ _id }) => _id);
  const views = async (name: string): Promise<readonly string[]> => {
    const listed = await raw(name).listCollections({ type: 'view' }).toArray();
    return listed.map((one) => (one as { readonly options?: { readonly viewOn?: string } }).options?.viewOn ?? '');
  };
  const kinds = Object.keys(suiteDeclared).length;

  const steps = [
    ['its first renaming', 'renameCollection', 1],
    ['its first view', 'create', 1],
    ['its second renaming', 'renameCollection', 2],
    ['its second view', 'create', 2],
  ] as const;

  it.each(steps)(
    'MRS-1148 broken off before %s, it is gone on with by the next start; who is late after that does no harm',
    async (_, command, nth) => {
      const name = newName();
      const store = await open(name);
      await filled(store, 'old');
      const next = await built(store, 'new');
      const step = held(command, nth);
      const taking = next.promote(1);
      await step.arrived;
      await open(name);
      expect(await shown(name)).toEqual(['new']);
      const settled = await views(name);
      expect(settled.every((source) => source.endsWith('.g1'))).toBe(true);
      step.release();
      expect(await taking).toEqual({ kind: 'committed' });
      expect([await shown(name), await views(name)]).toEqual([['new'], settled]);
    },
  );

  it('MRS-1149 every kind has its view after a swap, and is pointed on by the next one', async () => {
    const name = newName();
    const store = await open(name);
    await filled(store, 'old');
    for (const number of [1, 2, 3]) {
      await (await built(store, `new${number}`)).promote(1);
      const sources = await views(name);
      expect(sources.length).toBeLessThanOrEqual(kinds);
      expect(sources.every((source) => source.endsWith(`.g${number}`))).toBe(true);
      expect(await shown(name)).toEqual([`new${number}`]);
    }
  });

  it('MRS-1150 of two that replace contents one after the other the slower one leaves what is read now', async () => {
    const name = newName();
    const [slow, fast] = [await open(name), await open(name)];
    await filled(slow, 'old');
    await (await built(slow, 'first')).promote(1);
    const next = await built(slow, 'second');
    const step = held('collMod');
    const taking = next.promote(1);
    await step.arrived;
    await (await built(fast, 'third', { position: 5, fence: 2 })).promote(2);
    expect(await shown(name)).toEqual(['third']);
    step.release();
    expect(await taking).toEqual({ kind: 'committed' });
    expect(await shown(name)).toEqual(['third']);
    expect((await views(name)).every((source) => source.endsWith('.g3'))).toBe(true);
  });

  it('MRS-1151 a connection that is cut between the steps: the names are right when the place is taken', async () => {
    for (const [command, nth] of [
      ['renameCollection', 1],
      ['create', 2],
      ['listCollections', 1],
    ] as const) {
      for (const done of ['carried out', 'not carried out'] as const) {
        const name = newName();
        const store = await open(name);
        await filled(store, 'old');
        const next = await built(store, 'new');
        standIn.faults.dropDuring(command, nth, done);
        expect(await next.promote(1)).toEqual({ kind: 'committed' });
        expect(await shown(name)).toEqual(['new']);
      }
    }
  });

  it('MRS-1152 who cannot change the names has taken the place all the same; who tidies up settles them', async () => {
    const name = newName();
    const warned: string[] = [];
    const log = { warn: (_: object, message: string) => void warned.push(message) };
    const store = await open(name, { commitPatience: 0, log });
    await filled(store, 'old');
    const next = await built(store, 'new');
    standIn.faults.dropDuring('renameCollection');
    expect(await next.promote(1)).toEqual({ kind: 'committed' });
    expect(warned).toEqual(['The plain names show a former content until they can be changed']);
    expect(await store.get('placement', 'new')).not.toBeNull();
    expect(await store.purge()).toBe(false);
    expect(await shown(name)).toEqual(['new']);
  });

  it('MRS-1154 a first commit beside a swap is of the content before it, or of the one after, never of both', async () => {
    const name = newName();
    const [store, other] = [await open(name), await open(name)];
    const next = await other.beginNext('v1');
    const step = held('insert');
    const committing = store.commit({ docs: [aDocument('a', 1)], checkpoint: at(1) });
    await step.arrived;
    const ended = (): number => {
      const { commitTransaction = 0, abortTransaction = 0 } = standIn.faults.counts().commands;
      return commitTransaction + abortTransaction;
    };
    const before = ended();
    const taking = next.promote(1);
    await expect.poll(ended).toBeGreaterThan(before);
    step.release();
    expect(await committing).toEqual({ kind: 'committed' });
    expect(await taking).toEqual({ kind: 'committed' });
    const [found, checkpoint] = [await other.query('placement', {}), await other.checkpoint(partition)];
    const { docs } = await other.changesSince({ licenceId, scope: 'campaign:1', partition });
    expect(docs.map(({ doc }) => doc.id)).toEqual(found.docs.map(({ id }) => id));
    expect(found.total).toBe(checkpoint === null ? 0 : 1);
  });

  it('MRS-1156 whoever builds goes on with nothing that another one has made what is read, or has given up', async () => {
    const name = newName();
    const [early, late] = [await open(name), await open(name)];
    await filled(early, 'old', 5);
    const next = await built(early, 'new', { version: 'v1', position: 5 });
    // The next holder of the lease goes on with it, from where it was when the earlier one is done with it.
    const same = await late.beginNext('v1');
    expect(same.generation).toEqual(next.generation);
    expect(await next.promote(1)).toEqual({ kind: 'committed' });
    const behind = aDocument('new', 2, { data: { price: 2 } });
    expect(await same.commit({ docs: [behind], checkpoint: at(2, 2) })).toEqual({ kind: 'lost_lease', fence: 2 });
    expect(await late.get('placement', 'new')).toEqual(aDocument('new', 5));
    const given = await early.beginNext('v2');
    await late.discard();
    expect(await late.purge()).toBe(false);
    expect(await given.commit({ docs: [behind], checkpoint: at(2, 2) })).toEqual({ kind: 'lost_lease', fence: 2 });
    const left = await raw(name).listCollections({ name: /\.g2$/u }, { nameOnly: true }).toArray();
    expect(left).toEqual([]);
  });

  describe('read by a process that knows of the first content alone', () => {
    const gap = { licenceId, scope: 'campaign:1', partition };
    const reads: readonly (readonly [string, (reader: MongoReadStore) => Promise<readonly string[]>])[] = [
      ['one', async (reader) => [(await reader.get('placement', 'both'))?.id ?? 'none']],
      ['many', async (reader) => (await reader.getMany('placement', ['both', 'new'])).map(({ id }) => id)],
      ['a page', async (reader) => (await reader.query('placement', { licenceId })).docs.map(({ id }) => id)],
      ['changes', async (reader) => (await reader.changesSince(gap)).docs.map(({ doc }) => doc.id)],
      ['all', async (reader) => (await reader.scan(licenceId, { limit: 9 })).map(({ id }) => id)],
      [
        'each',
        async (reader) => {
          const ids: string[] = [];
          await reader.readEach('placement', { licenceId }, (docs) => void ids.push(...docs.map(({ id }) => id)));
          return ids;
        },
      ],
    ];

    const finds = [1, 2, 3, 4, 5];
    const moments = ['between a name and its view', 'after the swap'] as const;
    it.each(
      reads.flatMap(([what, read]) =>
        finds.flatMap((nth) => moments.map((moment) => [what, nth, moment, read] as const)),
      ),
    )(
      'MRS-1153 %s, its find %i going on %s: nothing is missed nor of two contents',
      async (what, nth, moment, read) => {
        const name = newName();
        const [writer, reader] = [await open(name), await open(name)];
        await writer.commit({ docs: [aDocument('both', 2), aDocument('old', 3)], checkpoint: at(3) });
        const next = await writer.beginNext('v1');
        await next.commit({ docs: [aDocument('both', 2)], checkpoint: at(3) });
        const step = held('find', nth);
        const reading = read(reader);
        // It needs fewer finds than that.
        const isOver = await Promise.race([reading.then(() => true), step.arrived.then(() => false)]);
        if (isOver) step.release();
        // Of a snapshot from before this the view would show what was never read.
        await next.commit({ docs: [aDocument('new', 4)], checkpoint: at(4) });
        const naming = held('create');
        const taking = next.promote(1);
        if (!isOver) await naming.arrived;
        if (moment === 'after the swap') {
          naming.release();
          await taking;
        }
        step.release();
        const ids = (await reading).toSorted();
        naming.release();
        await taking;
        const wanted = {
          one: [['both']],
          many: [['both'], ['both', 'new']],
          several: [
            ['both', 'old'],
            ['both', 'new'],
          ],
        };
        expect(what in wanted ? wanted[what as 'one' | 'many'] : wanted.several).toContainEqual(ids);
      },
    );
  });
});
