import { randomBytes, randomUUID } from 'node:crypto';
import { sampleEvent } from '@zakup/event-store/contract-suite';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { describe, expect, test } from 'vitest';
import { appended, followed, freshLicence, idsOf, idsOfWrites, standInWorld } from './eventstoredb-world.ts';

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

  test('EDB-41 two installations on one server never see each other, nor do those without a namespace', async () => {
    const { open, namespace, standIn } = await standInWorld();
    const bare = await eventStoreDbEventStore({ url: standIn.url });
    const stores = [await open(), await open({ namespace: `${namespace}x` }), bare];
    const { stream, write, licenceId } = freshLicence();
    const [to, commandKey] = [stream(), randomUUID()];
    const ids: (readonly string[])[] = [];
    for (const store of stores) {
      const writes = [write(to), write(stream())] as const;
      expect((await store.append(writes, { commandKey })).kind).toBe('appended');
      ids.push(idsOfWrites(writes));
    }
    for (const [index, store] of stores.entries()) {
      expect(idsOf(await store.readLicence(licenceId))).toEqual(ids[index]);
      expect(idsOf(await store.readCommand(commandKey))).toEqual(ids[index]);
      const seen = await followed(store, { after: 0 }, (_, message) => message.kind === 'caught_up');
      expect(idsOf(seen)).toEqual(ids[index]);
    }
    expect(standIn.log.stream(`${namespace}_${to}`)).toHaveLength(1);
    expect(standIn.log.stream(to)).toHaveLength(1);
    await bare.close();
  });

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

  test('EDB-43 a log that ends before a known position is refused with the names of both', async () => {
    const { open, standIn } = await standInWorld();
    const store = await open();
    const { stream, write } = freshLicence();
    const { position } = appended(await store.append([write(stream())]));
    await open({ knownBounds: [{ position, source: 'the read store' }] });
    const behind = open({ knownBounds: [{ position: position + 1, source: 'the read store' }] });
    await expect(behind).rejects.toMatchObject({ name: 'LogBehind', head: position, knownBound: position + 1 });
    await expect(behind).rejects.toThrow(`127.0.0.1:${standIn.port}`);
  });

  test('EDB-44 command streams stay out of subscriptions, licences and the head', async () => {
    const { open, standIn, namespace } = await standInWorld();
    const store = await open();
    const { stream, write, licenceId } = freshLicence();
    const { position } = appended(await store.append([write(stream())], { commandKey: randomUUID() }));
    expect(standIn.log.events.filter(({ stream: name }) => name.startsWith(`${namespace}_command-`))).toHaveLength(1);
    await store.append([write(stream(), 4)], { commandKey: randomUUID() });
    expect(await store.head()).toBe(position);
    expect(await store.readLicence(licenceId)).toHaveLength(1);
    const seen = await followed(store, { after: 0 }, (_, message) => message.kind === 'caught_up');
    expect(seen).toHaveLength(1);
  });

  test('EDB-45 an id and a stream name that the server could not keep are thrown back', async () => {
    const { open, standIn } = await standInWorld();
    const store = await open();
    const before = standIn.log.events.length;
    const event = sampleEvent('00');
    for (const stream of ['nodash', '$sys-00~1', 'Placement-00~1', 'a b-00~1', 'other_placement-00~1']) {
      await expect(store.append([{ stream, expectedRevision: 'any', events: [event] }])).rejects.toThrow(TypeError);
    }
    const malformed = { ...event, id: '1' };
    await expect(store.append([{ stream: 'a-00~1', expectedRevision: 'any', events: [malformed] }])).rejects.toThrow(
      TypeError,
    );
    expect(standIn.log.events).toHaveLength(before);
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

  test('EDB-47 a slow follower makes the server wait, and still gets everything', async () => {
    const { store, licence, all } = await filled();
    const stop = new AbortController();
    const seen: RecordedEvent[] = [];
    let more = 0;
    for await (const message of store.subscribe({ after: 0, maxBatch: 8, signal: stop.signal })) {
      if (message.kind === 'caught_up') continue;
      seen.push(...message.events);
      if (more < 60) {
        more += 1;
        await store.append([licence.write(licence.stream())]);
      }
      if (seen.length === all.length + 60) stop.abort();
    }
    expect(seen).toEqual(await store.readLicence(licence.licenceId));
  });

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

  test('EDB-48 a log full of others is caught up with, and its end is told as it moves on', async () => {
    const { open, standIn } = await standInWorld();
    const store = await open();
    const stop = new AbortController();
    const positions: number[] = [];
    for await (const message of store.subscribe({ after: 0, partitions: ['ff'], signal: stop.signal })) {
      if (message.kind !== 'caught_up') throw new Error('Nothing was to be delivered');
      positions.push(message.position);
      if (positions.length === 3) stop.abort();
      else for (let index = 0; index < 300; index += 1) standIn.log.emit('other-ff~1', 'Strange', {});
    }
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(new Set(positions).size).toBe(3);
    const nothing = store.subscribe({ after: 0, partitions: [], signal: new AbortController().signal });
    const none = nothing[Symbol.asyncIterator]();
    expect((await none.next()).value).toMatchObject({ kind: 'caught_up' });
    await none.return?.();
  });

  test('EDB-90 a follower that lacks more than a batch all the time catches up where the log ended as it set out, also over lost connections', async () => {
    for (const losing of [false, true]) {
      const { faults, open, standIn } = await standInWorld();
      const store = await open({ chance: () => 1 });
      const { stream, write } = freshLicence();
      const growing = async (): Promise<number> => {
        for (let index = 0; index < 3; index += 1) await store.append([write(stream())]);
        // The end of the log is never an event that the follower is given.
        return standIn.log.emit('other-ff~1', 'Strange', {}).position;
      };
      const end = await growing();
      const stop = new AbortController();
      let caughtUpAt: number | undefined;
      let batches = 0;
      for await (const message of store.subscribe({ after: 0, maxBatch: 1, signal: stop.signal })) {
        if (message.kind === 'caught_up') caughtUpAt = message.position;
        batches += 1;
        if (caughtUpAt !== undefined || batches === 12) stop.abort();
        else {
          await growing();
          // Another one was given all of it, so that it waits for this one too.
          await followed(store, { after: 0 }, (_, { kind }) => kind === 'caught_up');
          if (losing) faults.drop('subscriptions');
        }
      }
      expect(caughtUpAt).toBeGreaterThanOrEqual(end);
    }
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
