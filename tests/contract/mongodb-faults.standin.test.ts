import { aDocument, suiteDeclared } from '@zakup/read-store/contract-suite';
import { mongoLeases } from '@zakup/read-store/mongodb/mongo-leases';
import {
  type MongoReadStore,
  type MongoReadStoreOptions,
  mongoReadStore,
} from '@zakup/read-store/mongodb/mongo-read-store';
import { ReadStoreUnavailable } from '@zakup/read-store/read-store';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endedAt } from '../support/mongodb-standin/ended-socket.ts';
import { type MongoDbStandIn, startMongoDbStandIn } from '../support/mongodb-standin/mongodb-standin.ts';

const partition = '3f';
const licenceId = '3flicence';

/** A real server does not misbehave on order. */
describe('MongoDB that misbehaves (stand-in)', () => {
  let standIn: MongoDbStandIn;
  let databases = 0;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    standIn = await startMongoDbStandIn();
  });
  afterEach(async () => {
    standIn.faults.allow();
    standIn.faults.delay(0);
    for (const end of ends.splice(0)) await end();
  });
  afterAll(() => standIn.stop());

  const newUrl = (options = ''): string => {
    databases += 1;
    return `${standIn.url(`faults_${databases}`)}&serverSelectionTimeoutMS=700${options}`;
  };
  const open = async (url: string, more: Partial<MongoReadStoreOptions> = {}): Promise<MongoReadStore> => {
    const store = await mongoReadStore({ url, declared: suiteDeclared, ...more });
    ends.push(() => store.close());
    return store;
  };
  const step = (store: MongoReadStore, position: number, fence = 1) =>
    store.commit({
      docs: [aDocument('a', position), aDocument(`at-${position}`, position)],
      checkpoint: { partition, position, fence },
      floors: [{ licenceId, scope: 'campaign:2' }],
    });
  /** Everything that the steps up to a position leave, and nothing else. */
  const expectSteps = async (store: MongoReadStore, position: number): Promise<void> => {
    expect((await store.checkpoint(partition))?.position).toBe(position);
    expect((await store.get('placement', 'a'))?.position).toBe(position);
    const { docs } = await store.query('placement', { licenceId });
    const steps = Array.from({ length: position }, (_, index) => `at-${index + 1}`);
    expect(docs.map(({ id }) => id).toSorted()).toEqual(['a', ...steps].toSorted());
  };

  it('MRS-20 a write conflict is tried again, and is an absent store when it does not end', async () => {
    // The server is there all the time; a busy machine may take long to find it.
    const url = standIn.url('write_conflicts');
    const [store, impatient] = [await open(url), await open(url, { commitPatience: 300 })];
    standIn.faults.conflict(3);
    expect(await step(store, 1)).toEqual({ kind: 'committed' });
    standIn.faults.conflict(1_000_000);
    await expect(step(impatient, 2)).rejects.toThrow(ReadStoreUnavailable);
    standIn.faults.conflict(0);
    await expectSteps(store, 1);
    expect(await step(store, 2)).toEqual({ kind: 'committed' });
    await expectSteps(store, 2);
  });

  const commands = ['find', 'update', 'insert', 'commitTransaction'] as const;
  for (const [index, [command, done]] of commands
    .flatMap((name) => [[name, 'carried out'] as const, [name, 'not carried out'] as const])
    .entries()) {
    it(`MRS-${30 + index} a connection cut at ${command}, ${done}: the commit is there once`, async () => {
      const store = await open(newUrl());
      standIn.faults.dropDuring(command, 1, done);
      expect(await step(store, 1)).toEqual({ kind: 'committed' });
      if (command !== 'insert') standIn.faults.dropDuring(command, 1, done);
      expect(await step(store, 2)).toEqual({ kind: 'committed' });
      await expectSteps(store, 2);
    });
  }

  it.each(commands.flatMap((command) => [[command, 'ended'] as const, [command, 'closed'] as const]))(
    'MRS-56 when %s is sent on a connection that is %s: the commit is there once',
    async (command, how) => {
      const store = await open(newUrl());
      const undo = endedAt(standIn.port, command, how);
      try {
        expect(await step(store, 1)).toEqual({ kind: 'committed' });
      } finally {
        expect(undo()).toBe(true);
      }
      expect(await step(store, 2)).toEqual({ kind: 'committed' });
      await expectSteps(store, 2);
    },
  );

  it.each(['ended', 'closed'] as const)(
    'MRS-57 a connection that is %s when a read is sent: it is sent again',
    async (how) => {
      const store = await open(newUrl());
      await step(store, 1);
      const undo = endedAt(standIn.port, 'find', how);
      try {
        expect((await store.get('placement', 'a'))?.position).toBe(1);
      } finally {
        expect(undo()).toBe(true);
      }
      await expectSteps(store, 1);
    },
  );

  it('MRS-21 every answer to a commit lost: it is open, the repetition is no older checkpoint, nor anybody else’s', async () => {
    const url = newUrl();
    const [store, other] = [await open(url, { commitPatience: 0 }), await open(url)];
    await step(store, 1);
    standIn.faults.dropDuring('commitTransaction', 1, 'carried out');
    standIn.faults.dropDuring('commitTransaction', 2, 'carried out');
    await expect(step(store, 2)).rejects.toThrow(ReadStoreUnavailable);
    expect((await other.checkpoint(partition))?.position).toBe(2);
    expect(await step(other, 2)).toEqual({ kind: 'older_checkpoint', stored: 2 });
    expect(await step(store, 2)).toEqual({ kind: 'committed' });
    expect(await step(store, 2)).toEqual({ kind: 'older_checkpoint', stored: 2 });
    await expectSteps(store, 2);
  });

  it('MRS-22 both answers to a commit lost, but time left: it is there once', async () => {
    const store = await open(newUrl());
    for (const nth of [1, 2, 3]) standIn.faults.dropDuring('commitTransaction', nth, 'carried out');
    expect(await step(store, 1)).toEqual({ kind: 'committed' });
    await expectSteps(store, 1);
  });

  it('MRS-23 a primary that steps down in the middle of commits: each is there once', async () => {
    const store = await open(newUrl());
    await step(store, 1);
    const down = standIn.faults.stepDown(300);
    for (let position = 2; position <= 6; position += 1) {
      expect(await step(store, position)).toEqual({ kind: 'committed' });
    }
    await down;
    await expectSteps(store, 6);
  });

  it('MRS-24 a restart in the middle of commits and reads: they catch up by themselves', async () => {
    const store = await open(newUrl());
    await step(store, 1);
    const restarted = standIn.faults.restart(300);
    expect(await step(store, 2)).toEqual({ kind: 'committed' });
    await restarted;
    await expectSteps(store, 2);
    standIn.faults.drop();
    expect((await store.changesSince({ licenceId, scope: 'campaign:1', partition })).docs).toHaveLength(3);
  });

  it('MRS-25 a large answer cut in the middle is read again', async () => {
    const store = await open(newUrl());
    const docs = Array.from({ length: 1_800 }, (_, index) => aDocument(`d${index}`, 1));
    await store.commit({ docs, checkpoint: { partition, position: 1, fence: 1 } });
    standIn.faults.dropDuring('getMore', 2);
    const answer = await store.changesSince({ licenceId, scope: 'campaign:1', partition });
    expect(new Set(answer.docs.map(({ doc }) => doc.id)).size).toBe(1_800);
    expect(answer.docs).toHaveLength(1_800);
    standIn.faults.dropDuring('getMore', 2);
    expect((await store.query('placement', { licenceId })).docs).toHaveLength(1_800);
  });

  it('MRS-41 answers of several commands are one snapshot, however long each takes', async () => {
    const url = newUrl();
    const [writer, reader] = [await open(url), await open(url)];
    const last = 25;
    const write = async (): Promise<void> => {
      for (let position = 1; position <= last; position += 1) {
        // Never in step with the readers.
        standIn.faults.delay(position % 6);
        const data = { createdAt: '2025', price: position };
        const docs = [
          aDocument('a', position, { data }),
          aDocument('n', position, { kind: 'note', data }),
          aDocument(`z${position}`, position, { scopes: [] }),
        ];
        await writer.commit({ docs, checkpoint: { partition, position, fence: 1 } });
      }
    };
    const positions = new Set<number>();
    const read = async (): Promise<void> => {
      for (let position = 0; position < last; ) {
        const answer = await reader.changesSince({ licenceId, scope: 'campaign:1', partition });
        ({ position } = answer);
        positions.add(position);
        expect(answer.docs.map(({ doc }) => doc.data?.['price'])).toEqual(position === 0 ? [] : [position, position]);
        const page = await reader.query('placement', { licenceId, limit: 1 });
        expect(page.total).toBe(page.docs.length === 0 ? 0 : Number(page.docs[0]?.data?.['price']) + 1);
      }
    };
    await Promise.all([write(), read(), read(), read(), read()]);
    expect(positions.size).toBeGreaterThan(2);
  });

  it('MRS-26 a server that refuses or is away is an absent store; afterwards all goes on', async () => {
    const store = await open(newUrl('&socketTimeoutMS=300'), { commitPatience: 200 });
    await step(store, 1);
    const failures = async (): Promise<void> => {
      const gap = { licenceId, scope: 'campaign:1', partition };
      await expect(store.get('placement', 'a')).rejects.toThrow(ReadStoreUnavailable);
      await expect(store.query('placement', {})).rejects.toThrow(ReadStoreUnavailable);
      await expect(store.changesSince(gap)).rejects.toThrow(ReadStoreUnavailable);
      await expect(step(store, 2)).rejects.toThrow(ReadStoreUnavailable);
    };
    standIn.faults.refuse();
    await failures();
    standIn.faults.allow();
    await expectSteps(store, 1);
    standIn.faults.refuse('secondary');
    await failures();
    standIn.faults.allow();
    await expectSteps(store, 1);
    standIn.faults.delay(2_000);
    await expect(store.get('placement', 'a')).rejects.toThrow(ReadStoreUnavailable);
    standIn.faults.delay(0);
    expect(await step(store, 2)).toEqual({ kind: 'committed' });
  });

  it('MRS-27 wrong credentials are said at opening', async () => {
    const guarded = await startMongoDbStandIn({ credentials: { user: 'zakup', password: 'right' } });
    ends.push(() => guarded.stop());
    const url = (login: string): string => guarded.url('zakup').replace('mongodb://', `mongodb://${login}`);
    const refused = await mongoReadStore({ url: url('zakup:wrong@'), declared: suiteDeclared }).catch(
      (error: unknown) => error,
    );
    expect(String(refused)).toMatch(/127\.0\.0\.1:\d+\/zakup does not accept the credentials/);
    expect(refused).not.toBeInstanceOf(ReadStoreUnavailable);
    await expect(mongoReadStore({ url: url(''), declared: suiteDeclared })).rejects.toThrow(
      /does not accept the credentials/,
    );
    const store = await open(url('zakup:right@'));
    expect(await step(store, 1)).toEqual({ kind: 'committed' });
  });

  it('MRS-28 commitSignals of another process go on after cut connections, a restart and a lost history', async () => {
    const url = newUrl();
    const [writer, reader] = [await open(url), await open(url)];
    let highest = 0;
    const waiting: { readonly position: number; readonly resolve: () => void }[] = [];
    const poked = (position: number): Promise<void> =>
      new Promise((resolve) => {
        if (position <= highest) resolve();
        else waiting.push({ position, resolve });
      });
    reader.onCommit(({ position }) => {
      highest = Math.max(highest, position);
      for (const one of waiting) if (one.position <= highest) one.resolve();
    });
    await step(writer, 1);
    await poked(1);
    const { faults } = standIn;
    const troubles: (() => Promise<void> | void)[] = [
      () => faults.endChangeStreams('resumable'),
      () => faults.endChangeStreams('history lost'),
      () => faults.drop(),
      () => faults.restart(200),
      () => faults.stepDown(200),
      async () => {
        faults.refuse();
        await Promise.resolve();
        faults.allow();
      },
    ];
    let position = 1;
    for (const trouble of troubles) {
      const over = trouble();
      position += 1;
      expect(await step(writer, position)).toEqual({ kind: 'committed' });
      await poked(position);
      await over;
      position += 1;
      await step(writer, position);
      await poked(position);
    }
  });

  it('MRS-54 requests that wait for a connection of a silent server are an absent store, like those that have one', async () => {
    // Long enough for a busy machine to open the store, and to answer when the server does.
    const store = await open(newUrl('&maxPoolSize=1&waitQueueTimeoutMS=1000&socketTimeoutMS=2000'));
    standIn.faults.delay(10_000);
    const reads = await Promise.allSettled(['a', 'b', 'c'].map((id) => store.get('placement', id)));
    standIn.faults.delay(0);
    for (const read of reads) expect(read).toMatchObject({ reason: { name: 'ReadStoreUnavailable' } });
    standIn.faults.drop();
    expect(await store.get('placement', 'a')).toBeNull();
  });

  it('MRS-29 a lease outlives a short absence of the server, is lost in a long one, and is had again afterwards', async () => {
    const url = newUrl();
    const [one, two] = await Promise.all(
      ['one', 'two'].map(async (holder) => {
        const leases = await mongoLeases({ url, holder, ttl: 1_500 });
        ends.push(() => leases.close());
        return leases;
      }),
    );
    const forEver = new AbortController().signal;
    const first = await one?.acquire('3f', forEver);
    const waiting = two?.acquire('3f', forEver);
    await standIn.faults.restart(200);
    expect(first?.lost.aborted).toBe(false);
    standIn.faults.refuse();
    await new Promise<void>((resolve) => first?.lost.addEventListener('abort', () => resolve(), { once: true }));
    standIn.faults.allow();
    const second = await waiting;
    expect(second?.fence).toBeGreaterThan(first?.fence ?? 0);
    expect(second?.lost.aborted).toBe(false);
  });

  it('MRS-55 a lease lost while the server was away is had again at once by the same process, without waiting for its own time', async () => {
    let time = 0;
    const leases = await mongoLeases({ url: newUrl(), holder: 'one', ttl: 600, clock: () => time });
    ends.push(() => leases.close());
    const forEver = new AbortController().signal;
    const first = await leases.acquire('3f', forEver);
    standIn.faults.refuse();
    time = 600;
    await new Promise<void>((resolve) => first?.lost.addEventListener('abort', () => resolve(), { once: true }));
    await first?.release();
    standIn.faults.allow();
    // The clock stands still, so no time that is waited for would ever be over.
    const again = await leases.acquire('3f', forEver);
    expect(again?.fence).toBeGreaterThan(first?.fence ?? 0);
    expect(again?.lost.aborted).toBe(false);
  });
});
