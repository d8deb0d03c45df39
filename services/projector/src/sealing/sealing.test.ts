import type { EventStore, EventToAppend } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { chainOver, chainStart } from '@zakup/seals/chain';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import { hashOfSeal, isSignedBy, noSeal } from '@zakup/seals/seal';
import { headBook, inMemorySealHeads } from '@zakup/seals/seal-heads';
import type { SealStore } from '@zakup/seals/seal-store';
import { withDamagedSalt, withDamagedSeal, withLostSalt } from '@zakup/seals/testing/damaged';
import { firstInstant, otherKey, sampleEvent, testKey, testSalt } from '@zakup/seals/testing/sealed';
import { describe, expect, test } from 'vitest';
import { runSealing, type SealingOptions } from './run-sealing.ts';
import { sealer, type SealerOptions } from './sealer.ts';

const minutes = 60_000;
const one = '3f1';
const two = '4a1';

const given = () => {
  let time = firstInstant;
  const eventStore = inMemoryEventStore({ clock: () => time });
  const seals = inMemorySealStore();
  let last = 0;
  const append = async (licenceId: string, count: number, stream = `placement-${licenceId}~1`): Promise<void> => {
    const events = Array.from({ length: count }, () => sampleEvent(licenceId, (last += 1)));
    await eventStore.append([
      { stream, expectedRevision: 'any', events: events as [EventToAppend, ...EventToAppend[]] },
    ]);
  };
  const refused: object[] = [];
  const options = (more: Partial<SealerOptions> = {}): SealerOptions => ({
    eventStore,
    seals,
    key: testKey,
    fence: 1,
    after: 0,
    now: () => time,
    random: () => testSalt,
    onRefused: (told) => refused.push(told),
    ...more,
  });
  /** A sealer that has been told everything from where the last one got to. */
  const following = async (more: Partial<SealerOptions> = {}, from: EventStore = eventStore) => {
    const after = more.after ?? (await seals.followed());
    const made = sealer(options({ after, ...more }));
    const stop = new AbortController();
    const head = await from.head();
    if (head > after)
      for await (const message of from.subscribe({ after, signal: stop.signal }))
        if (message.kind === 'events') {
          made.take(message.events);
          if ((message.events.at(-1)?.position ?? 0) >= head) break;
        }
    stop.abort();
    return made;
  };
  const sealed = async (licenceId: string, of: SealStore = seals) =>
    (await of.read(licenceId)).map(({ seal }) => [seal.number, seal.count, seal.total]);
  return {
    eventStore,
    seals,
    append,
    refused,
    following,
    sealed,
    options,
    pass: (milliseconds: number) => void (time += milliseconds),
    now: () => time,
  };
};

