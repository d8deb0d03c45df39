import { randomBytes } from 'node:crypto';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { describe, expect, test } from 'vitest';
import { appended, followed, freshLicence, idsOfWrites } from './eventstoredb-events.ts';
import { standInWorld } from './eventstoredb-world.ts';

describe('the log on EventStoreDB (stand-in)', () => {
  test.each(['data', 'metadata'] as const)(
    'EDB-40 a flipped bit in an event’s %s is told wherever it is read',
    async (where) => {
      const { open, standIn } = await standInWorld();
      const store = await open();
      for (let index = 0; index < 300; index += 11) {
        const { stream, write, licenceId } = freshLicence();
        const to = stream();
        const after = await store.head();
        const { position } = appended(await store.append([write(to)]));
        const bytes = standIn.log.events.at(-1)?.[where] ?? new Uint8Array();
        if (index >= bytes.length) break;
        bytes[index] = (bytes[index] ?? 0) ^ 1;
        const corrupt = { name: 'CorruptEvent', position };
        await expect(store.read(to)).rejects.toMatchObject(corrupt);
        await expect(store.readLicence(licenceId, { after })).rejects.toMatchObject(corrupt);
        await expect(followed(store, { after }, () => false)).rejects.toMatchObject(corrupt);
        // Otherwise the next round would meet it at the end of the log.
        expect((await store.append([write(stream())])).kind).toBe('appended');
      }
    },
  );

  test('EDB-42 a position beyond 2^53−1 is refused aloud', async () => {
    const { open, standIn } = await standInWorld();
    const store = await open();
    const { stream, write } = freshLicence();
    const to = stream();
    await store.append([write(to)]);
    Object.assign(standIn.log.events.at(-1) ?? {}, { position: 2 ** 53 });
    await expect(store.read(to)).rejects.toThrow(/9007199254740992/);
    await expect(followed(store, { after: 0 }, () => false)).rejects.toThrow(RangeError);
    await expect(open()).rejects.toThrow(RangeError);
  });
});

describe('following the log on EventStoreDB (stand-in)', () => {
  /** 120 appends of one to four events, with strangers between. */
  const filled = async () => {
    const world = await standInWorld();
    const store = await world.open();
    const licence = freshLicence();
    const lengths = new Map<string, number>();
    for (let index = 0; index < 120; index += 1) {
      const stream = licence.stream();
      lengths.set(stream, (index % 4) + 1);
      await store.append([licence.write(stream, 'no_stream', (index % 4) + 1)]);
      world.standIn.log.emit(`other-${randomBytes(4).toString('hex')}`, 'Strange', {});
    }
    return { ...world, store, licence, all: await store.readLicence(licence.licenceId), lengths };
  };

  test.each([
    ['connections', 'unavailable'],
    ['subscriptions', 'unavailable'],
    ['subscriptions', 'complete'],
  ] as const)(
    'EDB-46 dropped %s (%s) after each batch it goes on without gap, double or torn append',
    async (what, how) => {
      const dropped: object[] = [];
      const { faults, open, all, lengths } = await filled();
      const log = { info: () => undefined, warn: (fields: object) => dropped.push(fields) };
      const store = await open({ log, chance: () => 1 });
      const batches: (readonly RecordedEvent[])[] = [];
      const early: number[] = [];
      const seen = await followed(store, { after: 0, maxBatch: 10 }, (events, message) => {
        if (message.kind === 'events') {
          batches.push(message.events);
          if (events.length < 200) faults.drop(what, how);
        } else if (message.position < (events.at(-1)?.position ?? 0)) early.push(message.position);
        return events.length === all.length && message.kind === 'caught_up';
      });
      expect(seen).toEqual(all);
      expect(early).toEqual([]);
      // Each stream is one append, so it must lie in one batch.
      const streams = batches.flatMap((events) => [...new Set(events.map(({ stream }) => stream))]);
      expect(streams).toHaveLength(lengths.size);
      expect(dropped.length).toBeGreaterThan(0);
    },
  );

  test.each(['unavailable', 'complete'] as const)(
    'EDB-65 a subscription that is dropped (%s) while what it told is worked on is begun again',
    async (how) => {
      const { faults, open } = await standInWorld();
      const store = await open({ chance: () => 1 });
      const { stream, write } = freshLicence();
      const writes = [write(stream()), write(stream())] as const;
      const stop = new AbortController();
      const seen: string[] = [];
      for await (const message of store.subscribe({ after: 0, signal: stop.signal })) {
        if (message.kind === 'events') seen.push(...message.events.map(({ id }) => id));
        if (message.kind === 'caught_up' && seen.length === 0) await store.append([writes[0]]);
        if (message.kind === 'caught_up' || seen.length !== 1) {
          if (seen.length === 2) stop.abort();
          continue;
        }
        faults.drop('subscriptions', how);
        // Answers that come on the same connection after the subscription's end: it has been heard of by then.
        for (let round = 0; round < 5; round += 1) await store.head();
        await store.append([writes[1]]);
      }
      expect(seen).toEqual(idsOfWrites(writes));
    },
  );

  test('EDB-97 a follower whose connection is lost after every batch catches up where a growing log ended as it set out', async () => {
    const { faults, open, standIn } = await standInWorld();
    const store = await open({ chance: () => 1 });
    const { stream, write } = freshLicence();
    const growing = async (): Promise<number> => {
      for (let index = 0; index < 3; index += 1) await store.append([write(stream())]);
      return standIn.log.emit('other-ff~1', 'Strange', {}).position;
    };
    const wanted = await growing();
    const stop = new AbortController();
    let caughtUpAt: number | undefined;
    let batches = 0;
    for await (const message of store.subscribe({ after: 0, maxBatch: 1, signal: stop.signal })) {
      if (message.kind === 'caught_up') caughtUpAt = message.position;
      batches += 1;
      if (caughtUpAt !== undefined || batches === 12) stop.abort();
      else {
        await growing();
        await followed(store, { after: 0 }, (_, said) => said.kind === 'caught_up');
        faults.drop('subscriptions');
      }
    }
    expect(caughtUpAt).toBeGreaterThanOrEqual(wanted);
  });

  test('EDB-49 after falling behind it says again when it has caught up', async () => {
    const { faults, open } = await standInWorld();
    const store = await open();
    const { stream, write } = freshLicence();
    const stop = new AbortController();
    let caughtUp = 0;
    for await (const message of store.subscribe({ after: 0, signal: stop.signal })) {
      if (message.kind !== 'caught_up') continue;
      caughtUp += 1;
      if (caughtUp === 3) stop.abort();
      else {
        await store.append([write(stream())]);
        faults.fallBehind();
      }
    }
    expect(caughtUp).toBe(3);
  });
});
