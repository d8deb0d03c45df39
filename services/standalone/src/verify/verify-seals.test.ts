import type { EventStore, RecordedEvent } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { rebuildAll } from '@zakup/projector/rebuild';
import { sealer } from '@zakup/projector/sealing/sealer';
import { testReadStore } from '@zakup/projections/testing/given';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import { otherKey, sampleEvent, testKey, testSalt } from '@zakup/seals/testing/sealed';
import { beforeEach, describe, expect, test } from 'vitest';
import { sealFaultText, verifySeals } from './verify-seals.ts';

const one = '3f1';
const two = '4a1';
let eventStore: EventStore;
let seals: ReturnType<typeof inMemorySealStore>;
let time: number;

/** Seals everything that is in the log, as the projector does. */
const sealAll = async (of: EventStore = eventStore, key = testKey): Promise<void> => {
  time += 10 * 60_000;
  await seals.addKey({ ...key, since: new Date(time).toISOString() });
  const sealing = sealer({ eventStore: of, seals, key, fence: 1, after: 0, now: () => time, random: () => testSalt });
  const events = [...(await of.readLicence(one)), ...(await of.readLicence(two))];
  sealing.take(events.toSorted((a, b) => a.position - b.position));
  await sealing.settle();
};

/** The log as somebody made it who can write its files. */
const falsified = (change: (events: readonly RecordedEvent[]) => readonly RecordedEvent[]): EventStore => ({
  ...eventStore,
  readLicence: async (licenceId, { after = 0, to = Number.MAX_SAFE_INTEGER, limit } = {}) => {
    const all = await eventStore.readLicence(licenceId);
    const changed = licenceId === one ? change(all) : all;
    return changed.filter(({ position }) => position > after && position <= to).slice(0, limit);
  },
});

beforeEach(async () => {
  time = Date.UTC(2026, 10, 21);
  eventStore = inMemoryEventStore({ clock: () => time });
  seals = inMemorySealStore();
  for (let number = 1; number <= 9; number += 1) {
    for (const licenceId of [one, two]) {
      const event = sampleEvent(licenceId, number + (licenceId === one ? 0 : 100));
      await eventStore.append([{ stream: `placement-${licenceId}~1`, expectedRevision: 'any', events: [event] }]);
    }
    if (number % 3 === 0) await sealAll();
  }
});

const faultOf = async (of: EventStore) => (await verifySeals({ eventStore: of, seals })).faults;

describe('verifying the seals', () => {
  test('VERI-30 every licence is computed from its first event and compared with all of its seals', async () => {
    const told: object[] = [];
    const found = await verifySeals({ eventStore, seals, onLicence: (done) => told.push(done) });
    expect(found).toEqual({ licences: 2, seals: 6, events: 18, faults: [] });
    expect(told).toEqual([
      { licences: 1, of: 2 },
      { licences: 2, of: 2 },
    ]);
  });

  test('VERI-31 a changed, removed, put in or moved event is found by its seal, and the other licences are checked all the same', async () => {
    const changes: readonly (readonly [number, (events: readonly RecordedEvent[]) => readonly RecordedEvent[]])[] = [
      [2, (all) => all.map((event, index) => (index === 4 ? { ...event, data: { leads: 0 } } : event))],
      [1, (all) => all.toSpliced(1, 1)],
      [3, (all) => all.toSpliced(8, 0, { ...sampleEvent(one, 77), ...place(all[7], 0.5) })],
      [2, (all) => [...all.slice(0, 3), swapped(all[4], all[3]), swapped(all[3], all[4]), ...all.slice(5)]],
    ];
    for (const [seal, change] of changes) {
      const found = await verifySeals({ eventStore: falsified(change), seals });
      expect(found).toMatchObject({ licences: 2, faults: [{ kind: 'different', licenceId: one, seal }] });
      expect(found.events).toBe(9 + (seal - 1) * 3);
    }
  });

  test('VERI-32 a log that ends before the last seal is told with what is gone', async () => {
    const [fault, ...others] = await faultOf(falsified((all) => all.slice(0, 7)));
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ kind: 'missing', seal: 3, from: 7, to: 9 });
    expect(fault && sealFaultText(fault)).toBe(
      `Подписанная история лицензии 3f1: журнал кончается раньше события № 9, которое удостоверяет печать № 3; первое сомнительное событие № 7 (${sampleEvent(one, 7).id}).`,
    );
  });

  test('VERI-33 a seal of a key that is not known counts for nothing', async () => {
    const keys = [otherKey];
    const { faults } = await verifySeals({ eventStore, seals, keys });
    expect(faults.map(({ kind, seal }) => [kind, seal])).toEqual([
      ['unsigned', 1],
      ['unsigned', 1],
    ]);
  });

  test('VERI-34 read models made anew from a falsified log change no seal, and sealing on attests nothing of it', async () => {
    const log = falsified((all) => all.map((event, index) => (index === 1 ? { ...event, data: { leads: 0 } } : event)));
    const before = await seals.read(one);
    const readStore = testReadStore();
    await rebuildAll({ eventStore: log, readStore, now: () => time });
    expect(await seals.read(one)).toEqual(before);
    await eventStore.append([{ stream: 'placement-3f1~1', expectedRevision: 'any', events: [sampleEvent(one, 10)] }]);
    await sealAll(log);
    expect(await seals.read(one)).toHaveLength(4);
    expect(await faultOf(log)).toMatchObject([{ kind: 'different', seal: 1, from: 1, to: 3 }]);
    // The chain went on from the seal, not from what the log says now: the true log fits all four.
    expect(await faultOf(eventStore)).toEqual([]);
  });
});

const place = (event: RecordedEvent | undefined, more: number) => ({
  stream: event?.stream ?? '',
  revision: event?.revision ?? 0,
  position: (event?.position ?? 0) + more,
  recordedAt: event?.recordedAt ?? '',
});
/** One event in the place of another. */
const swapped = (event: RecordedEvent | undefined, at: RecordedEvent | undefined): RecordedEvent => ({
  ...sampleEvent(one, 0),
  ...event,
  ...place(at, 0),
});
