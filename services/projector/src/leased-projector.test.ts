import type { EventStore } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { Lease, Leases } from '@zakup/read-store/leases';
import { afterEach, describe, expect, test } from 'vitest';
import { inProcessLeases } from './in-process-leases.ts';
import { type LeasedProjector, leasedProjector, projectorLease } from './leased-projector.ts';
import { firstInstant, licenceId, licenceIssued, testLog, testReadStore } from '@zakup/projections/testing/given';

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
