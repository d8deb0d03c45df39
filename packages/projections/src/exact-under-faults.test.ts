import type { AnyEvent } from '@zakup/domain/catalog';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { channelDecider } from '@zakup/domain/channel/channel.decider';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import { creativeDecider } from '@zakup/domain/creative/creative.decider';
import type { Decider, DomainEvent } from '@zakup/domain/decider';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import { attempts } from '@zakup/domain/testing/arbitraries';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import type { Commit, Query, ReadDocument, ReadStore } from '@zakup/read-store/read-store';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { licenceChecks } from './licence-check.ts';
import { projection } from './projection.ts';
import {
  campaignCreated,
  contractorCreated,
  employeeCreated,
  type Fact,
  foldAll,
  instant,
  licenceId,
  licenceIssued,
  placementAdded,
  testLog,
  testReadStore,
} from './testing/given.ts';
import { beginning, checkTotals, factsOf, newWorld, step } from './testing/random-history.ts';
import { storedOf } from './testing/stored.ts';

type AnyDecider = Decider<unknown, unknown, DomainEvent, unknown>;

const deciders = {
  placement: placementDecider,
  contractor: contractorDecider,
  campaign: campaignDecider,
  channel: channelDecider,
  creative: creativeDecider,
  employee: employeeDecider,
  licence: licenceDecider,
} as const;
type Category = keyof typeof deciders;

const ids = ['a', 'b', 'c'];

/** Everything that commands may name is there. */
const everything: readonly Fact[] = [
  ['licence', licenceId, licenceIssued],
  ...ids.map((id): Fact => ['channel', id, { type: 'ChannelCreated', data: { name: id, avatar: null } }]),
  ...ids.map((id): Fact => ['employee', id, employeeCreated(id, { salaryType: 'percentage', salaryRate: 10 })]),
  ...ids.map((id): Fact => ['contractor', id, contractorCreated(id)]),
  ...ids.map((id): Fact => ['campaign', id, campaignCreated(id)]),
  ...ids.map((id): Fact => ['placement', id, placementAdded({ campaign: id, contractor: 'a', buyer: 'b' })]),
];

const attempt = fc.oneof(
  ...(Object.keys(deciders) as Category[]).map((category) =>
    fc.record({
      category: fc.constant(category),
      id: category === 'licence' ? fc.constant(licenceId) : fc.constantFrom(...ids, 'd'),
      // Both sides of a merge are one command over two streams, which random histories of their own make.
      made: (attempts[category] as fc.Arbitrary<readonly [{ readonly type: string }, object]>).filter(
        ([{ type }]) => !/Merge|Separate|Receive|Return/u.test(type),
      ),
    }),
  ),
);

/** What commands decide on the streams that they and those before them have made. */
const streams = () => {
  const states = new Map<string, { state: unknown; revision: number }>();
  const keep = ([category, id, ...events]: Fact): void => {
    const { evolve } = deciders[category as Category] as unknown as AnyDecider;
    for (const event of events) {
      const known = states.get(`${category} ${id}`) ?? { state: null, revision: -1 };
      const recorded = { at: instant(0), actorId: 'person', revision: known.revision + 1 };
      const state = evolve(known.state, event, recorded);
      states.set(`${category} ${id}`, { state, revision: recorded.revision });
    }
  };
  return {
    keep,
    decided: ({
      category,
      id,
      made: [command, facts],
    }: {
      category: Category;
      id: string;
      made: readonly [object, object];
    }): Fact | null => {
      const { decide } = deciders[category] as unknown as AnyDecider;
      const decision = decide(command, states.get(`${category} ${id}`)?.state ?? null, facts);
      if (decision.kind !== 'accepted') return null;
      const [first, ...rest] = decision.events as readonly AnyEvent[];
      return first === undefined ? null : [category, id, first, ...rest];
    },
  };
};

/** Byte for byte, but for scopes that were left in between, which depend on where commits ended. */
const content = async (readStore: ReadStore): Promise<readonly ReadDocument[]> =>
  (await storedOf(readStore, licenceId)).map((doc) => ({ ...doc, left: [] }));

/** The store of a process that is killed at its n-th call, before it is carried out or before it is answered. */
const mortal = (readStore: ReadStore, at: number, after: boolean) => {
  let calls = 0;
  const died = (): never => {
    throw new Error('The process is gone');
  };
  const killing =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      calls += 1;
      if (calls > at || (calls === at && !after)) died();
      const result = await call(...args);
      return calls === at ? died() : result;
    };
  const store: ReadStore = {
    ...readStore,
    get: killing((kind: string, id: string) => readStore.get(kind, id)),
    getMany: killing((kind: string, wanted: readonly string[]) => readStore.getMany(kind, wanted)),
    query: killing((kind: string, query: Query) => readStore.query(kind, query)),
    commit: killing((commit: Commit) => readStore.commit(commit)),
    checkpoint: killing((partition: string) => readStore.checkpoint(partition)),
  };
  return { store, calls: () => calls };
};

