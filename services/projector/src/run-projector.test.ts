import type { EventStore, RecordedEvent, SubscribeOptions, SubscriptionMessage } from '@zakup/event-store/event-store';
import type { Commit, ReadStore } from '@zakup/read-store/read-store';
import { describe, expect, it } from 'vitest';
import { rebuildAll } from './rebuild.ts';
import type { BatchFigures } from './run-projector.ts';
import {
  campaignCreated,
  contractorCreated,
  documentOf,
  employeeCreated,
  type Fact,
  firstInstant,
  licenceId,
  placementAdded,
  present,
  rubles,
  testLog,
  testReadStore,
} from '@zakup/projections/testing/given';
import { foldAll, startProjector } from './testing/started.ts';

const place = { campaign: 'spring', contractor: 'masha', buyer: 'bob' };
const life: readonly Fact[] = [
  ['employee', 'bob', employeeCreated('bob', { salaryType: 'budget', salaryRate: 10 })],
  ['contractor', 'masha', contractorCreated('masha')],
  ['contractor', 'petya', contractorCreated('petya')],
  ['campaign', 'spring', campaignCreated('Весна')],
  ['placement', 'p1', placementAdded(place)],
  ['placement', 'p2', placementAdded({ ...place, contractor: 'petya' })],
  ['placement', 'p1', { type: 'PlacementContractorChanged', data: { contractorId: 'petya' } }],
  ['placement', 'p2', { type: 'PlacementRemoved', data: {} }],
  ['placement', 'p2', { type: 'PlacementRestored', data: {} }],
  ['campaign', 'spring', { type: 'CampaignDeleted', data: {} }],
  ['campaign', 'spring', { type: 'CampaignRestored', data: {} }],
  ['placement', 'p2', { type: 'PlacementLeadsRecorded', data: { leads: 4 } }],
];

const lived = async (facts: readonly Fact[] = life) => {
  const log = testLog();
  for (const fact of facts) await log.append(fact);
  return log;
};

const kinds = ['user', 'campaign', 'contractor', 'placement', 'analytics', 'earnings', 'note'] as const;
/** Everything readers can see, with scopes and positions. */
const content = async (readStore: ReadStore) => {
  const docs = await Promise.all(kinds.map((kind) => readStore.query(kind, { includeDeleted: true })));
  return docs.flatMap((answer) => answer.docs);
};

/** The store with its commits watched, and refused or broken where the test says so. */
const watched = (
  readStore: ReadStore,
  meddle: (commit: Commit, number: number) => 'refuse' | 'break' | 'lose' | null,
) => {
  const commits: Commit[] = [];
  const store: ReadStore = {
    ...readStore,
    commit: async (commit) => {
      const number = commits.push(commit);
      const how = meddle(commit, number);
      if (how === 'refuse') return { kind: 'older_checkpoint', stored: commit.checkpoint.position };
      if (how === 'break') throw new Error('The read store is away');
      const result = await readStore.commit(commit);
      if (how === 'lose') throw new Error('The answer was lost');
      return result;
    },
  };
  return { store, commits };
};

/** The log, delivering each batch several times. */
const stuttering = (eventStore: EventStore): EventStore => ({
  ...eventStore,
  async *subscribe(options: SubscribeOptions): AsyncGenerator<SubscriptionMessage> {
    let earlier: readonly RecordedEvent[] = [];
    for await (const message of eventStore.subscribe({ ...options, maxBatch: 2 })) {
      yield message;
      if (message.kind === 'events') {
        yield { kind: 'events', events: [...earlier, ...message.events] as [RecordedEvent, ...RecordedEvent[]] };
        yield message;
        earlier = message.events;
      }
    }
  },
});

