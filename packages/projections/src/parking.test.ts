import type { AnyEvent } from '@zakup/domain/catalog';
import type { EventStore, RecordedEvent } from '@zakup/event-store/event-store';
import { describe, expect, it } from 'vitest';
import type { Parked } from './projection-runner.ts';
import {
  campaignCreated,
  contractorCreated,
  documentOf,
  foldAll,
  licenceId,
  placementAdded,
  present,
  rubles,
  testLog,
  testReadStore,
} from './testing/given.ts';

const place = { campaign: 'spring', contractor: 'masha', buyer: 'bob' };
const other = 'a100';
const price = (amount: number): AnyEvent => ({ type: 'PlacementPriceChanged', data: { price: rubles(amount) } });
const unknown = { type: 'PlacementTeleported', data: { to: 'nowhere' } } as unknown as AnyEvent;

/** Both licences have a placement (positions 1 to 6); the first goes on with the given event, then both with more. */
const twoLicences = async (strange: AnyEvent, version = 1) => {
  const log = testLog();
  for (const licence of [licenceId, other]) {
    const of = (id: string) => `${licence}${id}`;
    await log.appendAs(licence, 1, ['campaign', of('spring'), campaignCreated('Весна')]);
    await log.appendAs(licence, 1, ['contractor', of('masha'), contractorCreated('masha')]);
    const added = placementAdded({ campaign: of('spring'), contractor: of('masha'), buyer: of('bob') });
    await log.appendAs(licence, 1, ['placement', of('p1'), added]);
  }
  await log.appendAs(licenceId, version, ['placement', `${licenceId}p1`, price(2000), strange]);
  await log.appendAs(licenceId, 1, ['placement', `${licenceId}p1`, price(3000)]);
  await log.appendAs(other, 1, ['placement', `${other}p1`, price(4000)]);
  return log;
};

/** The log as a version sees it that knows the strange event: for it, it is a change of price. */
const knowing = (eventStore: EventStore): EventStore => {
  const raised = (event: RecordedEvent): RecordedEvent =>
    event.type === unknown.type ? { ...event, type: 'PlacementPriceChanged', data: { price: rubles(2500) } } : event;
  return {
    ...eventStore,
    readLicence: async (licence, range) => (await eventStore.readLicence(licence, range)).map(raised),
  };
};

describe('parking', () => {
  it.each([
    ['an unknown type', unknown, 1, 'Unknown event type PlacementTeleported'],
    ['a newer version', price(1), 99, 'newer version'],
    ['invalid data', { type: 'PlacementPriceChanged', data: { price: 'много' } } as unknown as AnyEvent, 1, 'price'],
    ['a handler that throws', placementAdded(place), 1, 'There is no campaign spring'],
  ])(
    'PJ-40 %s parks the licence before the whole command, and the others go on',
    async (_, strange, version, reason) => {
      const { eventStore } = await twoLicences(strange, version);
      const readStore = testReadStore();
      const parked: Parked[] = [];
      await foldAll({ eventStore, readStore, onParked: (one) => parked.push(one) });
      expect(parked).toEqual([{ licenceId, position: 6, reason: expect.stringContaining(reason) }]);
      const rows = await present(readStore, 'placement');
      expect(rows[`${licenceId}p1`]?.price).toBe(rubles(1000));
      expect(rows[`${other}p1`]?.price).toBe(rubles(4000));
      expect(await readStore.checkpoint('all')).toMatchObject({ position: 10 });
      expect(await documentOf(readStore, 'parked', licenceId)).toMatchObject({ scopes: [], data: { position: 6 } });
    },
  );

  it('PJ-41 a parked licence stays so over a restart with the same version, and says so again', async () => {
    const { eventStore, appendAs } = await twoLicences(unknown);
    const readStore = testReadStore();
    await foldAll({ eventStore, readStore });
    await appendAs(licenceId, 1, ['placement', `${licenceId}p1`, price(5000)]);
    await appendAs(other, 1, ['placement', `${other}p1`, price(6000)]);
    const parked: Parked[] = [];
    await foldAll({ eventStore, readStore, onParked: (one) => parked.push(one) });
    expect(parked).toMatchObject([{ licenceId, position: 6 }]);
    const rows = await present(readStore, 'placement');
    expect(rows[`${licenceId}p1`]?.price).toBe(rubles(1000));
    expect(rows[`${other}p1`]?.price).toBe(rubles(6000));
  });

  it('PJ-42 a version that knows the event folds the licence on from its own log and resets its scopes', async () => {
    const { eventStore, appendAs } = await twoLicences(unknown);
    const readStore = testReadStore();
    await foldAll({ eventStore, readStore, maxBatch: 3 });
    await foldAll({ eventStore: knowing(eventStore), readStore });
    expect((await present(readStore, 'placement'))[`${licenceId}p1`]).toMatchObject({
      price: rubles(3000),
      revision: 3,
    });
    expect((await present(readStore, 'analytics'))[`${licenceId}spring`]?.total.spent).toBe(rubles(3000));
    expect(await documentOf(readStore, 'parked', licenceId)).toMatchObject({ deleted: true });
    const scope = `campaign:${licenceId}spring`;
    const changes = await readStore.changesSince({ licenceId, scope, since: 10, partition: 'all' });
    expect(changes).toMatchObject({ reset: true, position: 10 });
    await appendAs(licenceId, 1, ['placement', `${licenceId}p1`, price(7000)]);
    await foldAll({ eventStore, readStore });
    expect((await present(readStore, 'placement'))[`${licenceId}p1`]?.price).toBe(rubles(7000));
  });

  it('PJ-43 a version that knows only the first strange event goes on up to the next', async () => {
    const { eventStore, appendAs } = await twoLicences(unknown);
    const later = { type: 'PlacementVanished', data: {} } as unknown as AnyEvent;
    await appendAs(licenceId, 1, ['placement', `${licenceId}p1`, later]);
    const readStore = testReadStore();
    await foldAll({ eventStore, readStore });
    const parked: Parked[] = [];
    for (let start = 0; start < 2; start += 1)
      await foldAll({ eventStore: knowing(eventStore), readStore, onParked: (one) => parked.push(one) });
    expect(parked).toMatchObject([
      { licenceId, position: 10, reason: 'Unknown event type PlacementVanished' },
      { licenceId, position: 10 },
    ]);
    expect((await present(readStore, 'placement'))[`${licenceId}p1`]?.price).toBe(rubles(3000));
  });

  it('PJ-44 events of foreign and system streams are passed over', async () => {
    const { eventStore, append } = testLog();
    await append(['$metrics', 'x', unknown]);
    await append(['command', 'x', unknown]);
    const readStore = testReadStore();
    const parked: Parked[] = [];
    await foldAll({ eventStore, readStore, onParked: (one) => parked.push(one) });
    expect(parked).toEqual([]);
    expect(await readStore.checkpoint('all')).toMatchObject({ position: 2 });
  });
});