/** Batches as a broken transport might bring them: each up to three times, from earlier on than it should. */
const delivered = (
  events: readonly RecordedEvent[],
  after: number,
  size: number,
): readonly (readonly RecordedEvent[])[] => {
  const batches: (readonly RecordedEvent[])[] = [];
  const from = Math.max(
    0,
    events.findIndex(({ position }) => position > after),
  );
  for (let start = Math.max(0, from - size); start < events.length; start += size) {
    const batch = events.slice(start, start + size);
    for (let time = 0; time <= start % 3; time += 1) batches.push(batch);
    if (start % 2 === 0) batches.push(events.slice(Math.max(0, start - size), start + size));
  }
  return batches;
};

const process = async (readStore: ReadStore, events: readonly RecordedEvent[], size: number, maxDocs: number) => {
  const models = projection({
    eventStore: { readLicence: async () => [] },
    readStore,
    partition: 'all',
    fence: 1,
    maxDocs,
    onParked: () => undefined,
  });
  const after = await models.open();
  for (const batch of delivered(events, after, size)) await models.fold(batch);
};

describe('read models', () => {
  it('PJ-60 are what a fold from scratch makes, byte for byte, after any commands in any batches', async () => {
    const chunks = fc.array(
      fc.record({ attempts: fc.array(attempt, { maxLength: 12 }), maxBatch: fc.integer({ min: 1, max: 9 }) }),
      { maxLength: 6 },
    );
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 1, max: 60 }), async (all, maxDocs) => {
        const { eventStore, append } = testLog();
        const readStore = testReadStore();
        const known = streams();
        for (const fact of everything) {
          known.keep(fact);
          await append(fact);
        }
        const checks = licenceChecks({ eventStore, readStore, partition: 'all' });
        for (const { attempts: tries, maxBatch } of all) {
          for (const one of tries) {
            const fact = known.decided(one);
            if (fact === null) continue;
            accepted += 1;
            known.keep(fact);
            await append(fact);
          }
          await foldAll({ eventStore, readStore, maxBatch, maxDocs });
          expect((await checks.check(licenceId)).differences).toEqual([]);
        }
        await foldAll({ eventStore, readStore });
        const scratch = testReadStore();
        await foldAll({ eventStore, readStore: scratch, maxBatch: 1 });
        expect(await content(readStore)).toEqual(await content(scratch));
        expect((await readStore.query('parked', {})).docs).toEqual([]);
      }),
      { numRuns: 150 },
    );
    expect(accepted).toBeGreaterThan(200);
  });

  it('PJ-61 are the same when the projector is killed at any call, with events up to three times and from earlier on', async () => {
    const cases = fc.record({
      steps: fc.array(step, { minLength: 12, maxLength: 20 }),
      size: fc.integer({ min: 2, max: 9 }),
      maxDocs: fc.integer({ min: 1, max: 40 }),
    });
    let kills = 0;
    await fc.assert(
      fc.asyncProperty(cases, async ({ steps, size, maxDocs }) => {
        const { eventStore, append } = testLog();
        const world = newWorld();
        for (const fact of beginning) await append(fact);
        for (const one of steps) await append(...factsOf(world, one));
        const events = await eventStore.readLicence(licenceId);
        const scratch = testReadStore();
        await foldAll({ eventStore, readStore: scratch, maxBatch: 1 });
        const expected = await content(scratch);
        await checkTotals(scratch, world);
        for (const after of [false, true]) {
          for (let at = 1; ; at += 1) {
            const readStore = testReadStore();
            const { store, calls } = mortal(readStore, at, after);
            const killed = await process(store, events, size, maxDocs).then(
              () => false,
              () => true,
            );
            // Another process goes on from what is stored.
            await process(readStore, events, size, maxDocs);
            expect(await content(readStore)).toEqual(expected);
            if (killed) kills += 1;
            if (!killed && calls() < at) break;
          }
        }
      }),
      { numRuns: 3 },
    );
    expect(kills).toBeGreaterThan(100);
  }, 120_000);

  it('PJ-62 put back from an older copy, they are folded on to the same state, and who has read further begins anew', async () => {
    const { eventStore, append } = testLog();
    const [yesterday, today] = [testReadStore(), testReadStore()];
    for (const fact of everything) await append(fact);
    await foldAll({ eventStore, readStore: yesterday });
    await foldAll({ eventStore, readStore: today });
    for (const id of ids) await append(['placement', id, { type: 'PlacementMarkedPaid', data: {} }]);
    await foldAll({ eventStore, readStore: today });
    const { position = 0 } = (await today.checkpoint('all')) ?? {};
    const readOn = () => yesterday.changesSince({ licenceId, scope: 'workspace', since: position, partition: 'all' });
    expect((await readOn()).reset).toBe(true);
    await foldAll({ eventStore, readStore: yesterday });
    expect(await readOn()).toEqual({ docs: [], position, reset: false });
    expect(await content(yesterday)).toEqual(await content(today));
  });
});