describe('sealing', () => {
  test('SEAL-30 a licence is sealed ten minutes after its first event without a seal, and not before', async () => {
    const { append, following, sealed, pass, seals, eventStore } = given();
    await append(one, 2);
    pass(minutes);
    await append(one, 1);
    const sealing = await following();
    pass(9 * minutes - 1);
    await sealing.settle();
    expect(await sealed(one)).toEqual([]);
    pass(1);
    await sealing.settle();
    expect(await sealed(one)).toEqual([[1, 3, 3]]);
    const events = await eventStore.readLicence(one);
    const last = await seals.last(one);
    expect(last).toMatchObject({ position: 3, stream: 'placement-3f1~1', revision: 2 });
    expect(last?.seal).toEqual({
      format: 'zakup-seal-2',
      licenceId: one,
      number: 1,
      total: 3,
      count: 3,
      firstEventId: events[0]?.id,
      lastEventId: events[2]?.id,
      chain: chainOver(chainStart(one), testSalt, events),
      previous: noSeal,
      sealedAt: new Date(firstInstant + 10 * minutes).toISOString(),
      key: testKey.fingerprint,
      signature: last?.seal.signature,
    });
    expect(last !== null && isSignedBy(last.seal, testKey)).toBe(true);
    pass(60 * minutes);
    await sealing.settle();
    expect(await sealed(one)).toHaveLength(1);
  });

  test('SEAL-31 a thousand events of a licence are sealed at once, whatever the time', async () => {
    const { append, following, sealed, pass } = given();
    await append(one, 2_300);
    await append(two, 999);
    const sealing = await following();
    expect(sealing.isFull()).toBe(true);
    await sealing.settle();
    expect(sealing.isFull()).toBe(false);
    expect(await sealed(one)).toEqual([
      [1, 1_000, 1_000],
      [2, 1_000, 2_000],
    ]);
    expect(await sealed(two)).toEqual([]);
    pass(10 * minutes);
    await sealing.settle();
    expect([await sealed(one), await sealed(two)]).toEqual([
      [
        [1, 1_000, 1_000],
        [2, 1_000, 2_000],
        [3, 300, 2_300],
      ],
      [[1, 999, 999]],
    ]);
  });

  test('SEAL-32 seals are linked, each to the one before, and their chain is that of the whole history', async () => {
    const { append, following, pass, seals, eventStore } = given();
    for (let round = 0; round < 4; round += 1) {
      await append(one, 7);
      await append(two, 3);
      await append(one, 5, 'licencekey-99~99');
      const sealing = await following();
      pass(10 * minutes);
      await sealing.settle();
      await seals.follow(sealing.followed(), 1);
    }
    const all = await seals.read(one);
    expect(all.map(({ seal }) => seal.total)).toEqual([7, 14, 21, 28]);
    const own = (await eventStore.readLicence(one)).filter(({ stream }) => stream.startsWith('placement-'));
    for (const [index, { seal }] of all.entries()) {
      expect(seal.previous).toBe(index === 0 ? noSeal : hashOfSeal(all[index - 1]?.seal ?? seal));
      expect(seal.chain).toBe(chainOver(chainStart(one), testSalt, own.slice(0, seal.total)));
    }
  });

  test('SEAL-33 a restart repeats nothing and leaves nothing out, wherever it comes', async () => {
    const { append, following, sealed, pass, seals } = given();
    await append(one, 3);
    await append(two, 1);
    pass(10 * minutes);
    const first = await following();
    await first.settle();
    // It ended before it told how far it had come.
    await append(one, 4);
    const second = await following();
    expect(await seals.followed()).toBe(0);
    await second.settle();
    expect([await sealed(one), await sealed(two)]).toEqual([[[1, 3, 3]], [[1, 1, 1]]]);
    expect(second.followed()).toBe(3);
    await seals.follow(second.followed(), 1);
    pass(10 * minutes);
    const third = await following();
    await third.settle();
    expect(await sealed(one)).toEqual([
      [1, 3, 3],
      [2, 4, 7],
    ]);
    expect(third.followed()).toBe(8);
  });

  test('SEAL-34 two processes at once make one chain, also when both think that they lead', async () => {
    const { append, following, pass, seals, eventStore } = given();
    for (let round = 0; round < 5; round += 1) {
      await append(one, 3);
      const both = [await following(), await following({ key: otherKey })];
      pass(10 * minutes);
      await Promise.all(both.map((sealing) => sealing.settle()));
    }
    const all = await seals.read(one);
    expect(all.at(-1)?.seal.total).toBe(15);
    expect(all.map(({ seal }) => seal.previous)).toEqual([
      noSeal,
      ...all.slice(0, -1).map(({ seal }) => hashOfSeal(seal)),
    ]);
    expect(all.at(-1)?.seal.chain).toBe(chainOver(chainStart(one), testSalt, await eventStore.readLicence(one)));
  });

  test('SEAL-35 who has lost the lease is told, and writes nothing', async () => {
    const { append, following, pass, sealed, seals } = given();
    await append(one, 1);
    await seals.follow(0, 5);
    const late = await following({ fence: 4 });
    pass(10 * minutes);
    await expect(late.settle()).rejects.toMatchObject({ name: 'SealingLeaseLost' });
    expect(await sealed(one)).toEqual([]);
  });

  test('SEAL-1342 what is due is told by the sealer’s own clock: neither one that is set back nor a date ahead delays a seal', async () => {
    const { append, following, pass, sealed, eventStore } = given();
    let elapsed = 0;
    await append(one, 2);
    const sealing = await following({ elapsed: () => elapsed });
    // Everybody else's clock goes back by two hours.
    pass(-120 * minutes);
    elapsed += 9 * minutes;
    await sealing.settle();
    expect(await sealed(one)).toEqual([]);
    elapsed += 1 * minutes;
    await sealing.settle();
    expect(await sealed(one)).toEqual([[1, 2, 2]]);
    // Dated ahead by a clock that was a year further.
    pass(365 * 24 * 60 * minutes);
    await append(one, 1);
    pass(-365 * 24 * 60 * minutes);
    sealing.take((await eventStore.readLicence(one)).slice(2));
    elapsed += 10 * minutes;
    await sealing.settle();
    expect(await sealed(one)).toEqual([
      [1, 2, 2],
      [2, 1, 3],
    ]);
  });

  test('SEAL-36 on a log that no longer holds what is sealed no seal is made, until it does again', async () => {
    const { append, following, pass, sealed, refused, eventStore, now } = given();
    await append(one, 3);
    const first = await following();
    pass(10 * minutes);
    await first.settle();
    await append(one, 2);
    pass(10 * minutes);
    // Another log in its place: as long, and not the same.
    const falsified = inMemoryEventStore({ clock: now });
    for (let number = 1; number <= 5; number += 1)
      await falsified.append([
        { stream: 'placement-3f1~1', expectedRevision: 'any', events: [sampleEvent(one, number + 100)] },
      ]);
    const wrong = await following({ eventStore: falsified, after: 0 }, falsified);
    pass(10 * minutes);
    await wrong.settle();
    await wrong.settle();
    expect(refused).toEqual([{ licenceId: one, number: 1, position: 3 }]);
    expect(wrong.refusals()).toEqual(refused);
    expect(await sealed(one)).toEqual([[1, 3, 3]]);
    expect(wrong.followed()).toBe(0);
    const right = await following({ eventStore, after: 0 });
    await right.settle();
    expect(right.refusals()).toEqual([]);
    expect(await sealed(one)).toEqual([
      [1, 3, 3],
      [2, 2, 5],
    ]);
  });

  test('SEAL-3681 a licence with a damaged seal or salt is refused, told once, and keeps no other one from being sealed', async () => {
    for (const damaged of [
      (of: SealStore) => withDamagedSeal(of, one, 1),
      (of: SealStore) => withDamagedSalt(of, one),
    ]) {
      const { append, following, pass, sealed, refused, seals } = given();
      await append(one, 3);
      pass(10 * minutes);
      await (await following()).settle();
      await append(one, 2);
      await append(two, 2);
      const next = await following({ seals: damaged(seals), after: 0 });
      pass(10 * minutes);
      await next.settle();
      pass(20 * minutes);
      await next.settle();
      expect([await sealed(one), await sealed(two)]).toEqual([[[1, 3, 3]], [[1, 2, 2]]]);
      expect(refused).toEqual([{ licenceId: one, number: 1, position: 5 }]);
      expect(next.refusals()).toEqual(refused);
    }
  });

  test('SEAL-3689 no seal is put on others with a salt that was made anew: the licence is refused', async () => {
    const { append, following, pass, sealed, refused, seals } = given();
    await append(one, 3);
    pass(10 * minutes);
    await (await following()).settle();
    await append(one, 2);
    const next = await following({ seals: withLostSalt(seals, one), after: 0 });
    pass(10 * minutes);
    await next.settle();
    expect(await sealed(one)).toEqual([[1, 3, 3]]);
    expect(refused).toEqual([{ licenceId: one, number: 1, position: 5 }]);
  });

  test('SEAL-1334 seals that are replaced or deleted while it runs are not gone on with', async () => {
    const of = given();
    const { append, following, pass, sealed, refused } = of;
    const places = [inMemorySealHeads()];
    await append(one, 3);
    const first = await following({ known: await headBook(of.seals, places) });
    pass(10 * minutes);
    await first.settle();
    expect(await places[0]?.all()).toMatchObject([{ licenceId: one, number: 1, position: 3 }]);
    await append(one, 2);
    pass(10 * minutes);
    const none = inMemorySealStore();
    const made = inMemorySealStore();
    const anew = await following({ seals: made, after: 0, key: otherKey });
    await anew.settle();
    for (const seals of [none, made]) {
      refused.length = 0;
      const next = await following({ seals, after: 0, known: await headBook(seals, places) });
      await append(one, 1);
      pass(10 * minutes);
      await next.settle();
      expect(refused).toEqual([{ licenceId: one, number: 1, position: 3 }]);
      expect(await sealed(one, seals)).toEqual(seals === none ? [] : [[1, 5, 5]]);
    }
  });

  test('SEAL-37 what was changed behind a seal is never signed: the chain goes on from the seal', async () => {
    const { append, following, pass, seals, eventStore } = given();
    await append(one, 3);
    const first = await following();
    pass(10 * minutes);
    await first.settle();
    await append(one, 1);
    pass(10 * minutes);
    const events = await eventStore.readLicence(one);
    const falsified: EventStore = {
      ...eventStore,
      readLicence: async (licenceId, range) =>
        (await eventStore.readLicence(licenceId, range)).map((event) =>
          event.position === 2 ? { ...event, data: { leads: 99 } } : event,
        ),
    };
    const second = await following({ eventStore: falsified, after: 0 });
    await second.settle();
    const last = await seals.last(one);
    expect(last?.seal).toMatchObject({ number: 2, count: 1, total: 4 });
    expect(last?.seal.chain).toBe(chainOver(chainStart(one), testSalt, events));
  });
});

