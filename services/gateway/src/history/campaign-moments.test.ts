import type { AnyEvent } from '@zakup/domain/catalog';
import { kopecks } from '@zakup/domain/money';
import type { EventStore } from '@zakup/event-store/event-store';
import {
  campaignCreated,
  contractorCreated,
  employeeCreated,
  type Fact,
  foldAll,
  licenceId,
  licenceIssued,
  placementAdded,
  rubles,
  testLog,
  testReadStore,
} from '@zakup/projections/testing/given';
import { beginning, campaigns, factsOf, newWorld, step } from '@zakup/projections/testing/random-history';
import type { DocumentReader, ReadStore } from '@zakup/read-store/read-store';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowOf, rowsOf } from '../read-models/rows.ts';
import { snapshotCache } from '../time-travel/snapshot-cache.ts';
import { campaignMoments, type MomentsAsked } from './campaign-moments.ts';
import { type CampaignSums, noCampaign } from './campaign-sums.ts';

const never = new AbortController().signal;
const place = { campaign: 'camp', contractor: 'shop', buyer: 'ilya' };
const priced = (amount: number): AnyEvent => ({ type: 'PlacementPriceChanged', data: { price: rubles(amount) } });
const removed: AnyEvent = { type: 'PlacementRemoved', data: {} };

const sumsAt = (deps: MomentsAsked['deps'], campaign: string, positions: readonly number[]) =>
  campaignMoments({ deps, licenceId, positions, waiting: never }).sumsOf(campaign);

/** As the projections made them. */
const projectedSums = async (documents: DocumentReader, campaignId: string): Promise<CampaignSums> => {
  const campaign = await rowOf(documents, 'campaign', campaignId, licenceId);
  const analytics = await rowOf(documents, 'analytics', campaignId, licenceId);
  if (campaign === null || analytics === null) return noCampaign;
  const earned = await rowsOf(documents, 'earnings', licenceId, { where: { campaignId } });
  const { totalBudget, paid, total, byBuyer } = analytics;
  const people = earned.map(({ userId, budget, earnings }) => {
    const spent = byBuyer[userId]?.spent ?? kopecks(0);
    return [userId, { budget, spent, earnings }] as const;
  });
  return {
    totalBudget,
    spent: total.spent,
    paid,
    leads: total.leads,
    placements: total.placements,
    people: new Map(people),
  };
};

/** A store with what was read of the log: the streams, and how many events of them. */
const watched = (eventStore: EventStore) => {
  const streams: string[] = [];
  let events = 0;
  const store: MomentsAsked['deps']['eventStore'] = {
    head: () => eventStore.head(),
    readLicence: () => Promise.reject(new Error('The licence is not to be read')),
    read: async (stream, options) => {
      const found = await eventStore.read(stream, options);
      streams.push(stream.slice(0, stream.indexOf('-')));
      events += found.length;
      return found;
    },
  };
  return { store, streams: (): readonly string[] => streams.toSorted(), events: (): number => events };
};

describe('campaigns’ sums at moments', () => {
  test('AUD-1232 at every moment they are what the projections made of the licence up to there', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 30 }),
        fc.integer({ min: 2, max: 6 }),
        async (steps, few) => {
          const { eventStore, append } = testLog();
          const readStore = testReadStore();
          const world = newWorld();
          const positions: number[] = [];
          for (const fact of beginning) positions.push(await append(fact));
          for (const one of steps) positions.push(await append(...factsOf(world, one)));
          await foldAll({ eventStore, readStore });
          const past = snapshotCache({ eventStore });
          const asked = positions.filter((_, index) => index % few === 0);
          for (const campaign of campaigns) {
            const expected: CampaignSums[] = [];
            for (const position of asked) {
              const then = await past.at(licenceId, { by: 'position', position }, never);
              expected.push(then.kind === 'found' ? await projectedSums(then.documents, campaign) : noCampaign);
            }
            expect(await sumsAt({ readStore, eventStore }, campaign, asked)).toEqual(expected);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  /** Ilya's campaign with two placements, and as much again elsewhere as `others` says. */
  const busyLog = async (others: number) => {
    const log = testLog();
    await log.append(['licence', licenceId, licenceIssued], ['employee', 'ilya', employeeCreated('ilya')]);
    await log.append(['contractor', 'shop', contractorCreated('shop')], ['campaign', 'camp', campaignCreated('Весна')]);
    await log.append(['campaign', 'other', campaignCreated('Другая')]);
    for (let number = 0; number < others; number += 1)
      await log.append([
        'placement',
        `other${number}`,
        placementAdded({ ...place, campaign: 'other' }),
        priced(number + 1),
      ]);
    await log.append(['placement', 'kept', placementAdded(place, { price: rubles(10) })]);
    const before = await log.append(['placement', 'changed', placementAdded(place, { price: rubles(5) })]);
    const after = await log.append(['placement', 'changed', priced(7)]);
    return { log, before, after };
  };

  const folded = async ({ eventStore }: ReturnType<typeof testLog>) => {
    const readStore = testReadStore();
    await foldAll({ eventStore, readStore });
    return readStore;
  };

  test.each([0, 200])(
    'AUD-1233 what is read of the log does not grow with the licence, nor with placements that are as they were (%i elsewhere)',
    async (others) => {
      const { log, before, after } = await busyLog(others);
      for (let number = 0; number < 50; number += 1)
        await log.append(['placement', `later${number}`, placementAdded(place), priced(number + 1)]);
      const { store, streams, events } = watched(log.eventStore);
      const readStore = await folded(log);
      const sums = await sumsAt({ readStore, eventStore: store }, 'camp', [before, after]);
      expect(sums.map(({ spent, placements }) => [spent, placements])).toEqual([
        [rubles(15), 2],
        [rubles(17), 2],
      ]);
      expect(streams()).toEqual(['campaign', 'employee', 'licence', 'placement']);
      // Each of the others has one, the changed placement two.
      expect(events()).toBe(5);
    },
  );

  test('AUD-1234 what changes, comes or goes while it is read is of no moment before it', async () => {
    const { log, before, after } = await busyLog(0);
    const readStore = await folded(log);
    const meanwhile: readonly Fact[] = [
      ['placement', 'kept', priced(1_000)],
      ['placement', 'changed', removed],
      ['placement', 'new', placementAdded(place, { price: rubles(3) })],
    ];
    const changing: ReadStore = {
      ...readStore,
      async readEach(...asked) {
        await readStore.readEach(...asked);
        for (const fact of meanwhile) await log.append(fact);
        await foldAll({ eventStore: log.eventStore, readStore });
      },
    };
    const spentOf = async (store: ReadStore) => {
      const deps = { readStore: store, eventStore: log.eventStore };
      return (await sumsAt(deps, 'camp', [before, after])).map(({ spent }) => spent);
    };
    const expected = [rubles(15), rubles(17)];
    expect(await spentOf(readStore)).toEqual(expected);
    expect(await spentOf(changing)).toEqual(expected);
    expect(await spentOf(readStore)).toEqual(expected);
  });
});