describe('the runner', () => {
  it('PJ-20 the same documents come of any size of batch and commit', async () => {
    const { eventStore } = await lived();
    const whole = testReadStore();
    await foldAll({ eventStore, readStore: whole });
    for (const maxBatch of [1, 2, 5]) {
      const readStore = testReadStore();
      await foldAll({ eventStore, readStore, maxBatch, maxDocs: maxBatch });
      expect(await content(readStore)).toEqual(await content(whole));
    }
  });

  it('PJ-21 it goes on from any checkpoint', async () => {
    const whole = testReadStore();
    const log = await lived();
    await foldAll({ eventStore: log.eventStore, readStore: whole });
    for (let stop = 0; stop <= life.length; stop += 1) {
      const { eventStore, append } = await lived(life.slice(0, stop));
      const readStore = testReadStore();
      await foldAll({ eventStore, readStore });
      for (const fact of life.slice(stop)) await append(fact);
      await foldAll({ eventStore, readStore });
      expect(await content(readStore)).toEqual(await content(whole));
    }
  });

  it('PJ-22 events delivered again change nothing', async () => {
    const { eventStore } = await lived();
    const [once, again] = [testReadStore(), testReadStore()];
    await foldAll({ eventStore, readStore: once });
    await foldAll({ eventStore: stuttering(eventStore), readStore: again });
    expect(await content(again)).toEqual(await content(once));
  });

  it.each(['refuse', 'break', 'lose'] as const)(
    'PJ-23 after a commit that failed (%s) it reads again and ends with the same documents',
    async (how) => {
      const { eventStore } = await lived();
      const [plain, behind] = [testReadStore(), testReadStore()];
      await foldAll({ eventStore, readStore: plain });
      let failures = 0;
      const { store } = watched(behind, (_, number) => {
        if (number % 3 !== 1) return null;
        failures += 1;
        return how;
      });
      await foldAll({ eventStore, readStore: store, maxBatch: 2 });
      expect(await content(behind)).toEqual(await content(plain));
      expect(failures).toBeGreaterThan(1);
    },
  );

  it('PJ-24 what another writer committed is taken from the store, not from memory', async () => {
    const { eventStore, append } = await lived();
    const readStore = testReadStore();
    const projector = startProjector({ eventStore, readStore });
    await projector.waitFor(await eventStore.head());
    const position = await append(['placement', 'p1', { type: 'PlacementPriceChanged', data: { price: rubles(1) } }]);
    await foldAll({ eventStore, readStore });
    await projector.waitFor(position);
    const last = await append(['placement', 'p1', { type: 'PlacementLeadsRecorded', data: { leads: 9 } }]);
    await projector.waitFor(last);
    await projector.stop();
    const fresh = testReadStore();
    await foldAll({ eventStore, readStore: fresh });
    expect(await content(readStore)).toEqual(await content(fresh));
  });

  it('PJ-25 a lost lease ends it, and who waits is told', async () => {
    const { eventStore, append } = await lived();
    const readStore = testReadStore();
    await foldAll({ eventStore, readStore, fence: 7 });
    const projector = startProjector({ eventStore, readStore, fence: 6 });
    const position = await append(['placement', 'p1', { type: 'PlacementMarkedPaid', data: {} }]);
    await expect(projector.waitFor(position)).rejects.toThrow('lease_lost');
    expect(await projector.ended).toBe('lease_lost');
  });

  it('PJ-26 it stops on the signal, between commits', async () => {
    const { eventStore } = await lived();
    const controller = new AbortController();
    const projector = startProjector({ eventStore, readStore: testReadStore(), signal: controller.signal });
    await projector.caughtUp;
    controller.abort();
    expect(await projector.ended).toBe('stopped');
    await expect(projector.waitFor(1_000)).rejects.toThrow('stopped');
  });

  it('PJ-27 the events of one command are committed together', async () => {
    const { eventStore, append } = await lived();
    for (let n = 0; n < 20; n += 1)
      await append(
        ['contractor', `c${n}`, contractorCreated(`c${n}`)],
        [
          'placement',
          `n${n}`,
          placementAdded({ ...place, contractor: `c${n}` }),
          { type: 'PlacementMarkedPaid', data: {} },
        ],
      );
    const readStore = testReadStore();
    const { store, commits } = watched(readStore, () => null);
    await foldAll({ eventStore, readStore: store, maxDocs: 40 });
    const ends = commits.map(({ checkpoint }) => checkpoint.position);
    expect(ends.length).toBeGreaterThan(3);
    expect(ends.filter((position) => position > life.length && (position - life.length) % 3 !== 0)).toEqual([]);
    for (const { docs } of commits) expect(docs.length).toBeLessThanOrEqual(40);
  });

  it('PJ-28 a command too large for one commit is split between events', async () => {
    const { eventStore, append } = await lived();
    const facts = Array.from({ length: 300 }, (_, n): Fact => ['placement', `n${n}`, placementAdded(place)]);
    await append(...(facts as [Fact, ...Fact[]]));
    const readStore = testReadStore();
    const { store, commits } = watched(readStore, () => null);
    await foldAll({ eventStore, readStore: store, maxDocs: 100 });
    for (const { docs } of commits) expect(docs.length).toBeLessThanOrEqual(100);
    expect((await present(readStore, 'analytics'))['spring']?.total.placements).toBe(302);
  });

  it('SPEED-5 a log that is caught up with is committed in large parts, what comes after that in small ones', async () => {
    const { eventStore, append } = await lived();
    const added = (part: string): [Fact, ...Fact[]] =>
      Array.from({ length: 300 }, (_, n): Fact => ['placement', `${part}${n}`, placementAdded(place)]) as [
        Fact,
        ...Fact[],
      ];
    await append(...added('a'));
    // Until the log has published them.
    await foldAll({ eventStore, readStore: testReadStore() });
    const readStore = testReadStore();
    const { store, commits } = watched(readStore, () => null);
    const projector = startProjector({ eventStore, readStore: store });
    await projector.caughtUp;
    expect(Math.max(...commits.map(({ docs }) => docs.length))).toBeGreaterThan(500);
    const before = commits.length;
    await projector.waitFor(await append(...added('b')));
    await projector.stop();
    expect(commits.length).toBeGreaterThan(before + 1);
    for (const { docs } of commits.slice(before)) expect(docs.length).toBeLessThanOrEqual(500);
    expect((await present(readStore, 'analytics'))['spring']?.total.placements).toBe(602);
  });

  it('PJ-29 each batch tells its size, its time and how far behind it was', async () => {
    const { eventStore } = await lived();
    const figures: BatchFigures[] = [];
    await foldAll({
      eventStore,
      readStore: testReadStore(),
      now: () => firstInstant + 60_000,
      onBatch: (batch) => figures.push(batch),
    });
    expect(figures.reduce((sum, { events }) => sum + events, 0)).toBe(life.length);
    expect(figures.at(-1)).toMatchObject({ position: life.length, milliseconds: 0 });
    expect(figures[0]?.lagMilliseconds).toBeGreaterThan(0);
  });

  it('PJ-32 batches begin apart by the spacing: one that took longer, or came after a pause, is followed at once', async () => {
    const { eventStore } = await lived();
    const restsWhen = async (work: number) => {
      const rests: number[] = [];
      let time = firstInstant;
      const now = () => time;
      const wait = (milliseconds: number) => {
        rests.push(milliseconds);
        time += milliseconds;
        return Promise.resolve();
      };
      const { store } = watched(testReadStore(), () => {
        time += work;
        return null;
      });
      await foldAll({ eventStore, readStore: store, now, wait, maxBatch: 4, spacing: 8 });
      return rests;
    };
    expect(await restsWhen(3)).toEqual([5, 5, 5]);
    expect(await restsWhen(8)).toEqual([]);
    expect(await restsWhen(-50)).toEqual([8, 8, 8]);
  });

  it('PJ-34 what a former holder commits while its successor folds its first batch is refused, and counted once', async () => {
    const { eventStore, append } = await lived(life.slice(0, 4));
    const readStore = testReadStore();
    const gate = () => {
      let open = (): void => undefined;
      const passed = new Promise<void>((resolve) => {
        open = resolve;
      });
      return { open, passed };
    };
    const [asked, released, answered] = [gate(), gate(), gate()];
    let slow = false;
    const former = startProjector({
      eventStore,
      fence: 1,
      readStore: {
        ...readStore,
        async commit(commit) {
          if (!slow) return readStore.commit(commit);
          asked.open();
          await released.passed;
          const result = await readStore.commit(commit);
          answered.open();
          return result;
        },
      },
    });
    await former.waitFor(await eventStore.head());
    slow = true;
    await append(['placement', 'p1', placementAdded(place)]);
    await asked.passed;
    await append(['placement', 'p2', placementAdded(place)]);
    const successor = startProjector({
      eventStore,
      fence: 2,
      readStore: {
        ...readStore,
        async get(kind, id) {
          const doc = await readStore.get(kind, id);
          // Of the placement nothing is read: its stream begins here.
          if (kind === 'contractor') {
            released.open();
            await answered.passed;
          }
          return doc;
        },
      },
    });
    await successor.waitFor(await eventStore.head());
    expect(await former.ended).toBe('lease_lost');
    await successor.stop();
    expect((await present(readStore, 'contractor'))['masha']).toMatchObject({ totals: { placements: 2 } });
    const scratch = testReadStore();
    await foldAll({ eventStore, readStore: scratch });
    expect(await content(readStore)).toEqual(await content(scratch));
  });

  it('PJ-30 only the wanted partitions are followed, under a checkpoint of their own', async () => {
    const log = await lived();
    await log.appendAs('a100', 1, ['campaign', 'foreign', campaignCreated('Чужая')]);
    const readStore = testReadStore();
    const projector = startProjector({ eventStore: log.eventStore, readStore, partition: '3f', partitions: ['3f'] });
    await projector.waitFor(life.length);
    await projector.stop();
    expect(Object.keys(await present(readStore, 'campaign'))).toEqual(['spring']);
    expect(await readStore.checkpoint('3f')).toMatchObject({ position: life.length, fence: 1 });
  });

  it('PJ-31 a rebuild clears the store and ends with the same documents', async () => {
    const { eventStore } = await lived();
    const readStore = testReadStore();
    await foldAll({ eventStore, readStore });
    const before = await content(readStore);
    await readStore.commit({
      docs: [{ ...(await documentOf(readStore, 'placement', 'p1')), data: null, deleted: true, licenceId }],
      checkpoint: { partition: 'all', position: life.length + 1, fence: 1 },
    });
    expect(await rebuildAll({ eventStore, readStore, now: () => firstInstant })).toBe(life.length);
    expect(await content(readStore)).toEqual(before);
  });

  it('PJ-33 who read any scope before a rebuild is reset, also in a scope that nothing is in any more', async () => {
    const log = await lived();
    const readStore = testReadStore();
    await foldAll({ eventStore: log.eventStore, readStore });
    const reset = async (scope: string, since: number) =>
      (await readStore.changesSince({ licenceId, scope, since, partition: 'all' })).reset;
    await rebuildAll({ eventStore: log.eventStore, readStore, now: () => firstInstant });
    const scopes = ['workspace', 'campaign:spring', 'contractor:masha', 'person:bob', 'campaign:forgotten'];
    for (const scope of scopes) {
      for (const since of [0, 5, life.length]) expect(await reset(scope, since)).toBe(true);
    }
    const position = await log.append(['placement', 'p1', { type: 'PlacementLeadsRecorded', data: { leads: 1 } }]);
    await foldAll({ eventStore: log.eventStore, readStore });
    for (const scope of scopes) {
      expect(await reset(scope, position)).toBe(false);
      expect(await reset(scope, position - 1)).toBe(true);
    }
  });
});
