import { noticeNames } from '@zakup/contracts/notices';
import type { EventStore, RecordedEvent } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { Lease, Leases } from '@zakup/read-store/leases';
import { afterEach, describe, expect, test } from 'vitest';
import { inProcessLeases } from './in-process-leases.ts';
import { type LeasedProjector, leasedProjector, projectorLease } from './leased-projector.ts';
import {
  campaignCreated,
  contractorCreated,
  employeeCreated,
  firstInstant,
  foldAll,
  licenceId,
  licenceIssued,
  placementAdded,
  rubles,
  testLog,
  testReadStore,
} from '@zakup/projections/testing/given';
import { projectionVersion } from '@zakup/projections/version';
import { storedOf } from '@zakup/projections/testing/stored';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import { withDamagedSalt, withDamagedSeal } from '@zakup/seals/testing/damaged';
import { testKey, testSalt } from '@zakup/seals/testing/sealed';
import { sealer } from './sealing/sealer.ts';

const running: LeasedProjector[] = [];
afterEach(async () => {
  for (const projector of running.splice(0)) await projector.stop();
});

interface Stores {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
}
const stores = (): Stores => ({
  eventStore: inMemoryEventStore({ clock: () => firstInstant }),
  readStore: testReadStore(),
});

const copy = (of: Stores, leases: Leases): LeasedProjector => {
  const projector = leasedProjector({ ...of, leases, partition: 'all', now: () => firstInstant });
  running.push(projector);
  return projector;
};

/** Leases whose holder can be told that it lost its one. */
const losable = (
  leases: Leases,
): { readonly leases: Leases; readonly held: Lease[]; readonly lose: () => Promise<void> } => {
  const held: Lease[] = [];
  const lost = new AbortController();
  return {
    held,
    lose: async () => {
      lost.abort();
      await held[0]?.release();
    },
    leases: {
      async acquire(name, signal) {
        const lease = await leases.acquire(name, signal);
        if (lease === null) return null;
        const shown = held.length === 0 ? { ...lease, lost: AbortSignal.any([lease.lost, lost.signal]) } : lease;
        held.push(lease);
        return shown;
      },
    },
  };
};

describe('a projector under a lease', () => {
  test('SVC-22 of two copies one leads and the other stands by; when the first stops, the other goes on under a greater fence', async () => {
    const both = stores();
    const { leases, held } = losable(inProcessLeases({ fence: 1 }));
    const first = copy(both, leases);
    await first.caughtUp;
    const second = copy(both, leases);
    expect([first.role(), second.role()]).toEqual(['leading', 'standby']);
    await first.stop();
    await second.caughtUp;
    expect([first.role(), second.role()]).toEqual(['standby', 'leading']);
    expect(held.map(({ fence }) => fence)).toEqual([1, 2]);
  });

  test('SVC-23 a lost lease ends the projection, and it is waited for anew', async () => {
    const { leases, held, lose } = losable(inProcessLeases({ fence: 7 }));
    const projector = copy(stores(), leases);
    await projector.caughtUp;
    await lose();
    await expect.poll(() => [projector.role(), held.length]).toEqual(['leading', 2]);
    expect(held.at(-1)?.fence).toBe(8);
  });

  test('SVC-24 a commit that is refused for a greater fence ends the projection; it goes on under a lease whose fence is great enough', async () => {
    const log = testLog();
    const position = await log.append(['licence', licenceId, licenceIssued]);
    const readStore = testReadStore();
    await readStore.commit({ docs: [], checkpoint: { partition: 'all', position: 0, fence: 5 } });
    const { leases, held } = losable(inProcessLeases({ fence: 3 }));
    const projector = copy({ eventStore: log.eventStore, readStore }, leases);
    await expect.poll(() => readStore.checkpoint('all')).toEqual({ partition: 'all', position, fence: 5 });
    expect(projector.role()).toBe('leading');
    expect(held.map(({ fence }) => fence)).toEqual([3, 4, 5]);
  });

  test('SVC-25 stopped while it stands by, it waits for nothing any more', async () => {
    const leases = inProcessLeases({ fence: 1 });
    const other = await leases.acquire(projectorLease, new AbortController().signal);
    const projector = copy(stores(), leases);
    const late = projector.caughtUp.catch((error: unknown) => error);
    await projector.stop();
    expect(await late).toMatchObject({ name: 'ProjectorEnded', end: 'stopped' });
    await other?.release();
    const next = await leases.acquire(projectorLease, new AbortController().signal);
    expect(next?.fence).toBe(2);
  });
});

const place = { campaign: 'spring', contractor: 'masha', buyer: 'bob' };
const hour = 3_600_000;

/** The log as somebody made it who can write its files, with checksums that fit: what p1 cost is another sum. */
const falsified = (eventStore: EventStore): EventStore => {
  const change = (event: RecordedEvent): RecordedEvent =>
    event.stream.endsWith('~p1') ? { ...event, data: { ...event.data, price: rubles(1) } } : event;
  return {
    ...eventStore,
    read: async (...asked) => (await eventStore.read(...asked)).map(change),
    readLicence: async (...asked) => (await eventStore.readLicence(...asked)).map(change),
    async *subscribe(options) {
      for await (const message of eventStore.subscribe(options)) {
        const [first, ...others] = message.kind === 'events' ? message.events : [];
        yield message.kind === 'caught_up' || first === undefined
          ? message
          : { kind: 'events', events: [change(first), ...others.map(change)] };
      }
    },
  };
};

