import type { EventStore, RecordedEvent } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { rebuildAll } from '@zakup/projector/rebuild';
import { sealer } from '@zakup/projector/sealing/sealer';
import { testReadStore } from '@zakup/projections/testing/given';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import { hashOfSeal } from '@zakup/seals/seal';
import { withDamagedSalt, withDamagedSeal } from '@zakup/seals/testing/damaged';
import { otherKey, sampleEvent, testKey, testSalt } from '@zakup/seals/testing/sealed';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SealTimes } from '@zakup/seals/check-licence';
import { sealFaultText, verifySeals } from './verify-seals.ts';

const one = '3f1';
const two = '4a1';
const minutes = 60_000;
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

/** As they are judged on the server, some time after the last event. */
const timesAt = (now = time): SealTimes => {
  const written = Array.from(
    { length: 9 },
    (_, index) => Date.UTC(2026, 10, 21) + Math.floor(index / 3) * 10 * minutes,
  );
  return {
    now,
    until: time,
    followed: 0,
    isAlive: (after, before) => written.some((at) => at >= after && at <= before),
  };
};

const faultOf = async (of: EventStore) => (await verifySeals({ eventStore: of, seals })).faults;

describe('verifying the seals', () => {
  test('VERI-30 every licence is computed from its first event and compared with all of its seals', async () => {
    const told: object[] = [];
    const found = await verifySeals({ eventStore, seals, onLicence: (done) => told.push(done) });
    expect(found).toEqual({ licences: 2, seals: 6, events: 18, unsealed: 0, faults: [] });
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

  test('VERI-3682 a damaged seal or salt is told of its licence, up to which everything was compared, and the other licences are checked all the same', async () => {
    const damaged = await verifySeals({ eventStore, seals: withDamagedSeal(seals, one, 2) });
    expect(damaged).toMatchObject({ licences: 2, seals: 4, events: 12, unsealed: 0 });
    expect(damaged.faults).toEqual([
      { kind: 'unreadable', licenceId: one, seal: 2, from: 4, to: 9, firstEventId: sampleEvent(one, 4).id },
    ]);
    const unsalted = await verifySeals({ eventStore, seals: withDamagedSalt(seals, one) });
    expect(unsalted).toMatchObject({ licences: 2, seals: 3, events: 9, unsealed: 0 });
    expect(unsalted.faults).toEqual([
      { kind: 'unsalted', licenceId: one, seal: 1, from: 1, to: 9, firstEventId: sampleEvent(one, 1).id },
    ]);
    expect([...damaged.faults, ...unsalted.faults].map(sealFaultText)).toEqual([
      'Подписанная история лицензии 3f1: печать № 2 повреждена, не проверить событий с № 4. Верните печати из резервной копии.',
      'Подписанная история лицензии 3f1: соль печатей пропала или повреждена, не проверить событий с № 1. Верните печати из резервной копии.',
    ]);
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

describe('verifying what an attacker with the files did', () => {
  const licenceFaults = async (more: Partial<Parameters<typeof verifySeals>[0]> = {}) => {
    const { faults } = await verifySeals({ eventStore, seals, times: timesAt(), licences: [one, two], ...more });
    return faults
      .filter(({ licenceId }) => licenceId === one)
      .map(({ kind, seal, from, to }) => [kind, seal, from, to]);
  };

  test('VERI-1324 recorded times that were shifted, and an order that was changed, are found by their seal', async () => {
    expect(await licenceFaults()).toEqual([]);
    const shifted = falsified((all) =>
      all.map((event) => ({ ...event, recordedAt: new Date(Date.parse(event.recordedAt) - 1_000).toISOString() })),
    );
    expect(await licenceFaults({ eventStore: shifted })).toEqual([['different', 1, 1, 3]]);
    const moved = falsified((all) => all.map((event, index) => (index < 8 ? event : { ...event, position: 99 })));
    expect(await licenceFaults({ eventStore: moved })).toEqual([['different', 3, 7, 9]]);
  });

  test('VERI-1325 an index of commands that no longer leads to a sealed event is found', async () => {
    const keyOf = (actorId: string, commandId: string) => `${actorId}/${commandId}`;
    const all = [...(await eventStore.readLicence(one)), ...(await eventStore.readLicence(two))];
    const known = new Map(all.map((event) => [keyOf(event.metadata.actorId, event.metadata.commandId), [event]]));
    const commands = { keyOf, readCommand: async (key: string) => known.get(key) ?? [] };
    expect(await licenceFaults({ commands })).toEqual([]);
    const { actorId, commandId } = sampleEvent(one, 5).metadata;
    known.delete(keyOf(actorId, commandId));
    expect(await licenceFaults({ commands })).toEqual([['unindexed', 2, 5, 6]]);
    known.set(keyOf(actorId, commandId), [
      ...(known.get(keyOf(actorId, sampleEvent(one, 1).metadata.commandId)) ?? []),
    ]);
    expect(await licenceFaults({ commands })).toEqual([['unindexed', 2, 5, 6]]);
  });

  test('VERI-3652 an index of commands that leads to an event of another command as well is found', async () => {
    const keyOf = (actorId: string, commandId: string) => `${actorId}/${commandId}`;
    const all = [...(await eventStore.readLicence(one)), ...(await eventStore.readLicence(two))];
    const known = new Map(all.map((event) => [keyOf(event.metadata.actorId, event.metadata.commandId), [event]]));
    const commands = { keyOf, readCommand: async (key: string) => known.get(key) ?? [] };
    const { actorId, commandId } = sampleEvent(one, 5).metadata;
    const own = known.get(keyOf(actorId, commandId)) ?? [];
    known.set(keyOf(actorId, commandId), [...own, ...all.slice(-1)]);
    expect(await licenceFaults({ commands })).toEqual([['unindexed', 2, 5, 6]]);
  });

  test('VERI-3653 events that only the log as a whole has of a licence are found: no seal would ever come to them', async () => {
    expect(await licenceFaults({ inLog: new Map([[one, 9]]) })).toEqual([]);
    const { faults } = await verifySeals({ eventStore, seals, inLog: new Map([[one, 11]]) });
    expect(faults.map(sealFaultText)).toEqual([
      'Подписанная история лицензии 3f1: в журнале событий 11, а в истории лицензии 9: остальных печати не удостоверят.',
    ]);
  });

  test('VERI-1326 seals that were all deleted and made anew by the server itself were made too late', async () => {
    seals = inMemorySealStore();
    time += 24 * 60 * minutes;
    await sealAll();
    const [fault] = (await verifySeals({ eventStore, seals, times: timesAt() })).faults;
    expect(fault).toMatchObject({ kind: 'late', seal: 1, from: 1, to: 9 });
    expect(fault && sealFaultText(fault)).toContain('печать № 1 сделана намного позже срока');
  });

  test('VERI-1327 events that are older than the interval of sealing have a seal, also where there is none at all', async () => {
    const forge = sampleEvent(one, 10);
    await eventStore.append([{ stream: 'placement-3f1~1', expectedRevision: 'any', events: [forge] }]);
    const young = await verifySeals({ eventStore, seals, times: timesAt() });
    expect(young).toMatchObject({ unsealed: 1, faults: [] });
    // The store of seals itself says that it has come further.
    const [last] = (await eventStore.readLicence(one)).slice(-1);
    expect(await licenceFaults({ times: { ...timesAt(), followed: last?.position ?? 0 } })).toEqual([
      ['unsealed', 0, 10, 10],
    ]);
    expect(await licenceFaults({ times: { ...timesAt(), until: time + 60 * minutes } })).toEqual([
      ['unsealed', 0, 10, 10],
    ]);
    seals = inMemorySealStore();
    expect(await licenceFaults({ times: { ...timesAt(), until: time + 60 * minutes } })).toEqual([
      ['unsealed', 0, 1, 10],
    ]);
  });

  test('VERI-1328 a seal that is dated before its events, before the seal before it, or ahead of the clock, does not fit', async () => {
    const dated = async (change: (at: number) => number) => {
      const honest = await seals.read(one);
      const forged = inMemorySealStore();
      await forged.saltKey(one, () => testSalt);
      await forged.addKey({ ...testKey, since: '' });
      let previous: string | null = null;
      for (const { seal, ...where } of honest) {
        const at = seal.number === 2 ? change(Date.parse(seal.sealedAt)) : Date.parse(seal.sealedAt);
        const { key: _key, signature: _signature, ...unsigned } = seal;
        const made = testKey.sign({
          ...unsigned,
          previous: previous ?? seal.previous,
          sealedAt: new Date(at).toISOString(),
        });
        previous = hashOfSeal(made);
        await forged.add({ seal: made, ...where }, 1);
      }
      return licenceFaults({ seals: forged, licences: [one] });
    };
    expect(await dated((at) => at)).toEqual([]);
    expect(await dated((at) => at - 15 * minutes)).toEqual([['untimely', 2, 4, 6]]);
    expect(await dated((at) => at + 60 * minutes)).toEqual([['untimely', 2, 4, 6]]);
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