describe('sealing as a process', () => {
  const running = (
    of: ReturnType<typeof given>,
    more: Partial<Pick<SealingOptions, 'fence' | 'eventStore' | 'note'>> = {},
  ) => {
    const looks: (() => void)[] = [];
    const warnings: string[] = [];
    const sealing = runSealing({
      ...of.options(),
      eventStore: of.eventStore,
      ...more,
      signal: new AbortController().signal,
      log: { warn: (_, text) => warnings.push(text), error: (_, text) => warnings.push(text) },
      wait: (_, signal) =>
        new Promise((resolve) => {
          looks.push(resolve);
          if (signal.aborted) resolve();
          signal.addEventListener('abort', () => resolve(), { once: true });
        }),
    });
    return { sealing, warnings, look: () => looks.splice(0).forEach((resume) => resume()) };
  };

  test('ACL-6 which licences are not sealed any further is noted, and again when that has changed or could not be told', async () => {
    const of = given();
    await of.append(one, 3);
    of.pass(10 * minutes);
    await (await of.following()).settle();
    await of.append(one, 1);
    of.pass(10 * minutes);
    let log: EventStore = {
      ...of.eventStore,
      read: async () => [],
    };
    const noted: object[] = [];
    let away = true;
    const { sealing, look } = running(of, {
      eventStore: { ...of.eventStore, read: (...asked) => log.read(...asked) },
      note: async (refusals) => {
        if (away) {
          away = false;
          throw new Error('away');
        }
        noted.push(refusals);
      },
    });
    const looked = async (): Promise<object | undefined> => {
      of.pass(10 * minutes);
      look();
      return noted.at(-1);
    };
    await expect.poll(looked).toEqual([{ licenceId: one, number: 1, position: 3 }]);
    log = of.eventStore;
    await expect.poll(looked).toEqual([]);
    await sealing.stop();
  });

  test('SEAL-38 follows the log, seals at the thousandth event and at looks, and notes how far it came', async () => {
    const of = given();
    const { sealing, look } = running(of);
    await of.append(one, 1_000);
    await of.append(two, 1);
    await expect.poll(() => of.sealed(one)).toEqual([[1, 1_000, 1_000]]);
    expect(await of.sealed(two)).toEqual([]);
    of.pass(10 * minutes);
    await expect
      .poll(async () => {
        look();
        return [await of.sealed(two), await of.seals.followed()];
      })
      .toEqual([[[1, 1, 1]], 1_001]);
    expect((await of.seals.keys()).map(({ fingerprint }) => fingerprint)).toEqual([testKey.fingerprint]);
    await sealing.stop();
    expect(await sealing.ended).toBe('stopped');
  });

  test('SEAL-39 a store that fails is tried again; a lost lease ends it', async () => {
    const of = given();
    let fails = 2;
    const eventStore: EventStore = {
      ...of.eventStore,
      subscribe(options) {
        fails -= 1;
        if (fails >= 0) throw new Error('away');
        return of.eventStore.subscribe(options);
      },
    };
    const { sealing, look, warnings } = running(of, { eventStore });
    await of.append(one, 1_000);
    await expect
      .poll(async () => {
        look();
        return of.sealed(one);
      })
      .toEqual([[1, 1_000, 1_000]]);
    expect(warnings).toEqual(['Sealing will try again', 'Sealing will try again']);
    await of.seals.follow(0, 9);
    await of.append(one, 1_000);
    expect(await sealing.ended).toBe('lease_lost');
    expect(await of.sealed(one)).toHaveLength(1);
  });
});
