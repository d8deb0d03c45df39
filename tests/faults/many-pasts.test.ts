import { setMaxListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { EventStore } from '@zakup/event-store/event-store';
import { snapshotCache } from '@zakup/gateway/time-travel/snapshot-cache';
import type { AnyEvent } from '@zakup/domain/catalog';
import {
  campaignCreated,
  contractorCreated,
  type Fact,
  licenceIssued,
  placementAdded,
  rubles,
  testLog,
} from '@zakup/projections/testing/given';
import { beforeAll, describe, expect, inject, test } from 'vitest';

const licenceId = '0amany';
const events = inject('isDeep') ? 100_000 : 30_000;
const placements = 2_000;
const atOnce = 64;
const megabyte = 1024 * 1024;
/** Of somebody who waits to the end. */
const never = (): AbortSignal => new AbortController().signal;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heap = (): number => process.memoryUsage().heapUsed / megabyte;
const held = (): number => {
  collect();
  return heap();
};

describe('many moments of one licence at once', { timeout: 600_000 }, () => {
  const log = testLog({ licence: licenceId });
  let head = 0;

  beforeAll(async () => {
    const append = (...facts: readonly [Fact, ...Fact[]]) => log.append(...facts);
    await append(['licence', licenceId, licenceIssued]);
    await append(['campaign', 'k', campaignCreated('k')]);
    await append(['contractor', 'c', contractorCreated('c')]);
    const place = placementAdded({ campaign: 'k', contractor: 'c', buyer: 'b' });
    for (let index = 0; index < placements; index += 1) await append(['placement', `p${index}`, place]);
    for (let made = placements + 3; made < events; made += 49) {
      const id = `p${Math.floor(made / 49) % placements}`;
      const prices = Array.from({ length: 49 }, (_, index): AnyEvent => {
        return { type: 'PlacementPriceChanged', data: { price: rubles(made + index) } };
      });
      await append(['placement', id, ...(prices as [AnyEvent, ...AnyEvent[]])]);
    }
    head = await log.eventStore.head();
  }, 600_000);

  /** Counts what is read of the log, and how many reads run at once. */
  const watched = (): Pick<EventStore, 'readLicence'> & {
    readonly most: () => number;
    readonly read: () => number;
  } => {
    let [running, most, read] = [0, 0, 0];
    return {
      most: () => most,
      read: () => read,
      async readLicence(...request) {
        running += 1;
        most = Math.max(most, running);
        try {
          const page = await log.eventStore.readLicence(...request);
          read += page.length;
          return page;
        } finally {
          running -= 1;
        }
      },
    };
  };

  test(`RSL-40 64 different moments of ${events} events hold no more than their share, at their highest and after`, async () => {
    const eventStore = watched();
    const capacity = 40_000;
    const pasts = snapshotCache({ eventStore, capacity });
    await pasts.at(licenceId, { by: 'position', position: head }, never());
    const before = held();
    const read = eventStore.read();
    let highest = 0;
    const watching = setInterval(() => {
      highest = Math.max(highest, heap());
    }, 20);
    const moments = Array.from({ length: atOnce }, (_, index) => Math.floor(((index + 0.37) * head) / atOnce));
    const prices = await Promise.all(
      moments.map(async (position) => {
        const past = await pasts.at(licenceId, { by: 'position', position }, never());
        if (past.kind !== 'found') throw new Error(past.kind);
        expect(past.moment.position).toBe(position);
        return (await past.documents.query('placement', { licenceId, limit: 1 })).total;
      }),
    );
    clearInterval(watching);
    const after = held();
    console.log(
      `64 moments: ${Math.round(before)} MB before, ${Math.round(highest)} MB at the highest, ${Math.round(after)} MB after; weight ${Math.round(pasts.weight())}; ${eventStore.read() - read} events read, ${eventStore.most()} reads at once`,
    );
    expect(prices.every((total) => total > 0)).toBe(true);
    expect(pasts.weight()).toBeLessThanOrEqual(capacity);
    expect(eventStore.most()).toBeLessThanOrEqual(8);
    // Rubbish that was not collected yet counts in the highest, so that bound is a wide one.
    expect(after - before).toBeLessThan(60);
    expect(highest - before).toBeLessThan(400);
  });

  test('RSL-41 one moment that 64 ask for is folded once', async () => {
    const eventStore = watched();
    const pasts = snapshotCache({ eventStore });
    const position = Math.floor(head / 2) + 123;
    const found = await Promise.all(
      Array.from({ length: atOnce }, () => pasts.at(licenceId, { by: 'position', position }, never())),
    );
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['found']));
    const documents = found.map((past) => (past.kind === 'found' ? past.documents : null));
    expect(new Set(documents).size).toBe(1);
    expect(eventStore.read()).toBeLessThan(position + 1_000 * atOnce);
  });

  test('RSL-42 once nobody waits for any of 64 moments, nothing more is read', async () => {
    const eventStore = watched();
    const pasts = snapshotCache({ eventStore });
    const gone = new AbortController();
    setMaxListeners(0, gone.signal);
    const asked = Array.from({ length: atOnce }, (_, index) =>
      pasts.at(licenceId, { by: 'position', position: head - index * 700 }, gone.signal),
    );
    const ends = Promise.allSettled(asked);
    while (eventStore.read() < 2_000)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    gone.abort();
    expect((await ends).every(({ status }) => status === 'rejected')).toBe(true);
    const read = eventStore.read();
    expect(await pasts.at(licenceId, { by: 'position', position: 10 }, never())).toMatchObject({ kind: 'found' });
    expect(eventStore.read() - read).toBeLessThan(2_000);
    expect(eventStore.read()).toBeLessThan(head / 4);
  });
});