/** Two licences, folded and sealed. */
const sealedWorld = async () => {
  const log = testLog();
  await log.append(['licence', licenceId, licenceIssued]);
  await log.append(['contractor', 'masha', contractorCreated('masha')]);
  await log.append(['employee', 'bob', employeeCreated('bob')]);
  await log.append(['campaign', 'spring', campaignCreated('Весна')]);
  for (const id of ['p1', 'p2']) await log.append(['placement', id, placementAdded(place, { price: rubles(500) })]);
  await log.appendAs('4f00', 1, ['licence', '4f00', licenceIssued]);
  const readStore = testReadStore();
  await readStore.noteVersion(projectionVersion);
  await foldAll({ eventStore: log.eventStore, readStore });
  const seals = inMemorySealStore();
  await seals.addKey({ ...testKey, since: '' });
  const one = sealer({
    eventStore: log.eventStore,
    seals,
    key: testKey,
    fence: 1,
    after: 0,
    now: () => firstInstant + hour,
    random: () => testSalt,
  });
  for (const licence of [licenceId, '4f00']) one.take(await log.eventStore.readLicence(licence));
  await one.settle();
  return { log, readStore, seals };
};

describe('a projector on a log that was changed under its seals', () => {
  test('SCK-3683 a licence whose seals or salt are damaged is halted and told before it is healed, and the other one goes on', async () => {
    const reasons = [
      'повреждена печать № 1: не сверить событий с № 1',
      'соль печатей пропала или повреждена: не сверить событий с № 1',
    ];
    for (const [index, damaged] of [withDamagedSeal, withDamagedSalt].entries()) {
      const { log, readStore, seals } = await sealedWorld();
      const projector = leasedProjector({
        eventStore: falsified(log.eventStore),
        readStore,
        leases: inProcessLeases({ fence: 2 }),
        partition: 'all',
        now: () => firstInstant + 2 * hour,
        checkAfter: 1,
        sealing: { seals: damaged(seals, licenceId, 1), key: testKey, random: () => testSalt },
      });
      running.push(projector);
      await projector.caughtUp;
      await log.append(['placement', 'p3', placementAdded(place)]);
      await expect
        .poll(async () =>
          (await readStore.query('parked', {})).docs.map((doc) => [doc.licenceId, doc.data?.['reason']]),
        )
        .toEqual([[licenceId, reasons[index]]]);
      expect(projector.doubted()).toEqual([licenceId]);
      await log.appendAs('4f00', 1, ['contractor', 'katya', contractorCreated('katya')]);
      await expect.poll(() => readStore.get('contractor', 'katya')).toMatchObject({ licenceId: '4f00' });
      await projector.stop();
    }
  });

  test('SCK-1336 the self-check compares with what is sealed before it heals: the licence is halted, nothing is changed and nothing sealed', async () => {
    const { log, readStore, seals } = await sealedWorld();
    const { eventStore } = log;
    const doubted: string[] = [];
    const doubts: (readonly string[])[] = [];
    const started = (of: EventStore, fence: number): LeasedProjector => {
      const projector = leasedProjector({
        eventStore: of,
        readStore,
        leases: inProcessLeases({ fence }),
        partition: 'all',
        now: () => firstInstant + 2 * hour,
        checkAfter: 1,
        onDoubted: (licence) => doubted.push(licence),
        onDoubts: (licences) => doubts.push(licences),
        sealing: { seals, key: testKey, random: () => testSalt },
      });
      running.push(projector);
      return projector;
    };
    const parked = async () =>
      (await readStore.query('parked', {})).docs.map((doc) => [doc.licenceId, doc.data?.['reason']]);
    const priceOf = async (id: string) => (await readStore.get('placement', id))?.data?.['price'];
    const right = await priceOf('p1');

    const wrong = started(falsified(eventStore), 2);
    await wrong.caughtUp;
    await log.append(['placement', 'p3', placementAdded(place)]);
    await expect.poll(parked).toEqual([[licenceId, 'журнал не тот, что запечатан: события № 1–6, печать № 1']]);
    expect([doubted, wrong.doubted(), doubts]).toEqual([[licenceId], [licenceId], [[licenceId]]]);
    const before = await storedOf(readStore, licenceId);
    // Neither this licence is folded and sealed on, nor is the other one held up.
    await log.append(['placement', 'p4', placementAdded(place)]);
    await log.appendAs('4f00', 1, ['contractor', 'katya', contractorCreated('katya')]);
    await expect.poll(() => readStore.get('contractor', 'katya')).toMatchObject({ licenceId: '4f00' });
    expect(await storedOf(readStore, licenceId)).toEqual(before);
    expect([await priceOf('p1'), await priceOf('p4')]).toEqual([right, undefined]);
    await expect
      .poll(() => readStore.notice(noticeNames.sealing))
      .toMatchObject({ refused: [{ licenceId, number: 1, position: 6, from: 1 }] });
    expect((await seals.read(licenceId)).length).toBe(1);
    await wrong.stop();

    // A restart on the same log does not make it go on; the right one does.
    const again = started(falsified(eventStore), 20);
    await again.caughtUp;
    expect([again.doubted(), await priceOf('p4')]).toEqual([[licenceId], undefined]);
    await again.stop();
    const healed = started(eventStore, 30);
    await healed.caughtUp;
    expect([healed.doubted(), await parked(), await priceOf('p1')]).toEqual([[], [], right]);
    expect(await priceOf('p4')).toBeDefined();
  });
});
