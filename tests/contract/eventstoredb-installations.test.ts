import { randomUUID } from 'node:crypto';
import { sampleEvent } from '@zakup/event-store/contract-suite';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { serverNames } from '@zakup/event-store/eventstoredb/names';
import { describe, expect, test, vi } from 'vitest';
import { appended, followed, freshLicence, idsOf, idsOfWrites } from './eventstoredb-events.ts';
import { sharedServer } from './eventstoredb-shared.ts';

const { url, kind, end, strangersWrite, typesIn, installation } = await sharedServer();

describe(`installations on a server that others use too (${kind})`, () => {
  test('EDB-41 two on one server never see each other, nor do those without a namespace', async () => {
    const { open, namespace, now } = await installation();
    const bare = await open();
    const stores = [bare, await open({ namespace: `${namespace}x` }), await eventStoreDbEventStore({ url })];
    const { stream, write, licenceId } = freshLicence();
    const [to, commandKey] = [stream(), randomUUID()];
    const ids: (readonly string[])[] = [];
    for (const store of stores) {
      const writes = [write(to), write(stream())] as const;
      expect((await store.append(writes, { commandKey })).kind).toBe('appended');
      ids.push(idsOfWrites(writes));
    }
    for (const [index, store] of stores.entries()) {
      expect(idsOf(await store.readLicence(licenceId, { after: now }))).toEqual(ids[index]);
      expect(idsOf(await store.readCommand(commandKey))).toEqual(ids[index]);
      const seen = await followed(store, { after: now }, (_, message) => message.kind === 'caught_up');
      // Without a namespace there may be others of the same kind.
      expect(idsOf(seen.filter(({ metadata }) => metadata.licenceId === licenceId))).toEqual(ids[index]);
    }
    expect(await typesIn(`${namespace}_${to}`)).toHaveLength(1);
    expect(await typesIn(to)).toHaveLength(1);
    await stores[2]?.close();
  });

  test('EDB-43 a log that ends before a known position is refused with the names of both', async () => {
    const { open } = await installation();
    const store = await open();
    const { stream, write } = freshLicence();
    const { position } = appended(await store.append([write(stream())]));
    await open({ knownBounds: [{ position, source: 'the read store' }] });
    const knownBound = Number.MAX_SAFE_INTEGER;
    const behind = open({ knownBounds: [{ position: knownBound, source: 'the read store' }] });
    await expect(behind).rejects.toMatchObject({ name: 'LogBehind', knownBound });
    await expect(behind).rejects.toThrow(/:\d+ .* the read store has seen 9007199254740991/u);
  });

  test('EDB-44 command streams stay out of subscriptions, licences and the head', async () => {
    const { open, namespace, now } = await installation();
    const store = await open();
    const { stream, write, licenceId } = freshLicence();
    const [commandKey, lost] = [randomUUID(), randomUUID()];
    const { position } = appended(await store.append([write(stream())], { commandKey }));
    const names = serverNames(namespace);
    expect(await typesIn(names.onServer(names.command(`key ${commandKey}`)))).toEqual(['CommandClaimed']);
    await store.append([write(stream(), 4)], { commandKey: lost });
    expect(await store.head()).toBe(position);
    expect(await store.readLicence(licenceId, { after: now })).toHaveLength(1);
    const seen = await followed(store, { after: now }, (_, message) => message.kind === 'caught_up');
    expect(seen).toHaveLength(1);
  });

  test('EDB-45 an id and a stream name that the server could not keep are thrown back', async () => {
    const { open, namespace } = await installation();
    const store = await open();
    const event = sampleEvent('00');
    for (const stream of ['nodash', '$sys-00~1', 'Placement-00~1', 'a b-00~1', 'other_placement-00~1']) {
      await expect(store.append([{ stream, expectedRevision: 'any', events: [event] }])).rejects.toThrow(TypeError);
      expect(await typesIn(`${namespace}_${stream}`)).toEqual([]);
    }
    const malformed = { ...event, id: '1' };
    await expect(store.append([{ stream: 'a-00~1', expectedRevision: 'any', events: [malformed] }])).rejects.toThrow(
      TypeError,
    );
    expect(await store.revision('a-00~1')).toBe('no_stream');
  });

  test('EDB-98 the head is the last own event, however many of others lie behind it', async () => {
    const { open, namespace } = await installation();
    const [store, empty] = [await open(), await open({ namespace: `${namespace}x` })];
    const { stream, write } = freshLicence();
    for (let round = 0; round < 2; round += 1) {
      const { position } = appended(await store.append([write(stream()), write(stream())]));
      for (let others = 0; others < 6; others += 1) await strangersWrite(`other-ff~${randomUUID()}`, 300);
      await strangersWrite(`${namespace}_${stream()}`);
      await strangersWrite(`other-ff~${randomUUID()}`, 10);
      expect(await Promise.all([store.head(), store.head(), store.head()])).toEqual(Array(3).fill(position));
      expect(await (await open()).head()).toBe(position);
      expect(await empty.head()).toBe(0);
    }
    expect(await end()).toBeGreaterThan(await store.head());
  });

  test('EDB-21 a malformed connection string and namespace are told at once', async () => {
    await expect(eventStoreDbEventStore({ url: 'http://nowhere' })).rejects.toThrow(/esdb:\/\//);
    await expect(eventStoreDbEventStore({ url: 'esdb://127.0.0.1:1?tls=false', namespace: 'a_b' })).rejects.toThrow(
      TypeError,
    );
  });

  test('EDB-28 a connection string of KurrentDB’s manuals opens the same server', async () => {
    const { open } = await installation();
    const { stream, write } = freshLicence();
    for (const scheme of ['kurrentdb', 'kurrent', 'kdb', 'esdb']) {
      const store = await open({ url: url.replace(/^esdb/u, scheme) });
      expect((await store.append([write(stream())])).kind).toBe('appended');
    }
    const said = vi.spyOn(console, 'warn');
    const unverified = await open({ url: `${url}${url.includes('?') ? '&' : '?'}tlsVerifyCert=false` });
    expect((await unverified.append([write(stream())])).kind).toBe('appended');
    // The client would print the connection string.
    expect(said).not.toHaveBeenCalled();
  });
});

describe(`following a log that others write to (${kind})`, () => {
  test('EDB-47 a slow follower makes the server wait, and still gets everything', async () => {
    const { open, now } = await installation();
    const store = await open();
    const licence = freshLicence();
    for (let index = 0; index < 120; index += 1) {
      await store.append([licence.write(licence.stream(), 'no_stream', (index % 4) + 1)]);
      await strangersWrite(`other-${randomUUID()}`);
    }
    const all = await store.readLicence(licence.licenceId, { after: now });
    const stop = new AbortController();
    const seen: string[] = [];
    let more = 0;
    for await (const message of store.subscribe({ after: now, maxBatch: 8, signal: stop.signal })) {
      if (message.kind === 'caught_up') continue;
      seen.push(...idsOf(message.events));
      if (more < 60) {
        more += 1;
        await store.append([licence.write(licence.stream())]);
      }
      if (seen.length === all.length + 60) stop.abort();
    }
    expect(seen).toEqual(idsOf(await store.readLicence(licence.licenceId, { after: now })));
  });

  test('EDB-48 a log full of others is caught up with, and its end is told as it moves on', async () => {
    const { open, now } = await installation();
    const store = await open();
    const stop = new AbortController();
    const positions: number[] = [];
    for await (const message of store.subscribe({ after: now, partitions: ['ff'], signal: stop.signal })) {
      if (message.kind !== 'caught_up') throw new Error('Nothing was to be delivered');
      positions.push(message.position);
      if (positions.length === 3) stop.abort();
      else await strangersWrite('other-ff~1', 300);
    }
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(new Set(positions).size).toBe(3);
    const nothing = store.subscribe({ after: now, partitions: [], signal: new AbortController().signal });
    const none = nothing[Symbol.asyncIterator]();
    expect((await none.next()).value).toMatchObject({ kind: 'caught_up' });
    await none.return?.();
  });

  test('EDB-90 a follower that lacks more than a batch all the time catches up where the log ended as it set out', async () => {
    const { open, now } = await installation();
    const store = await open();
    const { stream, write } = freshLicence();
    const growing = async (): Promise<number> => {
      for (let index = 0; index < 3; index += 1) await store.append([write(stream())]);
      // The end of the log is never an event that the follower is given.
      return strangersWrite('other-ff~1');
    };
    const wanted = await growing();
    const stop = new AbortController();
    let caughtUpAt: number | undefined;
    let batches = 0;
    for await (const message of store.subscribe({ after: now, maxBatch: 1, signal: stop.signal })) {
      if (message.kind === 'caught_up') caughtUpAt = message.position;
      batches += 1;
      if (caughtUpAt !== undefined || batches === 12) stop.abort();
      else {
        await growing();
        // Another one was given all of it, so that it waits for this one too.
        await followed(store, { after: now }, (_, said) => said.kind === 'caught_up');
      }
    }
    expect(caughtUpAt).toBeGreaterThanOrEqual(wanted);
  });
});
